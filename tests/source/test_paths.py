from __future__ import annotations

import os
from pathlib import Path

import pytest

from pyplay.source.paths import can_be_read, exists, is_dir, is_file, suffix


@pytest.mark.parametrize("name", ["x" * 5000, "a/" * 3000, "nul\0", "", "gone"])
def test_what_cannot_be_looked_at_is_not_there(name: str) -> None:
    assert (exists(name), is_file(name), is_dir(name), can_be_read(name)) == (False, False, False, False)


def test_what_is_there_is_told_apart(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    assert (exists(file), is_file(file), is_dir(file)) == (True, True, False)
    assert (exists(str(tmp_path)), is_file(str(tmp_path)), is_dir(str(tmp_path))) == (True, False, True)


@pytest.mark.parametrize("path", ["a.yml", "a/b.c/d", "a.tar.gz", ".hidden", ".hidden.yml", "a.", ""])
def test_the_extension_is_what_pathlib_gives(path: str) -> None:
    assert suffix(path) == Path(path).suffix == suffix(Path(path))


def test_files_and_pipes_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    os.mkfifo(tmp_path / "pipe")
    found = [can_be_read(tmp_path / name) for name in ("file", "pipe", ".")]
    assert found == [True, True, False]
