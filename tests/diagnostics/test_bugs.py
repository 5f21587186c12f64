"""Last words: bugs name their report, refusals of the system are no bugs, and saying it never fails itself."""

from __future__ import annotations

import errno
import os
import tempfile
from typing import TYPE_CHECKING

import pytest

from pyplay.diagnostics.bugs import is_refusal, last_words

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("number", [errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.ENOMEM])
def test_what_the_system_refuses_is_no_bug(number: int) -> None:
    message, help_ = last_words(OSError(number, os.strerror(number)))
    assert message == f"the system refuses what pyplay needs: {os.strerror(number)}"
    assert "ulimit" in help_


def test_no_memory_is_a_refusal_too() -> None:
    assert is_refusal(MemoryError())
    assert "no memory is left" in last_words(MemoryError())[0]


def test_a_bug_goes_to_a_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    message, help_ = last_words(FileNotFoundError(errno.ENOENT, "nothing there"))
    (report,) = tmp_path.iterdir()
    assert message == "pyplay has a bug: FileNotFoundError: [Errno 2] nothing there"
    assert f"report it with the file {report}" in help_
    assert "FileNotFoundError" in report.read_text()


def test_a_bug_is_told_where_no_report_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    message, help_ = last_words(KeyError("x"))
    assert message == "pyplay has a bug: KeyError: 'x'"
    assert help_.startswith("please report it; the file with all about it could not be written: ")
