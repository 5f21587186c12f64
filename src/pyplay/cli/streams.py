"""The three standard streams of the process, whatever state they come in.

A program started with one of them closed would give its number to the next file it opens, and write its output there.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
from typing import Any, TextIO

BYTES_OR_ESCAPES = "pyplay-bytes-or-escapes"
"""The name of our error handler for encoding."""


def open_missing() -> None:
    """Give standard streams that are closed to /dev/null, so that their numbers and names mean what they should.

    One that was left not to block by whoever had it before is made to: else what nobody takes at once would be lost.
    """
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.set_blocking(number, True)
        except OSError:
            opened = os.open(os.devnull, os.O_RDONLY if mode == "r" else os.O_WRONLY)
            if opened != number:
                os.dup2(opened, number, inheritable=True)
                os.close(opened)
            os.set_inheritable(number, True)  # noqa: FBT003  # os has no keyword
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, mode, encoding="utf-8", errors="replace", closefd=False))  # noqa: SIM115  # open as long as the process
        if mode == "w":
            _take_any_character(getattr(sys, name))
    _keep_together()


def _take_any_character(stream: object) -> None:
    """Let `stream` write what its encoding does not have.

    In a locale without UTF-8 these are characters, which are written as escapes. In UTF-8 they are halves of surrogate
    pairs: those that stand for a byte of a file name become that byte; others, which JSON of a host may hold, become
    escapes, too.
    """
    if isinstance(stream, io.TextIOWrapper) and stream.errors in ("strict", "surrogateescape"):
        is_utf8 = codecs.lookup(stream.encoding).name == "utf-8"
        codecs.register_error(BYTES_OR_ESCAPES, _bytes_or_escapes)
        stream.reconfigure(errors=BYTES_OR_ESCAPES if is_utf8 else "backslashreplace")


def _bytes_or_escapes(error: UnicodeError) -> tuple[str | bytes, int]:
    """Encode what surrogateescape can as it does, the rest as escapes. Source: `codecs.register_error`."""
    try:
        return codecs.lookup_error("surrogateescape")(error)
    except UnicodeError:
        return codecs.lookup_error("backslashreplace")(error)


def _keep_together() -> None:
    """Let standard output take many lines at once also where Python was told not to (PYTHONUNBUFFERED).

    Who reads it does not wait for that: what was said is written out before anything is waited for.
    """
    stream: Any = sys.stdout
    if isinstance(getattr(stream, "buffer", None), io.RawIOBase) and not stream.isatty():
        names = [name for name in ("stdout", "__stdout__") if getattr(sys, name) is stream]
        encoding, errors = stream.encoding, stream.errors
        made = io.TextIOWrapper(io.BufferedWriter(stream.detach()), encoding, errors)
        for name in names:
            setattr(sys, name, made)


def silence(stream: TextIO) -> None:
    """Send what is still to be written to a standard stream nowhere: nobody can take it any more."""
    try:
        number = stream.fileno()
    except (io.UnsupportedOperation, ValueError):
        return
    os.dup2(os.open(os.devnull, os.O_WRONLY), number)
