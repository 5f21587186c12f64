"""Projects made by tests, run through ansible-core and through pyplay, to be compared."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from outcome import Outcome, parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

ORACLE = os.environ.get("PYPLAY_ORACLE")
needs_oracle = pytest.mark.skipif(not ORACLE, reason="PYPLAY_ORACLE names no directory with ansible-playbook")
LOCAL = "a ansible_connection=local\n"


def write(directory: Path, files: Mapping[str, Any]) -> None:
    """Write `files`, by their paths below `directory`: text as it is, other values as JSON, which is YAML."""
    for name, contents in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(contents if isinstance(contents, str) else json.dumps(contents))


def run_both(files: Mapping[str, Any], directory: Path, *arguments: str) -> tuple[Outcome, Outcome]:
    """Return what ansible-core and what pyplay make of the playbook `site.yml` among `files`."""
    core = run([f"{ORACLE}/ansible-playbook"], files, directory / "core", arguments)
    return core, run([sys.executable, "-m", "pyplay"], files, directory / "pyplay", arguments)


def run(command: list[str], files: Mapping[str, Any], directory: Path, arguments: Iterable[str]) -> Outcome:
    """Return the outcome of `site.yml`; the names of files are told as if the project lay in `@`."""
    write(directory, {"inventory.ini": LOCAL, "home/.keep": "", **files})
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("ANSIBLE_", "PYPLAY_"))}
    environment |= {
        "HOME": str(directory / "home"),
        "ANSIBLE_NOCOLOR": "1",
        "ANSIBLE_PYTHON_INTERPRETER": "/usr/bin/python3" if Path("/usr/bin/python3").exists() else sys.executable,
        "LC_ALL": "C.UTF-8",
    }
    done = subprocess.run(
        [*command, "-i", "inventory.ini", *arguments, "site.yml"],
        cwd=directory, env=environment, capture_output=True, text=True, timeout=300, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert "Traceback (most recent" not in done.stdout + done.stderr
    return parse(done.returncode, done.stdout.replace(str(directory), "@"))


def differences(core: Outcome, ours: Outcome) -> list[str]:
    """Return where the two runs differ, task by task, then in the recap and the exit code."""
    told: list[str] = []
    theirs, mine = core.tasks, ours.tasks
    for index in range(max(len(theirs), len(mine))):
        left = theirs[index] if index < len(theirs) else None
        right = mine[index] if index < len(mine) else None
        if left != right:
            told.append(f"core: {left}\nours: {right}")
    if core.recap != ours.recap or core.code != ours.code:
        told.append(f"core: {core.recap} {core.code}\nours: {ours.recap} {ours.code}")
    return told


def play(*tasks: Any, **keywords: Any) -> dict[str, Any]:
    """Return a play over host `a`, without facts."""
    return {"hosts": "a", "gather_facts": False, "tasks": list(tasks), **keywords}


def slug(text: str) -> str:
    """Return `text` as a name of a variable."""
    return re.sub(r"\W+", "_", text)
