"""The controller's terminal, for `pause` and other questions to the person who runs the play."""

from __future__ import annotations

import os
import select
import sys
import termios
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Generator

_INTERRUPT, _ABORT, _CONTINUE = "\x03", "a", "c"


class Aborted(Exception):  # noqa: N818  # it is the person's wish, not a fault
    """The person at the terminal wants the task to end."""


class Terminal(Protocol):
    """Where questions to the person go."""

    @property
    def interactive(self) -> bool:
        """Tell whether somebody can answer."""
        ...

    def show(self, text: str) -> None:
        """Show a line."""
        ...

    def ask(self, text: str, *, echo: bool, seconds: float | None) -> str | None:
        """Show `text` and give the line typed, None after `seconds`. Raises Aborted."""
        ...


class ControllerTerminal:
    """Reads standard input of the controller, and writes its standard output, or with `aside` its standard error."""

    def __init__(self, *, aside: bool = False) -> None:
        self._aside = aside

    def _write(self, text: str) -> None:
        if self._aside:
            sys.stdout.flush()  # what was shown before is read before
        stream = sys.stderr if self._aside else sys.stdout
        stream.write(text)
        stream.flush()

    @property
    def interactive(self) -> bool:
        """Tell whether standard input is a terminal of which this process is in the foreground."""
        try:
            return os.isatty(0) and os.tcgetpgrp(0) == os.getpgrp()
        except OSError:
            return False

    def show(self, text: str) -> None:
        """Write a line."""
        self._write(text + "\n")

    def ask(self, text: str, *, echo: bool, seconds: float | None) -> str | None:
        """Show `text` and give the line typed, on the same line where `text` ends with a blank.

        Ctrl+C, then C goes on at once; Ctrl+C, then A raises Aborted.
        """
        question = text if text.endswith(" ") else text + "\n"
        if not self.interactive:
            self._write(question)
            return None
        end = None if seconds is None else time.monotonic() + seconds
        typed = ""
        with _unbuffered():
            self._write(question)  # not before: what is typed at once would be seen
            while (key := _key(end)) is not None:
                if key in "\r\n":
                    break
                if key == _INTERRUPT:
                    self.show("C: go on with the play; A: abort it")
                    choice = (_key(end) or _CONTINUE).lower()
                    if choice == _ABORT:
                        raise Aborted
                    if choice == _CONTINUE:
                        return typed
                    continue
                typed = typed[:-1] if key in "\x7f\b" else typed + key
                if echo:
                    self._write("\b \b" if key in "\x7f\b" else key)
            else:
                return typed or None
        self.show("")
        return typed


def _key(end: float | None) -> str | None:
    """Give the next character typed, None when `end` (monotonic) has passed or the input has ended."""
    left = None if end is None else max(0.0, end - time.monotonic())
    ready, _, _ = select.select([0], [], [], left)
    if not ready:
        return None
    first = os.read(0, 1)
    while first:
        try:
            return first.decode()
        except UnicodeDecodeError:
            more = os.read(0, 1)
            if not more:
                return None
            first += more
    return None


@contextmanager
def _unbuffered() -> Generator[None]:
    """Let keys arrive one by one, Ctrl+C among them, without echo."""
    before = termios.tcgetattr(0)
    raw = termios.tcgetattr(0)
    raw[3] &= ~(termios.ICANON | termios.ECHO | termios.ISIG)
    termios.tcsetattr(0, termios.TCSADRAIN, raw)
    try:
        yield
    finally:
        termios.tcsetattr(0, termios.TCSADRAIN, before)
