"""What is sent to a fresh Python on a host to make it a Runner."""

from __future__ import annotations

import zlib
from functools import cache
from pathlib import Path

from pyplay.shipping.parts import PartLibrary, empty_package, lean

RUNNER_PARTS = tuple(f"pyplay.remote.{name}" for name in ("guard", "child", "hand", "async_job", "runner"))


@cache
def runner_payload() -> bytes:
    """Give the bytes for standard input of `bootstrap`: eight hexadecimal digits of length, packed source."""
    folder = Path(__file__).resolve().parent.parent / "remote"
    library = PartLibrary({"pyplay.remote": [folder]})
    parts = [empty_package("pyplay"), empty_package("pyplay.remote"), *map(library.require, RUNNER_PARTS)]
    table = {part.name: (part.digest, part.path, part.package, lean(part.source)) for part in parts}
    text = f"PARTS = {table!r}\n".encode() + lean((folder / "sources.py").read_bytes())
    packed = zlib.compress(text, 9)
    return b"%08x" % len(packed) + packed
