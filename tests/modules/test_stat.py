"""stat: files that go away, or that cannot be read, while they are looked at, and what has no content."""

from __future__ import annotations

import errno
import os
import shutil
import socket
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pyplay.remote.module_utils import files

if TYPE_CHECKING:
    from conftest import RunModule


@pytest.mark.parametrize("where", [(os, "readlink"), (files, "checksum")], ids=["link", "content"])
@pytest.mark.parametrize("number", [errno.EACCES, errno.EIO, errno.ENOENT])
def test_a_fault_after_the_first_look_is_told(
    module: RunModule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: tuple[Any, str], number: int
) -> None:
    path = tmp_path / "f"
    if where[0] is os:
        path.symlink_to("elsewhere")
    else:
        path.write_text("x")

    def refuse(*_: Any, **__: Any) -> None:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch:
        patch.setattr(*where, refuse)
        result = module("stat", path=path)
    if number == errno.ENOENT:
        assert result["stat"] == {"exists": False}
    else:
        assert result["failed"]
        assert result["msg"] == f"cannot look at {path}: {os.strerror(number)}"


def without_content(folder: Path) -> list[Path]:
    """Make one of each that has no content."""
    (folder / "directory").mkdir()
    (folder / "link").symlink_to("directory")
    (folder / "nowhere").symlink_to("missing")
    os.mkfifo(folder / "pipe")
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(folder / "socket"))
    return [*sorted(folder.iterdir()), Path("/dev/null")]


@pytest.mark.skipif(shutil.which("file") is None, reason="there is no program file")
def test_what_has_no_content_is_told_as_file_tells_it(module: RunModule, tmp_path: Path) -> None:
    for path in without_content(tmp_path):
        for follow in (False, True) if path.exists() else (False,):
            words = ["file", "-b", "--mime-type", "--mime-encoding", *(["-L"] if follow else []), "--", str(path)]
            said = subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
            known = module("stat", path=path, follow=follow)["stat"]
            told = f"{known['mimetype']}; charset={known['charset']}"
            assert told == (said if "charset" in said else "unknown; charset=unknown")
