"""`--forks 1`: strictly one host after the other, whatever the strategy; more: side by side."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

PLAYBOOK = """
- hosts: all
  gather_facts: false
  strategy: {strategy}
  tasks:
    - ansible.builtin.shell: echo begin {{{{ inventory_hostname }}}} >> log; sleep 0.1; echo end >> log
      args: {{chdir: "{{{{ playbook_dir }}}}"}}
    - ansible.builtin.shell: echo begin {{{{ inventory_hostname }}}} >> log; sleep 0.1; echo end >> log
      args: {{chdir: "{{{{ playbook_dir }}}}"}}
"""
HOSTS = "".join(f"h{n} ansible_connection=local ansible_python_interpreter=/usr/bin/python3\n" for n in range(3))


def log_of(directory: Path, playbook: str, forks: int) -> list[str]:
    """Run a playbook and give what the hosts wrote, in the order in which they did."""
    (directory / "site.yml").write_text(playbook)
    (directory / "hosts.ini").write_text(HOSTS)
    command = [sys.executable, "-m", "pyplay", "-f", str(forks), "-i", "hosts.ini", "site.yml"]
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return (directory / "log").read_text().splitlines()


@pytest.mark.parametrize("strategy", ["linear", "free", "host_pinned"])
def test_one_host_after_the_other(tmp_path: Path, strategy: str) -> None:
    log = log_of(tmp_path, PLAYBOOK.format(strategy=strategy), 1)
    assert [line.split()[0] for line in log] == ["begin", "end"] * 6
    hosts = [line.split()[1] for line in log if line != "end"]
    pinned = strategy == "host_pinned"
    assert hosts == (["h0", "h0", "h1", "h1", "h2", "h2"] if pinned else ["h0", "h1", "h2"] * 2)


def test_with_more_they_run_side_by_side(tmp_path: Path) -> None:
    meet = "echo begin >> log; for n in $(seq 300); do [ $(wc -l < log) -ge 3 ] && exit 0; sleep 0.1; done; exit 1"
    task = f"    - ansible.builtin.shell: {meet}\n      args: {{chdir: '{{{{ playbook_dir }}}}'}}\n"
    assert log_of(tmp_path, "- hosts: all\n  gather_facts: false\n  tasks:\n" + task, 3) == ["begin"] * 3
