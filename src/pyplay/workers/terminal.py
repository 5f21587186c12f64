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
    from collections.abc import Callable, Generator

_INTERRUPT, _ABORT, _CONTINUE = "\x03", "a", "c"
_END_OF_INPUT = "\x04"
_ENDS = frozenset(("\r", "\n", _END_OF_INPUT))
_ERASES = frozenset(("\x7f", "\b"))


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

    def ask(self, text: str, *, echo: bool) -> str | None:
        """Show `text` and return the line typed, None at the end of the input. Raises KeyboardInterrupt for Ctrl+C."""
        ...

    def pause(self, text: str, *, echo: bool, seconds: float | None) -> str | None:
        """Show `text` and return the line typed, None if that took longer than `seconds`. Raises Aborted."""
        ...


def _end_the_run() -> bool:
    raise KeyboardInterrupt


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

    def ask(self, text: str, *, echo: bool) -> str | None:
        """Show `text` and return the line typed, on the same line where `text` ends with a blank.

        Where standard input is no terminal, that is its next line; None at its end.
        Raises KeyboardInterrupt for Ctrl+C.
        """
        if self.interactive:
            return self._typed(text, echo=echo)
        self._write(_question(text))
        line = sys.stdin.readline()
        return line.rstrip("\r\n") if line else None

    def pause(self, text: str, *, echo: bool, seconds: float | None) -> str | None:
        """Show `text` and return the line typed; None if that took longer than `seconds`, or without a terminal.

        Ctrl+C, then C goes on at once; Ctrl+C, then A raises Aborted.
        """
        if self.interactive:
            end = None if seconds is None else time.monotonic() + seconds
            return self._typed(text, echo=echo, end=end, interrupted=lambda: self._choice(end))
        self._write(_question(text))
        return None

    def _choice(self, end: float | None) -> bool:
        """Whether the person who pressed Ctrl+C wants to go on at once; what is neither C nor A is passed over."""
        self.show("C: go on with the play; A: abort it")
        choice = (_key(end) or _CONTINUE).lower()
        if choice == _ABORT:
            raise Aborted
        return choice == _CONTINUE

    def _typed(
        self, text: str, *, echo: bool, end: float | None = None, interrupted: Callable[[], bool] = _end_the_run
    ) -> str | None:
        """Return the line typed before `end` (monotonic); `interrupted` says whether Ctrl+C ends it."""
        typed = ""
        with _unbuffered():
            self._write(_question(text))  # not before: what is typed at once would be seen
            while (key := _key(end)) is not None and key not in _ENDS:
                if key == _INTERRUPT:
                    if interrupted():
                        return typed
                    continue
                if key not in _ERASES:
                    typed += key
                    self._write(key if echo else "")
                elif typed:
                    typed = typed[:-1]
                    self._write("\b \b" if echo else "")
        self.show("")
        return None if key is None or (key == _END_OF_INPUT and not typed) else typed


def _question(text: str) -> str:
    return text if text.endswith(" ") else text + "\n"


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
