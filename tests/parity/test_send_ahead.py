"""The parity cases on one host over SSH, with tasks sent ahead and without: output, exit code and files are the same."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
CASES = Path(__file__).parent / "cases"
CHOSEN = (
    "conditions",
    "ended_while_failing",
    "files",
    "flow",
    "handlers",
    "includes",
    "late_faults",
    "loops",
    "modules-commands",
    "modules-edit",
    "modules-files",
    "precedence",
    "roles",
)
TIMES = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+|\d:\d\d:\d\d\.\d+|\d{10}\.\d+|(?<=\D)1\d{9}(?=\D)")
NUMBERS = re.compile(r'"(inode|version|ansible_job_id|results_file|backup_file|src)": "?[^",]*"?')
MADE = re.compile(r"ansible-tmp-[\w.-]+|\.ansible_tmp\w+|tmp\w{8}|\.\d+\.\d{4}-\d\d-\d\d@[\d:]+~")


@pytest.fixture(scope="module")
def variables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Give the variables that reach an SSH server which lasts as long as the module's tests."""
    directory = tmp_path_factory.mktemp("hosts")
    command = [sys.executable, str(ROOT / "examples/embedded_hosts.py"), "--hosts", "1", "--dir", str(directory)]
    with subprocess.Popen([*command, "--until-eof"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as hosts:
        assert hosts.stdout is not None
        assert hosts.stdout.readline().strip() == "ready"
        text = (directory / "inventory.ini").read_text()
        line = next(line for line in text.splitlines() if "ansible_port" in line)
        yield line.partition(" ")[2] + "\n" + text.partition("[all:vars]")[2]
        assert hosts.stdin is not None
        hosts.stdin.close()


def run(case: Path, directory: Path, variables: str, *, ahead: bool) -> list[str]:
    """Run a case's command lines; give what they printed, without what two runs never share."""
    shutil.copytree(case, directory)
    for name in ("work", "home"):
        (directory / name).mkdir()
    own, _, common = variables.partition("\n")
    (directory / "inventory.ini").write_text(f"a {own}\n[pair]\na\n[all:vars]{common}\n")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ANSIBLE_", "PYPLAY_"))}
    kept |= {"HOME": str(directory / "home"), "PYPLAY_SEND_AHEAD": str(int(ahead)), "ANSIBLE_NOCOLOR": "1"}
    kept |= {"ANSIBLE_PYTHON_INTERPRETER": "/usr/bin/python3", "PYPLAY_WORK": str(directory), "ANSIBLE_VERBOSITY": "1"}
    listed = case / "arguments"
    lines = [line.split() for line in listed.read_text().splitlines()] if listed.exists() else [[]]
    told: list[str] = []
    for arguments in lines:
        command = [sys.executable, "-m", "pyplay", "-i", "inventory.ini", *arguments, "site.yml"]
        done = subprocess.run(
            command, cwd=directory, env=kept, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
        )
        text = done.stdout + done.stderr + str(done.returncode)
        told.append(MADE.sub("", NUMBERS.sub("", TIMES.sub("", text.replace(str(directory), "@")))))
    return told


def files(directory: Path) -> dict[str, tuple[int, bytes]]:
    """Give what a case has left behind."""
    found: dict[str, tuple[int, bytes]] = {}
    for path in sorted((directory / "work").rglob("*")):
        content = path.read_bytes().replace(str(directory).encode(), b"@") if path.is_file() else b""
        found[MADE.sub("", str(path.relative_to(directory)))] = (path.lstat().st_mode, content)
    return found


@pytest.mark.parametrize("name", CHOSEN)
def test_a_case_is_the_same_with_and_without(name: str, variables: str, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    without, on = tmp_path / "a" / "case", tmp_path / "b" / "case"
    expected = run(CASES / name, without, variables, ahead=False)
    assert run(CASES / name, on, variables, ahead=True) == expected
    assert "ok=" in expected[0]
    assert files(on) == files(without)
