"""Unpacking archives that somebody else made: what would leave the directory, or replace a file, is named and refused.

Links are made last, so nothing is ever written through one.
"""

from __future__ import annotations

import os
import posixpath
import tarfile
from typing import TYPE_CHECKING

from pyplay.content.faults import ContentError

if TYPE_CHECKING:
    from pathlib import Path

MAX_FILES = 200_000
MAX_BYTES = 4 << 30
_CHUNK = 1 << 20


def unpack(archive: Path, directory: Path, *, max_bytes: int = MAX_BYTES, max_files: int = MAX_FILES) -> None:
    """Unpack the tar file `archive` into the new directory `directory`. Raise ContentError for what is refused."""
    directory.mkdir(parents=True)
    try:
        with tarfile.open(archive, "r|*") as tar:
            _Unpacking(archive.name, directory, max_bytes, max_files).all(tar)
    except (tarfile.TarError, EOFError, UnicodeError, ValueError) as error:
        raise ContentError.of(
            "bad-archive", f"{archive.name} is no whole tar archive: {error}", help="download or build it again"
        ) from error
    except OSError as error:
        if error.errno is not None and error.filename is not None:
            raise
        message = f"{archive.name} cannot be unpacked: {error.strerror or error}"
        raise ContentError.of("bad-archive", message, help="download it again, or make room on the disk") from error


class _Unpacking:
    def __init__(self, name: str, root: Path, max_bytes: int, max_files: int) -> None:
        self._name, self._root = name, root
        self._left, self._files_left = max_bytes, max_files
        self._seen: dict[str, tuple[str, bool]] = {}
        self._files: set[str] = set()
        self._links: list[tuple[str, str]] = []

    def all(self, tar: tarfile.TarFile) -> None:
        for member in tar:
            name = self._safe_name(member)
            if name == ".":
                continue
            self._count(member)
            self._claim(name, member)
            path = self._root / name
            if member.isdir():
                path.mkdir(parents=True, exist_ok=True)
            elif member.issym():
                self._links.append((name, self._safe_target(name, member.linkname)))
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                self._write(tar, member, path)
        for name, target in self._links:
            path = self._root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.symlink_to(target)
        self._check_links()

    def _write(self, tar: tarfile.TarFile, member: tarfile.TarInfo, path: Path) -> None:
        source = tar.extractfile(member)
        mode = 0o755 if member.mode & 0o111 else 0o644
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
        with open(descriptor, "wb") as target:  # noqa: PTH123  # an open descriptor
            while source is not None and (chunk := source.read(_CHUNK)):
                target.write(chunk)

    def _safe_name(self, member: tarfile.TarInfo) -> str:
        name = member.name
        if not (member.isreg() or member.isdir() or member.issym()):
            raise self._refused(name, "is no file, directory or symbolic link")
        if name.startswith("/"):
            raise self._refused(name, "has an absolute name")
        if any(ord(character) < 32 for character in name) or "\\" in name:
            raise self._refused(name, "has a control character or a backslash in its name")
        if ".." in name.split("/"):
            raise self._refused(name, "would leave the directory")
        return posixpath.normpath(name)

    def _safe_target(self, name: str, target: str) -> str:
        way = posixpath.normpath(posixpath.join(posixpath.dirname(name), target))
        if target.startswith("/") or way == ".." or way.startswith("../"):
            raise self._refused(name, f"is a link that leads out, to {target!r}")
        return target

    def _check_links(self) -> None:
        """Raise for links that lead out over other links."""
        root = os.path.realpath(self._root)
        for name, target in self._links:
            real = os.path.realpath(self._root / name)
            if real != root and not real.startswith(root + os.sep):
                raise self._refused(name, f"is a link that leads out, to {target!r}")

    def _count(self, member: tarfile.TarInfo) -> None:
        self._left -= member.size
        self._files_left -= 1
        if self._left < 0:
            raise self._refused(member.name, "makes the archive too large unpacked")
        if self._files_left < 0:
            raise self._refused(member.name, "is one file too many")

    def _claim(self, name: str, member: tarfile.TarInfo) -> None:
        """Raise if `name`, or a directory on its way, is there already as something else, or in another case."""
        parts = name.split("/")
        for end in range(1, len(parts) + 1):
            way = "/".join(parts[:end])
            is_directory = end < len(parts) or member.isdir()
            before, was_directory = self._seen.setdefault(way.casefold(), (way, is_directory))
            if before != way:
                raise self._refused(name, f"differs from {before!r} in case alone")
            if was_directory != is_directory:
                raise self._refused(name, f"needs {way!r} as a file and as a directory")
        if not member.isdir():
            if name in self._files:
                raise self._refused(name, "is there twice")
            self._files.add(name)

    def _refused(self, member: str, why: str) -> ContentError:
        message = f"{self._name} is refused: {member!r} {why}"
        return ContentError.of("hostile-archive", message, help="do not use this archive; tell its author")
