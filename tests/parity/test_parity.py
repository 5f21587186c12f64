"""The same playbook through ansible-core and through pyplay: same tasks, results, recap, exit code and files.

A case is a directory under `cases/` with `site.yml`, optionally `inventory.ini`, roles, files, and `arguments` (one
command line per line, each run in turn in the same directory), `ignored` (keys of results that are not compared).
Files that a case writes go to `work/`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from module_cases import kinder
from outcome import Outcome, parse

CASES = Path(__file__).parent / "cases"
INVENTORY = "a ansible_connection=local\nb ansible_connection=local\nc ansible_connection=local\n[pair]\na\nb\n"
ORACLE = os.environ.get("PYPLAY_ORACLE")

pytestmark = [
    pytest.mark.parity,
    pytest.mark.skipif(not ORACLE, reason="PYPLAY_ORACLE names no directory with ansible-playbook"),
]


def prepare(case: Path, target: Path) -> None:
    shutil.copytree(case, target)
    (target / "work").mkdir()
    (target / "home").mkdir()
    if not (target / "inventory.ini").exists():
        (target / "inventory.ini").write_text(INVENTORY)


def run(command: list[str], directory: Path, arguments: list[str]) -> Outcome:
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("ANSIBLE_", "PYPLAY_"))}
    environment |= {
        "HOME": str(directory / "home"),
        "ANSIBLE_NOCOLOR": "1",
        "ANSIBLE_PYTHON_INTERPRETER": "/usr/bin/python3" if Path("/usr/bin/python3").exists() else sys.executable,
        "LC_ALL": "C.UTF-8",
    }
    done = subprocess.run(
        [*command, "-i", "inventory.ini", *arguments, "site.yml"],
        cwd=directory, env=environment, capture_output=True, text=True, timeout=180, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    outcome = parse(done.returncode, done.stdout)
    outcome.tasks = [(name, entries) for name, entries in outcome.tasks if entries or not name.endswith("TASK meta")]
    assert "Traceback (most recent" not in done.stdout + done.stderr
    return outcome


def without(value: Any, keys: set[str]) -> Any:
    """Give results without the keys that a case does not compare."""
    if isinstance(value, dict):
        return {key: without(each, keys) for key, each in value.items() if key not in keys}
    if isinstance(value, (list, tuple)):
        return type(value)(without(each, keys) for each in value)
    return value


def as_much_as(expected: list[Any], actual: list[Any]) -> list[Any]:
    """Give the tasks of a run in check mode without what our results tell beyond ansible-core's."""
    return [
        (
            name,
            [(*mine[:-1], kinder(mine[-1], theirs[-1], "_check_")) for mine, theirs in zip(ours, entries, strict=True)],
        )
        if len(ours) == len(entries)
        else (name, ours)
        for (name, ours), (_, entries) in zip(actual, expected, strict=False)
    ] + actual[len(expected) :]


def files(directory: Path) -> dict[str, tuple[int, bytes]]:
    found = {}
    for path in sorted((directory / "work").rglob("*")):
        if path.is_symlink():
            found[str(path.relative_to(directory))] = (0, str(path.readlink()).encode())
        elif path.is_file():
            found[str(path.relative_to(directory))] = (
                path.stat().st_mode & 0o7777,
                path.read_bytes().replace(str(directory).encode(), b"@"),
            )
        else:
            found[str(path.relative_to(directory))] = (path.stat().st_mode & 0o7777, b"")
    return found


def command_lines(case: Path) -> list[list[str]]:
    listed = case / "arguments"
    return [line.split() for line in listed.read_text().splitlines()] if listed.exists() else [[]]


@pytest.mark.parametrize("case", sorted(p for p in CASES.iterdir() if p.is_dir()), ids=lambda p: p.name)
def test_pyplay_does_what_ansible_core_does(case: Path, tmp_path: Path) -> None:
    theirs, ours = tmp_path / "core", tmp_path / "pyplay"
    prepare(case, theirs)
    prepare(case, ours)
    ignored = set((case / "ignored").read_text().split()) if (case / "ignored").exists() else set()
    for arguments in command_lines(case):
        expected = run([f"{ORACLE}/ansible-playbook"], theirs, arguments)
        actual = run([sys.executable, "-m", "pyplay"], ours, arguments)
        assert expected.tasks or any(word.startswith("--list") for word in arguments), "the case runs nothing"
        rename = lambda tasks: [(n, eval(repr(e).replace(str(theirs), "@").replace(str(ours), "@"))) for n, e in tasks]  # noqa: E731
        found, wanted = without(rename(actual.tasks), ignored), without(rename(expected.tasks), ignored)
        assert (as_much_as(wanted, found) if "--check" in arguments else found) == wanted
        assert actual.recap == expected.recap
        assert actual.code == expected.code
        assert files(ours) == files(theirs)
