"""Hashes of archives of providers: `h1:` of the names and contents of the files within, `zh:` of the archive itself.

Source: the provider network mirror protocol; Terraform's documentation of its lock file.
"""

from __future__ import annotations

import hashlib
import zipfile
from base64 import b64encode
from typing import TYPE_CHECKING

from pyplay.content.faults import ContentError
from pyplay.content.metadata import sha256_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_CHUNK = 1 << 18
_KNOWN = ("h1:", "zh:")


def archive_hashes(path: Path) -> tuple[str, str]:
    """Return both hashes of the archive at `path`, `h1:` first. Raise ContentError for a file that is no zip."""
    return _h1(path), "zh:" + sha256_of(path)


def check_hashes(path: Path, listed: Iterable[str], name: str, *, unverified: bool = False) -> None:
    """Raise ContentError unless the archive at `path` has every one of the `listed` hashes whose scheme is known."""
    listed = tuple(listed)
    if not listed:
        if not unverified:
            raise ContentError.of(
                "unverified", f"the mirror lists no hash of {name}",
                help="have the mirror built with hashes, or say `unverified: true` of this source",
            )  # fmt: skip
        return
    known = [each for each in listed if each.startswith(_KNOWN)]
    if not known:
        schemes = ", ".join(sorted({each.partition(":")[0] for each in listed}))
        raise ContentError.of(
            "unknown-hash", f"{name} has hashes of unknown schemes alone: {schemes}", help="list one with h1: or zh:"
        )
    actual = archive_hashes(path)
    for each in known:
        if each not in actual:
            have = next(own for own in actual if own[:3] == each[:3])
            raise ContentError.of(
                "wrong-hash", f"{name} has {have}, but {each} is listed",
                help="do not use this archive; get it again from where it was published",
            )  # fmt: skip


def _h1(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            files = {entry.filename: entry for entry in archive.infolist() if not entry.is_dir()}
            lines = [f"{_content(archive, files[name])}  {name}\n" for name in sorted(files, key=_bytes)]
    except (zipfile.BadZipFile, NotImplementedError, EOFError, RuntimeError) as error:
        raise ContentError.of("bad-archive", f"{path} is no usable zip: {error}", help="get it again") from error
    if any("\n" in name for name in files):
        raise ContentError.of("bad-archive", f"{path} holds a file with a newline in its name", help="pack it anew")
    return "h1:" + b64encode(hashlib.sha256("".join(lines).encode()).digest()).decode()


def _bytes(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")


def _content(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> str:
    digest = hashlib.sha256()
    with archive.open(entry) as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
