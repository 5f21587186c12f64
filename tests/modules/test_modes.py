"""File modes: what chmod(1) makes of the same words is the measure."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from pyplay.remote.module_utils.modes import ModeError, parse_mode, spell_mode

if TYPE_CHECKING:
    from pathlib import Path

SYMBOLIC = [
    "u=rwx", "u=rw,g=r,o=", "a+x", "+x", "+w", "-w", "=r", "go-rwx", "u+s", "g+s", "u=rwxs", "+t", "o+t", "a=rX",
    "u+x,g+X", "g=u", "o=g", "ug+rw,o-rwx", "a-x,a+X", "u=", "ugo=rw", "u+rw-x", "g=u-w",
]  # fmt: skip


@pytest.mark.parametrize("start", [0o644, 0o755, 0o000, 0o4750, 0o777])
@pytest.mark.parametrize("text", SYMBOLIC)
def test_symbolic_modes_are_those_of_chmod(tmp_path: Path, text: str, start: int) -> None:
    path = tmp_path / "f"
    path.touch()
    path.chmod(start)
    subprocess.run(["sh", "-c", f"umask 022; chmod -- {text} {path}"], check=True, capture_output=True)
    assert spell_mode(parse_mode(text, start, directory=False, umask=0o022)) == spell_mode(path.stat().st_mode)


@pytest.mark.parametrize("text", ["u=rwX,g=rX", "a-x+X", "g-s", "u=rwx", "=rx"])
def test_symbolic_modes_of_directories(tmp_path: Path, text: str) -> None:
    for start in (0o755, 0o2775, 0o700):
        tmp_path.chmod(start)
        subprocess.run(["sh", "-c", f"umask 022; chmod -- {text} {tmp_path}"], check=True, capture_output=True)
        assert spell_mode(parse_mode(text, start, directory=True, umask=0o022)) == spell_mode(tmp_path.stat().st_mode)


@pytest.mark.parametrize(
    ("value", "mode"), [("0644", 0o644), ("644", 0o644), ("01777", 0o1777), (0o755, 0o755), ("0o600", 0o600)]
)
def test_octal_modes(value: str | int, mode: int) -> None:
    assert parse_mode(value, 0, directory=False) == mode


@pytest.mark.parametrize("value", ["bad", "u=q", "", "0888", 0o10000, -1, None, "u=rw,", True])
def test_what_is_no_mode(value: object) -> None:
    with pytest.raises(ModeError):
        parse_mode(value, 0o644, directory=False)
