"""The wheel is whole: installed into an empty environment it runs, built-in modules included."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLAY = """
- hosts: localhost
  gather_facts: false
  tasks:
    - ansible.builtin.copy: {content: from the wheel, dest: "{{ playbook_dir }}/written"}
    - ansible.builtin.shell: cat written
      args: {chdir: "{{ playbook_dir }}"}
      register: read
    - ansible.builtin.assert: {that: read.stdout == 'from the wheel'}
"""


def test_an_installed_wheel_runs_a_playbook(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-deps", "-w", str(tmp_path), str(ROOT)], check=True, timeout=300)
    wheel = next(tmp_path.glob("pyplay-*.whl"))
    venv.create(tmp_path / "env", with_pip=True)
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "ANSIBLE_", "PYPLAY_"))}
    environment |= {"HOME": str(tmp_path), "ANSIBLE_NOCOLOR": "1"}
    install = [str(tmp_path / "env/bin/python"), "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
    subprocess.run([*install, str(wheel)], check=True, timeout=300, env=environment)
    (tmp_path / "site.yml").write_text(PLAY)
    run = subprocess.run(
        [str(tmp_path / "env/bin/pyplay"), "site.yml"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
    assert "ok=3 " in run.stdout
    assert (tmp_path / "written").read_text() == "from the wheel"
