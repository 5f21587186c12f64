"""The lab: real hosts with systemd, sshd, sudo and apt. `PYPLAY_LAB` names its command, `LAB_DIR` where it keeps its state."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

RECAP = re.compile(r"^(?P<host>\S+)\s+: (?P<counts>ok=.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Run:
    """One finished run of the command line."""

    code: int
    out: str
    err: str
    seconds: float

    @property
    def recap(self) -> dict[str, dict[str, int]]:
        return {
            m["host"]: {k: int(v) for k, v in (pair.split("=") for pair in m["counts"].split())}
            for m in RECAP.finditer(self.out)
        }


@dataclass(frozen=True)
class Lab:
    """The lab's command and a directory to work in."""

    command: str
    state: Path
    directory: Path

    def __call__(self, *words: str, check: bool = True) -> str:
        done = subprocess.run([self.command, *words], capture_output=True, text=True, timeout=120, check=False)
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def exec(self, host: str, script: str, *, check: bool = False) -> str:
        """Run a shell script as root inside a host, without SSH."""
        return self("exec", host, "--", "sh", "-c", script, check=check)

    def write(self, name: str, text: str) -> Path:
        path = self.directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def inventory(self, user: str = "deploy", *, key: bool = True, hosts: str = "h1 h2 h3", extra: str = "") -> str:
        lines = [f"{h} ansible_host=198.18.0.1{h[1:]}" for h in hosts.split()]
        args = f"-o UserKnownHostsFile={self.state}/known_hosts -o GlobalKnownHostsFile=/dev/null -o StrictHostKeyChecking=yes"
        lines += ["[all:vars]", f"ansible_user={user}", f"ansible_ssh_common_args={args}"]
        lines += [f"ansible_ssh_private_key_file={self.state}/id_ed25519"] if key else []
        return str(self.write(f"inventory-{user}-{key}.ini", "\n".join([*lines, extra]) + "\n"))

    def command_line(self, *words: str) -> list[str]:
        return [sys.executable, "-m", "pyplay", *words]

    def environment(self, **more: str) -> dict[str, str]:
        plain = {k: v for k, v in os.environ.items() if not k.startswith(("ANSIBLE_", "PYPLAY_", "SSH_AUTH"))}
        return plain | {"HOME": str(self.directory), "LC_ALL": "C.UTF-8"} | more

    def start(self, *words: str, quiet: bool = True, **environment: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self.command_line(*words), cwd=self.directory, env=self.environment(**environment), text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL if quiet else subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip

    def pyplay(self, *words: str, stdin: str = "", **environment: str) -> Run:
        begin = time.monotonic()
        done = subprocess.run(
            self.command_line(*words), cwd=self.directory, env=self.environment(**environment), text=True,
            input=stdin, capture_output=True, timeout=180, check=False,
        )  # fmt: skip
        assert "Traceback (most recent" not in done.stdout + done.stderr, done.stdout + done.stderr
        return Run(done.returncode, done.stdout, done.stderr, time.monotonic() - begin)

    def play(self, text: str, *words: str, inventory: str = "", **more: Any) -> Run:
        return self.pyplay("-i", inventory or self.inventory(), str(self.write("site.yml", text)), *words, **more)


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    command = os.environ.get("PYPLAY_LAB")
    if not command:
        pytest.skip("PYPLAY_LAB names no lab command")
    return Lab(command, Path(os.environ.get("LAB_DIR") or "/var/tmp/lab"), tmp_path)
