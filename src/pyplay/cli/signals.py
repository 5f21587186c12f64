"""Signals that end a run: what was done is reported before the process goes the way that the signal wants."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator
    from types import FrameType

ENDING = (signal.SIGTERM, signal.SIGHUP)
"""Those that a supervisor or a terminal that goes away sends; Ctrl-C is Python's own."""


class Ended(KeyboardInterrupt):
    """A signal wants the process to end; the text is its name."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


@contextmanager
def reporting_before_the_end() -> Generator[None]:
    """Raise Ended in the body for a signal of `ENDING`; when the body is through, the process ends by that signal.

    A second signal ends it at once. What is ignored (`nohup`) stays ignored.
    """
    caught: list[int] = []
    taken = [number for number in ENDING if signal.getsignal(number) == signal.SIG_DFL]

    def end(number: int, frame: FrameType | None) -> None:
        del frame
        caught.append(number)
        for each in taken:
            signal.signal(each, signal.SIG_DFL)
        raise Ended(number)

    for number in taken:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)
        if caught:
            with suppress(OSError):
                sys.stdout.flush()
            os.kill(os.getpid(), caught[0])
