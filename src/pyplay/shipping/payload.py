"""What is sent to a fresh Python on a host to make it a Runner."""

from __future__ import annotations

import re
import zlib
from functools import cache
from pathlib import Path

from pyplay.shipping.parts import PartLibrary, empty_package

RUNNER_PARTS = tuple(f"pyplay.remote.{name}" for name in ("guard", "child", "hand", "async_job", "runner"))


_WORDS = re.compile(rb'^( *)r?"""(?:.|\n)*?"""$|^ *#.*$', re.MULTILINE)


def lean(source: bytes) -> bytes:
    """Give source without docstrings and comment lines, every other line where it was."""
    return _WORDS.sub(
        lambda found: (found[1] or b"") + b'""' * (found[1] is not None) + b"\n" * found[0].count(b"\n"), source
    )


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
