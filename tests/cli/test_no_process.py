"""A run for which the system has no process, or whose forking process goes away, ends with one line that says so."""

from __future__ import annotations

import os
import subprocess
import sys
from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

BEGIN = """
    import errno, os, sys
    from pyplay.cli.main import main
    real, calls = os.fork, []
    def fork():
        calls.append(0)
        if len(calls) > {allowed}:
            raise OSError(errno.EAGAIN, "no process is left")
        return real()
    os.fork = fork
"""
KILLED = """
    from pyplay.workers.zygote import Zygote
    expect_worker = Zygote.expect
    def killed(self):
        os.kill(self._pid, 9)  # before it is asked for its first worker
        expect_worker(self)
    Zygote.expect = killed
"""
BROKEN = """
    from pyplay.workers import founding
    def found(*_):
        raise ZeroDivisionError("a bug")
    founding.found = found
"""
CORES = len(os.sched_getaffinity(0))


@pytest.mark.parametrize("cores", [1, pytest.param(2, marks=pytest.mark.skipif(CORES < 2, reason="one core"))])
@pytest.mark.parametrize(
    ("script", "code", "said"),
    [
        (
            BEGIN.format(allowed=0),
            1,
            "the system refuses what pyplay needs: a process for its workers (no process is left)",
        ),
        (BEGIN.format(allowed=1), 1, "the system refuses what pyplay needs: a process for its workers (Resource"),
        (BEGIN.format(allowed=9) + KILLED, 1, "the process that forks pyplay's workers is gone: killed by SIGKILL"),
        (BEGIN.format(allowed=9) + BROKEN, 250, "the process that forks pyplay's workers is gone: exit status 70"),
    ],
)
def test_it_is_one_line_and_no_traceback(tmp_path: Path, script: str, code: int, said: str, cores: int) -> None:
    (tmp_path / "site.yml").write_text("- hosts: localhost\n  gather_facts: false\n  tasks: [{debug: {msg: x}}]\n")
    command = [sys.executable, "-c", dedent(script) + "main(sys.argv[1:])", "-i", "localhost,", "site.yml"]
    chosen = sorted(os.sched_getaffinity(0))[:cores]
    done = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, "TMPDIR": str(tmp_path)}, capture_output=True, text=True, check=False,
        timeout=60, stdin=subprocess.DEVNULL, preexec_fn=lambda: os.sched_setaffinity(0, chosen),  # no threads here
    )  # fmt: skip
    assert (done.returncode, done.stderr.count(f"[ERROR]: {said}")) == (code, 1), done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.count("has a bug") == (code == 250)
