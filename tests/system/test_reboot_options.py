"""The options of reboot, on a host whose `shutdown` only notes what it is told and makes the host look restarted."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

SHUTDOWN = """#!/bin/sh
echo "${0##*/} $*" >> %s/log
date +%%s%%N > %s/boot
"""

TASKS = """
- hosts: demo
  gather_facts: false
  module_defaults:
    reboot: {boot_time_command: "cat DIR/boot", search_paths: ["DIR/bin"]}
  tasks:
    - reboot:
    - reboot: {msg: own words}
    - reboot: {search_paths: ["DIR/none"]}
      register: nowhere
      failed_when: "'there is no shutdown in DIR/none' not in nowhere.msg"
    - reboot: {reboot_command: "DIR/bin/other now", connect_timeout: 5}
    - reboot: {post_reboot_delay: 1}
      register: waited
    - assert: {that: waited.elapsed >= 1}
    - reboot: {test_command: "false", reboot_timeout: 2}
      register: never
      ignore_errors: true
    - assert: {that: never is failed}
"""


def test_each_option_of_reboot(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    for name in ("shutdown", "other"):
        (tmp_path / "bin" / name).write_text(SHUTDOWN % (tmp_path, tmp_path))
        (tmp_path / "bin" / name).chmod(0o755)
    (tmp_path / "boot").write_text("0")
    (tmp_path / "site.yml").write_text(TASKS.replace("DIR", str(tmp_path)))
    words = ["--dir", str(tmp_path / "hosts"), "--hosts", "1", "--until-eof"]
    program = [sys.executable, str(ROOT / "examples" / "embedded_hosts.py"), *words]
    hosts = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert hosts.stdin is not None
    assert hosts.stdout is not None
    try:
        assert hosts.stdout.readline().strip() == "ready"
        done = subprocess.run(
            [sys.executable, "-m", "pyplay", "-i", "hosts/inventory.ini", "site.yml"],
            cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120, stdin=subprocess.DEVNULL,
            env={**os.environ, "HOME": str(tmp_path)},
        )  # fmt: skip
    finally:
        hosts.stdin.close()
        hosts.wait(10)
        hosts.stdout.close()
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "log").read_text().splitlines() == [
        "shutdown -r +0 Reboot initiated by pyplay",
        "shutdown -r +0 own words",
        "other now",
        "shutdown -r +0 Reboot initiated by pyplay",
        "shutdown -r +0 Reboot initiated by pyplay",
    ]
