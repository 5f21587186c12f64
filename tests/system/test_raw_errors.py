"""What a raw line writes to standard error is its result's, however soon it comes after the beginning."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SUDO = """#!/bin/sh
echo "a lecture on great power" >&2
while [ "$1" != -- ]; do shift; done
shift
exec "$@"
"""
PLAYBOOK = """
- hosts: all
  gather_facts: false
  vars: {ansible_become_exe: WORK/sudo}
  tasks:
    - raw: "echo words{{ item }} >&2; echo out{{ item }}; exit 3"
      loop: "{{ range(30) | list }}"
      register: said
      failed_when: said.rc != 3 or said.stderr != 'words%s\\n' % item or said.stdout != 'out%s\\n' % item
"""


@pytest.mark.parametrize("words", [[], ["--become"]], ids=["plain", "become"])
@pytest.mark.parametrize("connection", ["ssh", "local"])
def test_nothing_of_standard_error_is_lost(tmp_path: Path, connection: str, words: list[str]) -> None:
    (tmp_path / "sudo").write_text(SUDO)
    (tmp_path / "sudo").chmod(0o755)
    (tmp_path / "site.yml").write_text(PLAYBOOK.replace("WORK", str(tmp_path)))
    command = [sys.executable, str(ROOT / "examples/embedded_hosts.py"), "--hosts", "1", "--dir", str(tmp_path)]
    with subprocess.Popen([*command, "--until-eof"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as hosts:
        assert hosts.stdout is not None
        assert hosts.stdout.readline().strip() == "ready"
        play = [sys.executable, "-m", "pyplay", "-i", "inventory.ini", "-c", connection, *words, "site.yml"]
        done = subprocess.run(play, cwd=tmp_path, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
        assert hosts.stdin is not None
        hosts.stdin.close()
    assert done.returncode == 0, done.stdout + done.stderr
