"""A bug of ours in a worker: the task's message names the report, the screen stays clean."""

from __future__ import annotations

import subprocess
import sys
from textwrap import dedent
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

BROKEN = """
    import sys
    from pyplay.cli.main import main
    from pyplay.workers.task_run import TaskRun

    async def run(self):
        raise ZeroDivisionError("a bug")

    TaskRun.run = run
    main(sys.argv[1:])
"""


@pytest.mark.parametrize(("more", "traceback"), [([], False), (["-vvv"], True)])
def test_a_bug_is_reported(tmp_path: Path, more: list[str], traceback: Any) -> None:
    (tmp_path / "site.yml").write_text("- hosts: localhost\n  gather_facts: false\n  tasks:\n    - debug:\n")
    command = [sys.executable, "-c", dedent(BROKEN), "site.yml", *more]
    environment = {"PATH": "/usr/bin:/bin", "TMPDIR": str(tmp_path), "HOME": str(tmp_path)}
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    (report,) = tmp_path.glob("pyplay-bug-*")
    assert done.returncode == 2
    assert f"please report it with the file {report}" in done.stdout
    assert "ZeroDivisionError: a bug" in report.read_text()
    assert ("Traceback" in done.stderr) is traceback
