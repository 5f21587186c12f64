"""What dnf is told, and how long it is waited for; small programs play dnf and rpm."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from pyplay.remote.module_utils import dnf

if TYPE_CHECKING:
    from pathlib import Path

    from tests.modules.conftest import RunModule

PROGRAMS = ("dnf", "dnf5")
DOWNGRADE = """case "$*" in *--assumeno*) cat <<'END'
Package Arch Version Repository Size
Downgrading:
 a noarch 1-1 r 1 k
Transaction Summary
END
;; esac
"""


class Clock:
    """A clock that goes on only while one sleeps."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the directory of programs, in which rpm knows no package."""
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("LOG", str(tmp_path / "log"))
    (tmp_path / "log").touch()
    play(tmp_path, "rpm", "exit 1")
    return tmp_path


def play(folder: Path, name: str, text: str) -> None:
    """Put a program into the place of another; it notes what it is told."""
    (folder / name).write_text(f'#!/bin/sh\necho "{name} $*" >> $LOG\n{text}\n')
    (folder / name).chmod(0o755)


def told(folder: Path, name: str) -> list[str]:
    """Give what a program was told."""
    return [line for line in (folder / "log").read_text().splitlines() if line.startswith(f"{name} ")]


@pytest.mark.parametrize(("options", "attempts"), [({}, 31), ({"lock_timeout": 3}, 4)])
@pytest.mark.parametrize("name", PROGRAMS)
def test_how_long_another_package_manager_is_waited_for(
    module: RunModule, folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, options: dict[str, Any], attempts: int
) -> None:
    monkeypatch.setattr(dnf, "time", Clock())
    play(folder, name, "echo 'cannot take the transaction lock' >&2; exit 1")
    assert module(name, name=["a"], **options)["failed"] is True
    assert len(told(folder, name)) == attempts


@pytest.mark.parametrize("name", PROGRAMS)
def test_updates_that_mend_faults_alone(module: RunModule, folder: Path, name: str) -> None:
    play(folder, name, "echo Nothing to do.")
    module(name, name=["*"], state="latest", bugfix=True)
    assert any("upgrade --bugfix" in line for line in told(folder, name))
    (folder / "log").write_text("")
    module(name, name=["*"], state="latest")
    assert not any("--bugfix" in line for line in told(folder, name))


@pytest.mark.parametrize(("options", "installs"), [({}, False), ({"allow_downgrade": True}, True)])
@pytest.mark.parametrize("name", PROGRAMS)
def test_an_older_version_must_be_allowed(
    module: RunModule, folder: Path, name: str, options: dict[str, Any], *, installs: bool
) -> None:
    play(folder, "rpm", 'case "$*" in "-q a "*) echo a-2-1.noarch;; *) exit 1;; esac')
    play(folder, name, DOWNGRADE)
    module(name, name=["a-1"], **options)
    assert any("install a-1" in line and "--assumeno" not in line for line in told(folder, name)) is installs


@pytest.mark.parametrize("name", PROGRAMS)
def test_repositories_are_listed(module: RunModule, folder: Path, name: str) -> None:
    play(folder, name, "printf 'repo id   repo name\\nbase      Base\\nmore      More\\n'")
    result = module(name, list="repos")
    assert result["results"] == [{"repoid": each, "state": "enabled"} for each in ("base", "more")]
