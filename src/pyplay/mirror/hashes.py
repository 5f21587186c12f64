"""Hashes of archives of providers: `h1:` of the names and contents of the entries within, `zh:` of the archive itself.

Terraform counts directories that are entries of their own, and entries with one name as often as they are there.

Source: the provider network mirror protocol; Terraform's documentation of its lock file.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from typing import TYPE_CHECKING

from pyplay.content.faults import ContentError
from pyplay.content.metadata import sha256_of
from pyplay.mirror.archives import read_entries

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pyplay.mirror.archives import Entry

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
    entries = read_entries(path)
    if any(b"\n" in entry.name for entry in entries):
        raise ContentError.of("bad-archive", f"{path} holds a file with a newline in its name", help="pack it anew")
    lines = (entry.sha256.encode() + b"  " + entry.name + b"\n" for entry in sorted(entries, key=_name))
    return "h1:" + b64encode(hashlib.sha256(b"".join(lines)).digest()).decode()


def _name(entry: Entry) -> bytes:
    return entry.name
