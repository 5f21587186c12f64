"""What is worked out of a source of ours once, and kept beside what Python itself has compiled of it.

It lies in `__pycache__` (or where `PYTHONPYCACHEPREFIX` says) as `NAME.cpython-311.opt-pyplay.pyc`, and is as much to
be trusted as the compiled files there: it counts only if it belongs to us, to root or to the owner of the source, and
nobody else may write to it. Python's own rules hold: nothing is written where the directory may not be
written to or `PYTHONDONTWRITEBYTECODE` is set.
"""

from __future__ import annotations

import marshal
import os
import stat
import sys
from contextlib import suppress
from importlib.util import cache_from_source
from typing import TYPE_CHECKING, Any
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

_SUM = 4
"""Bytes of the sum by which a file that a crash has left in pieces is told: `marshal` may take it for anything."""


def kept(source: str | PathLike[str], key: str, make: Callable[[], Any]) -> Any:
    """Give what `make` gives: plain data that `marshal` knows. It is made once for each `key` of the file `source`.

    The key must tell all that the outcome depends on: the content of the file, and how it is worked on. Gives None,
    and makes nothing, where nothing is kept and nothing can be: it would be made again by each process.
    """
    try:
        place = cache_from_source(source, optimization="pyplay")
    except NotImplementedError:  # a Python that keeps nothing
        return None
    head = key.encode() + b"\n"
    with suppress(OSError, EOFError, ValueError, TypeError):
        with open(place, "rb", opener=_no_link) as file:  # twenty of them begin a run
            found = file.read() if _is_trusted(os.fstat(file.fileno()), source) else b""
        start = len(head) + _SUM
        if found.startswith(head) and crc32(found[start:]) == int.from_bytes(found[len(head) : start], "big"):
            return marshal.loads(found[start:])  # noqa: S302  # trusted as Python trusts what lies there
    if sys.dont_write_bytecode or not _may_write(os.path.dirname(place)):  # noqa: PTH120  # as above
        return None
    value = make()
    data = marshal.dumps(value)
    _write(place, head + crc32(data).to_bytes(_SUM, "big") + data)
    return value


def _no_link(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)


def _is_trusted(status: os.stat_result, source: str | PathLike[str]) -> bool:
    """Whether those who may change the source, and no others, decide what a file kept of it holds."""
    if not stat.S_ISREG(status.st_mode) or status.st_mode & stat.S_IWOTH:
        return False
    return status.st_uid in (0, os.geteuid()) or status.st_uid == os.stat(source).st_uid  # noqa: PTH116  # as above


def _may_write(directory: str) -> bool:
    """Tell whether files can be put into a directory, which is made where it is not there yet."""
    with suppress(OSError):
        os.makedirs(directory, exist_ok=True)  # noqa: PTH103  # as above
    return os.access(directory, os.W_OK)


def _write(place: str, data: bytes) -> None:
    """Put a file in its place as a whole: other processes may be writing, and reading, the same one."""
    beside = f"{place}.{os.getpid()}"
    with suppress(OSError):
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        try:
            with open(descriptor, "wb") as file:  # noqa: PTH123
                file.write(data)
            os.replace(beside, place)  # noqa: PTH105
        except OSError:
            os.unlink(beside)  # noqa: PTH108
