"""The log of what is shown, in the form of ansible-core's: `log_path`.

A record begins `2026-01-31 12:00:00,123 p=4711 u=root n=ansible INFO| text`, further lines of the text follow as they
are. Source: observed with ansible-core 2.21.
"""

from __future__ import annotations

import getpass
import os
import re
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
LEVELS = (
    ("WARNING", re.compile(r"\[?(warning|deprecat)", re.IGNORECASE)),
    ("ERROR", re.compile(r"\[?error", re.IGNORECASE)),
)


class RunLog:
    """Appends to the file at `path`, a record at a time, so that runs may share it. Raises OSError when it is made.

    `mask` takes secrets out; `now` tells the local time. `on_fault` is told the first failure to write, after which
    nothing more is written.
    """

    def __init__(
        self,
        path: str,
        mask: Callable[[str], str] = str,
        now: Callable[[], datetime] = datetime.now,
        *,
        on_fault: Callable[[OSError], None],
    ) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
        self._mask, self._now, self._on_fault = mask, now, on_fault
        self._open = True
        self._who = f"p={os.getpid()} u={_user()} n=ansible"

    def add(self, text: str) -> None:
        """Write `text`, without its colours, as one record; text that shows nothing leaves none."""
        plain = self._mask(COLOUR.sub("", text)).strip("\n") if self._open else ""
        if not plain.strip():
            return
        level = next((name for name, form in LEVELS if form.match(plain)), "INFO")
        now = self._now()
        head = f"{now:%Y-%m-%d %H:%M:%S},{now.microsecond // 1000:03d} {self._who} {level}| "
        data = f"{head}{plain}\n".encode("utf-8", "backslashreplace")
        try:
            while data:
                data = data[os.write(self._file, data) :]
        except OSError as error:  # a full disk: the run goes on without its log
            self._open = False
            self._on_fault(error)

    def along(self, write: Callable[[str], object]) -> Callable[[str], None]:
        """Give a function that does what `write` does and keeps the text."""

        def both(text: str) -> None:
            write(text)
            self.add(text)

        return both


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container's user that has no name
        return str(os.getuid())
