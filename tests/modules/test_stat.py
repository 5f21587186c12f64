"""stat: files that go away, or that cannot be read, while they are looked at."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING, Any

import pytest

from pyplay.remote.module_utils import files

if TYPE_CHECKING:
    from pathlib import Path

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
