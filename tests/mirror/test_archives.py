"""Archives of providers: names as they stand in the file, what is damaged, what clients or we refuse."""

from __future__ import annotations

import base64
import hashlib
import io
import random
import struct
import warnings
import zipfile
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyplay.content.faults import ContentError
from pyplay.mirror.address import read_address, read_archive_name
from pyplay.mirror.archives import read_entries
from pyplay.mirror.hashes import archive_hashes
from pyplay.mirror.layout import Layout, Source

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = ("terraform-provider-demo_v1.0.0", b"#!/bin/sh\n")
METHODS = {
    "stored": zipfile.ZIP_STORED,
    "deflated": zipfile.ZIP_DEFLATED,
    "bzip2": zipfile.ZIP_BZIP2,
    "lzma": zipfile.ZIP_LZMA,
}
Files = list[tuple[str, bytes]]


def packed(files: Files, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the same name twice
        for name, content in files:
            entry = zipfile.ZipInfo(name)
            entry.external_attr, entry.compress_type = 0o755 << 16, method
            archive.writestr(entry, content)
    return stream.getvalue()


def without_utf8_flag(archive: bytes) -> bytes:
    changed = bytearray(archive)
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = changed.find(signature)
        while at >= 0:
            (flags,) = struct.unpack_from("<H", changed, at + offset)
            struct.pack_into("<H", changed, at + offset, flags & ~0x800)
            at = changed.find(signature, at + 4)
    return bytes(changed)


def h1(files: Files) -> str:
    lines = sorted((name.encode(), hashlib.sha256(content).hexdigest()) for name, content in files)
    text = b"".join(digest.encode() + b"  " + name + b"\n" for name, digest in lines)
    return "h1:" + base64.b64encode(hashlib.sha256(text).digest()).decode()


@pytest.mark.parametrize(
    ("files", "counted"),
    [
        ([("docs/", b""), ("docs/a", b"x")], [("docs/", b""), ("docs/a", b"x")]),
        ([("a", b"1"), ("a", b"2")], [("a", b"2"), ("a", b"2")]),
        ([("ä.md", b"x"), ("z", b"y"), ("Z", b"y")], [("ä.md", b"x"), ("z", b"y"), ("Z", b"y")]),
        ([("d\\x", b"x")], [("d\\x", b"x")]),
    ],
    ids=["a directory of its own", "one name twice", "beyond ASCII", "a backslash"],
)
@pytest.mark.parametrize("flagged", [True, False])
def test_h1_is_what_terraform_computes(tmp_path: Path, files: Files, counted: Files, *, flagged: bool) -> None:
    """Seen with 0.13 and 0.15: they install by these hashes alone."""
    archive = packed([*files, PROGRAM])
    (tmp_path / "one.zip").write_bytes(archive if flagged else without_utf8_flag(archive))
    assert archive_hashes(tmp_path / "one.zip")[0] == h1([*counted, PROGRAM])


@given(st.dictionaries(st.text("aZ.-é/ ", min_size=1).filter(lambda name: name.strip("/")), st.binary(), max_size=6))
@settings(max_examples=40, deadline=None)
def test_h1_does_not_depend_on_how_files_are_packed(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes]
) -> None:
    path = tmp_path_factory.mktemp("any") / "one.zip"
    expected = h1(list(files.items()))
    for order in (list(files.items()), list(reversed(files.items()))):
        for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            path.write_bytes(packed(order, method))
            assert archive_hashes(path)[0] == expected


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_a_damaged_archive_is_told_in_one_line(tmp_path: Path, method: int) -> None:
    chance = random.Random(method)
    whole = packed([PROGRAM, ("docs/ä.md", chance.randbytes(300)), ("LICENSE", b"MIT\n" * 50)], method)
    path = tmp_path / "one.zip"
    told: list[str] = []
    for _ in range(300):
        damaged = bytearray(whole)
        for _ in range(chance.choice((1, 2, 5))):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        path.write_bytes(damaged[: chance.randrange(len(damaged))] if chance.random() < 0.1 else damaged)
        try:
            archive_hashes(path)
        except ContentError as error:
            told.append(str(error))
    assert all(str(path) in line for line in told)
    assert len(told) > 200  # the rest hit what no reader looks at, such as times


@pytest.mark.parametrize("method", ["bzip2", "lzma"])
def test_what_terraform_cannot_unpack_is_refused(tmp_path: Path, method: str) -> None:
    (tmp_path / "one.zip").write_bytes(packed([PROGRAM], METHODS[method]))
    with pytest.raises(ContentError, match="Terraform cannot unpack"):
        read_entries(tmp_path / "one.zip")


def test_what_is_too_large_unpacked_is_refused_unread(tmp_path: Path) -> None:
    (tmp_path / "one.zip").write_bytes(packed([PROGRAM, ("zeros", bytes(2 << 20))]))
    with pytest.raises(ContentError, match="more than 1 MB"):
        read_entries(tmp_path / "one.zip", max_bytes=1 << 20)
    with pytest.raises(ContentError, match="more than 1 files"):
        read_entries(tmp_path / "one.zip", max_files=1)


def publish(root: Path, archive: bytes) -> list[str]:
    said: list[str] = []
    path = root / "terraform-provider-demo_1.0.0_linux_amd64.zip"
    path.write_bytes(archive)
    name = read_archive_name(path.name)
    assert name is not None
    Layout(root / "mirror").publish([Source(read_address("example.com/acme/demo"), name, path)], said.append)
    return said


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("../evil", "would leave"), ("a/../../evil", "would leave"), ("/etc/evil", "would leave"),
        ("a\\..\\evil", "backslash"), ("a\x1bb", "control character"), ("a\nb", "control character"), ("LICENSE", "twice"),
    ],
)  # fmt: skip
def test_harmful_names_are_not_published(tmp_path: Path, name: str, why: str) -> None:
    with pytest.raises(ContentError, match=why):
        publish(tmp_path, packed([PROGRAM, ("LICENSE", b""), (name, b"x")]))
    assert not list((tmp_path / "mirror").rglob("*.zip"))
    assert not list((tmp_path / "mirror").rglob("*.json"))


@pytest.mark.parametrize(
    "files", [[], [("LICENSE", b"")], [("bin/" + PROGRAM[0], b"")], [("terraform-provider-other", b"")]]
)
def test_an_archive_without_its_program_is_not_published(tmp_path: Path, files: Files) -> None:
    with pytest.raises(ContentError, match="holds no program whose name begins with terraform-provider-demo"):
        publish(tmp_path, packed(files))


def test_directories_of_their_own_are_warned_of(tmp_path: Path) -> None:
    said = publish(tmp_path, packed([PROGRAM, ("docs/", b""), ("docs/a", b"x")]))
    assert [line for line in said if line.startswith("warning: ") and "zip -D" in line]
