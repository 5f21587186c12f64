"""Archives of providers: what a zip file holds, read as Terraform reads it, and what in it is refused.

Names are taken as the bytes that stand in the file, whatever the archive says of their encoding.
Source: PKWARE's APPNOTE, sections 4.3 and 4.4.
"""

from __future__ import annotations

import hashlib
import zipfile
import zlib
from typing import TYPE_CHECKING

from pyplay.content.faults import ContentError
from pyplay.diagnostics.dataclass import dataclass

if TYPE_CHECKING:
    from pathlib import Path

MAX_FILES = 200_000
MAX_BYTES = 4 << 30
_CHUNK = 1 << 18
_UTF8 = 0x800
_UNPACKED_BY_CLIENTS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_DAMAGED = (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, RuntimeError, ValueError, OverflowError)


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of an archive. The name of a directory ends in a slash."""

    name: bytes
    sha256: str


def read_entries(path: Path, *, max_bytes: int = MAX_BYTES, max_files: int = MAX_FILES) -> list[Entry]:
    """Return the entries of the archive at `path`, in their order there.

    Of entries with the same name each has the content of the last, as Terraform reads them. Raise ContentError for a
    file that is no whole zip, or too large unpacked.
    """
    with path.open("rb") as stream:
        try:
            with zipfile.ZipFile(stream) as archive:
                return _entries(archive, path, max_bytes, max_files)
        except _DAMAGED as error:
            raise _unusable(path, str(error) or "it ends too early") from error
        except OSError as error:
            if error.filename is not None:
                raise
            raise _unusable(path, error.strerror or str(error)) from error


def check_names(path: Path, entries: list[Entry], type_: str) -> None:
    """Raise ContentError for names that clients refuse or that harm them, and for an archive without its program."""
    seen: set[bytes] = set()
    for entry in entries:
        name = entry.name
        if name.startswith(b"/") or b".." in name.split(b"/"):
            raise _refused(path, name, "would leave the directory")
        if b"\\" in name or any(byte < 32 for byte in name):
            raise _refused(path, name, "has a control character or a backslash in its name")
        if name in seen:
            raise _refused(path, name, "is there twice")
        seen.add(name)
    program = f"terraform-provider-{type_}"
    if not any(_is_program(name, program.encode()) for name in seen):
        raise ContentError.of(
            "bad-archive", f"{path} holds no program whose name begins with {program}",
            help="clients look for it at the top of the archive: pack it there",
        )  # fmt: skip


def has_directories(entries: list[Entry]) -> bool:
    """Whether directories are entries of their own: hashes of such an archive and of its files differ."""
    return any(entry.name.endswith(b"/") for entry in entries)


def _entries(archive: zipfile.ZipFile, path: Path, max_bytes: int, max_files: int) -> list[Entry]:
    infos = archive.infolist()
    if len(infos) > max_files:
        raise _unusable(path, f"it holds more than {max_files} files")
    if sum(info.file_size for info in infos) > max_bytes:
        raise _unusable(path, f"its files have more than {max_bytes >> 20} MB")
    last = {_name(info): info for info in infos}
    contents = {name: _content(archive, info, path) for name, info in last.items()}
    return [Entry(_name(info), contents[_name(info)]) for info in infos]


def _name(info: zipfile.ZipInfo) -> bytes:
    return info.orig_filename.encode("utf-8" if info.flag_bits & _UTF8 else "cp437")


def _content(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: Path) -> str:
    if info.compress_type not in _UNPACKED_BY_CLIENTS:
        raise _unusable(path, f"{info.filename!r} is compressed in a way that Terraform cannot unpack")
    digest = hashlib.sha256()
    with archive.open(info) as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _is_program(name: bytes, program: bytes) -> bool:
    return name.startswith(program) and b"/" not in name


def _unusable(path: Path, why: str) -> ContentError:
    return ContentError.of("bad-archive", f"{path} is no usable zip: {why}", help="get it again, or pack it anew")


def _refused(path: Path, name: bytes, why: str) -> ContentError:
    message = f"{path} is refused: {name.decode(errors='replace')!r} {why}"
    return ContentError.of("hostile-archive", message, help="do not publish this archive; tell its author")
