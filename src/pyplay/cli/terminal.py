"""The terminal for questions, where a progress line is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyplay.workers.terminal import ControllerTerminal

if TYPE_CHECKING:
    from pyplay.report.progress import LiveLine


class QuietTerminal(ControllerTerminal):
    """The controller's terminal below a progress line, which is taken away while something is asked or shown."""

    def __init__(self, live: LiveLine) -> None:
        super().__init__()
        self._live = live

    def show(self, text: str) -> None:
        """Show a line."""
        with self._live.hidden():
            super().show(text)

    def ask(self, text: str, *, echo: bool) -> str | None:
        """Show `text` and return the line typed."""
        with self._live.hidden():
            return super().ask(text, echo=echo)

    def pause(self, text: str, *, echo: bool, seconds: float | None) -> str | None:
        """Show `text` and return the line typed within `seconds`."""
        with self._live.hidden():
            return super().pause(text, echo=echo, seconds=seconds)
