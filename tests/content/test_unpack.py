from __future__ import annotations

import io
import tarfile
from typing import TYPE_CHECKING

import pytest

from pyplay.content.faults import ContentError
from pyplay.content.unpack import unpack

if TYPE_CHECKING:
    from pathlib import Path


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname = kind, link
    made.size = 2 if kind == tarfile.REGTYPE else 0
    return made


def archive(path: Path, members: list[tarfile.TarInfo]) -> Path:
    with tarfile.open(path, "w:gz") as tar:
        for each in members:
            tar.addfile(each, io.BytesIO(b"hi") if each.size else None)
    return path


SYM, HARD = tarfile.SYMTYPE, tarfile.LNKTYPE
HOSTILE = [
    pytest.param([member("/etc/x")], "has an absolute name", id="absolute"),
    pytest.param([member("../x")], "would leave", id="up"),
    pytest.param([member("a/../../x")], "would leave", id="up inside"),
    pytest.param([member("a\\b")], "backslash", id="backslash"),
    pytest.param([member("a\nb")], "control character", id="newline"),
    pytest.param([member("a", SYM, "/etc/passwd")], "leads out", id="link to an absolute name"),
    pytest.param([member("d/a", SYM, "../../x")], "leads out", id="link up"),
    pytest.param([member("a", SYM, "b/.."), member("b", SYM, "../x")], "leads out", id="link over a link"),
    pytest.param([member("d", SYM, "."), member("d/x")], "as a file and as a directory", id="file through a link"),
    pytest.param([member("a", HARD, "b")], "is no file", id="hard link"),
    pytest.param([member("a", tarfile.CHRTYPE)], "is no file", id="device"),
    pytest.param([member("a", tarfile.FIFOTYPE)], "is no file", id="fifo"),
    pytest.param([member("a"), member("a")], "twice", id="twice"),
    pytest.param([member("a"), member("./a")], "twice", id="twice, written differently"),
    pytest.param([member("a/X"), member("a/x")], "in case alone", id="case"),
    pytest.param([member("A/x"), member("a/y")], "in case alone", id="case of a directory"),
    pytest.param([member("a"), member("a/b")], "as a file and as a directory", id="file and directory"),
]


@pytest.mark.parametrize(("members", "why"), HOSTILE)
def test_a_hostile_archive_is_refused_and_writes_nothing_outside(
    tmp_path: Path, members: list[tarfile.TarInfo], why: str
) -> None:
    source = archive(tmp_path / "x.tar.gz", members)
    with pytest.raises(ContentError, match=why) as caught:
        unpack(source, tmp_path / "in" / "out")
    assert "x.tar.gz" in str(caught.value)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "x.tar.gz"]
    assert [path.name for path in (tmp_path / "in").iterdir()] == ["out"]


@pytest.mark.parametrize(("limits", "why"), [({"max_bytes": 3}, "too large"), ({"max_files": 1}, "too many")])
def test_sizes_are_bounded(tmp_path: Path, limits: dict[str, int], why: str) -> None:
    source = archive(tmp_path / "x.tar.gz", [member("a"), member("b")])
    with pytest.raises(ContentError, match=why):
        unpack(source, tmp_path / "out", **limits)


def test_a_cut_archive_is_told(tmp_path: Path) -> None:
    source = archive(tmp_path / "x.tar.gz", [member("a"), member("b")])
    source.write_bytes(source.read_bytes()[: source.stat().st_size // 2])
    with pytest.raises(ContentError, match="no whole tar archive"):
        unpack(source, tmp_path / "out")


def test_links_inside_and_modes_are_kept(tmp_path: Path) -> None:
    runs = member("bin/run")
    runs.mode = 0o4755
    unpack(archive(tmp_path / "x.tar", [runs, member("bin/go", SYM, "run")]), tmp_path / "out")
    assert (tmp_path / "out/bin/go").readlink().name == "run"
    assert (tmp_path / "out/bin/run").stat().st_mode & 0o7777 == 0o755
