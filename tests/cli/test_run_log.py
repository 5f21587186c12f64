"""The log of what is shown: its form, its levels, and that nothing secret stands in it."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pyplay.cli.run_log import RunLog

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conftest import CommandLine

HEAD = re.compile(
    r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} p=\d+ u=\S+ n=ansible (INFO|WARNING|ERROR)\| (.*)$", re.MULTILINE
)


@pytest.mark.parametrize(
    ("text", "level", "logged"),
    [
        ("\nPLAY [all] ***\n", "INFO", "PLAY [all] ***"),
        ("\x1b[0;32mok: [a]\x1b[0m\n", "INFO", "ok: [a]"),
        ("[WARNING]: beware\n", "WARNING", "[WARNING]: beware"),
        ("\x1b[1;35mwarning[x]\x1b[0m: beware\n", "WARNING", "warning[x]: beware"),
        ("[DEPRECATION WARNING]: old\n", "WARNING", "[DEPRECATION WARNING]: old"),
        ("error[x]: broken\n  --> a.yml:1\n", "ERROR", "error[x]: broken\n  --> a.yml:1"),
        ("[ERROR]: broken\n", "ERROR", "[ERROR]: broken"),
        ("the word is s3cret\n", "INFO", "the word is ***"),
    ],
)
def test_a_record(tmp_path: Path, text: str, level: str, logged: str) -> None:
    path, faults = tmp_path / "log", []
    log = RunLog(
        str(path),
        lambda text: text.replace("s3cret", "***"),
        lambda: datetime(2026, 1, 31, 2, 3, 4, 5678),  # noqa: DTZ001  # local
        on_fault=faults.append,
    )
    log.add(text)
    log.add("\n")
    written = path.read_text()
    assert written.startswith("2026-01-31 02:03:04,005 p=")
    assert written.endswith(f" n=ansible {level}| {logged}\n")


def test_a_run_is_logged_as_it_is_shown(pyplay: CommandLine) -> None:
    (pyplay.root / "run.log").write_text("before\n")
    done = pyplay.play(
        "- debug: {msg: hello}\n- fail: {msg: broken}\n- debug:", ANSIBLE_LOG_PATH="run.log", ANSIBLE_FORCE_COLOR="1"
    )
    log = (pyplay.root / "run.log").read_text()
    assert done.code == 2
    assert "\x1b[" in done.out
    assert "\x1b[" not in log
    assert log.startswith("before\n")
    records = HEAD.findall(log)
    assert [text.rstrip("* ") for _, text in records if text.startswith(("PLAY", "TASK"))] == [
        "PLAY [localhost]", "TASK [debug]", "TASK [fail]", "PLAY RECAP",
    ]  # fmt: skip
    assert ("INFO", "ok: [localhost] => {") in records
    assert any(level == "ERROR" and "broken" in text for level, text in records)


def test_faults_and_listings_are_logged(pyplay: CommandLine) -> None:
    pyplay.write({"bad.yml": "- hosts: localhost\n  tasks:\n    - debgu:\n"})
    assert pyplay("bad.yml", ANSIBLE_LOG_PATH="run.log").code == 4
    pyplay.play("- debug:", "--list-tasks", ANSIBLE_LOG_PATH="run.log")
    levels = dict(HEAD.findall((pyplay.root / "run.log").read_text()))
    assert levels["ERROR"] == "error[unknown-module]: there is no module 'debgu'"
    assert levels["INFO"] == "playbook: site.yml"


def test_a_vaulted_value_is_not_in_the_log(pyplay: CommandLine) -> None:
    pyplay.write({"word": "pw"})
    made = pyplay("vault", "encrypt_string", "--vault-password-file", "word", "s3cret-thing", "-n", "v")
    pyplay.write({"v.yml": made.out})
    done = pyplay.play(
        "- debug: {msg: 'x{{ v }}y'}", "-e", "@v.yml", "--vault-password-file", "word", ANSIBLE_LOG_PATH="run.log"
    )
    assert done.code == 0
    assert "s3cret-thing" not in (pyplay.root / "run.log").read_text()


def test_a_log_that_cannot_be_written_is_a_warning(pyplay: CommandLine) -> None:
    done = pyplay.play("- debug:", ANSIBLE_LOG_PATH="/nowhere/run.log")
    assert done.code == 0
    assert done.err.count("[WARNING]: no log is kept: cannot write /nowhere/run.log") == 1


FULL = {
    "log": {"ANSIBLE_LOG_PATH": "/dev/full"},
    "junit": {"ANSIBLE_CALLBACKS_ENABLED": "junit", "JUNIT_OUTPUT_DIR": "FULL"},
    "tree": {"ANSIBLE_CALLBACKS_ENABLED": "tree", "ANSIBLE_CALLBACK_TREE_DIR": "FULL"},
    "facts": {"ANSIBLE_CACHE_PLUGIN": "jsonfile", "ANSIBLE_CACHE_PLUGIN_CONNECTION": "FULL"},
    "retry files": {"ANSIBLE_RETRY_FILES_ENABLED": "1", "ANSIBLE_RETRY_FILES_SAVE_PATH": "FULL"},
}


@pytest.fixture
def full_disk(tmp_path: Path) -> Iterator[str]:
    """A directory on a disk without room."""
    disk = tmp_path / "full"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32k", "tmpfs", str(disk)], check=False)
    if mounted.returncode:
        pytest.skip("nothing may be mounted here")
    with contextlib.suppress(OSError):
        (disk / "fill").write_bytes(bytes(1 << 16))
    yield str(disk)
    subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to mount a small disk")
@pytest.mark.parametrize("kept", FULL)
def test_a_full_disk_ends_what_is_written_there_and_not_the_run(pyplay: CommandLine, full_disk: str, kept: str) -> None:
    environ = {name: full_disk if value == "FULL" else value for name, value in FULL[kept].items()}
    play = "- hosts: all\n  tasks:\n    - debug: {msg: one}\n    - fail:\n"
    pyplay.write({"site.yml": play})
    done = pyplay("-i", "a,b", "-c", "local", "site.yml", **environ)
    assert done.code == 2, done.err
    assert "PLAY RECAP" in done.out
    assert done.out.count("failed=1") == 2
    assert done.err.count("No space left on device") + done.out.count("No space left on device") == 1
    assert not list(Path(full_disk).glob(".*"))
