"""What the person at the terminal sees: reporters, the progress line, questions."""

from __future__ import annotations

import os
import sys
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pyplay.report.events import Fanout
from pyplay.report.look import Look
from pyplay.report.output import Output
from pyplay.report.text import TextReporter
from pyplay.workers.terminal import ControllerTerminal

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyplay.report.progress import LiveLine
    from pyplay.source.settings import Settings
    from pyplay.workers.terminal import Terminal


class Screen:
    """Standard output and error of one command. `mask` takes secrets out of what is shown."""

    def __init__(
        self, settings: Settings, verbosity: int, mask: Callable[[str], str], reporter_type: type[TextReporter]
    ) -> None:
        self._settings, self._verbosity, self._mask = settings, verbosity, mask
        self._reporter_type = reporter_type

    @cached_property
    def reporter(self) -> Any:
        """The reporters of this command, as one."""
        live = self.live
        if live is None:
            return Fanout([self._text(_write_out, _write_err)])

        def complain(text: str) -> None:
            with live.hidden():
                _write_err(text)

        return Fanout([self._text(live.write, complain), live])

    @cached_property
    def live(self) -> LiveLine | None:
        """The progress line, where there is one."""
        if not self.is_live:
            return None
        from pyplay.report.progress import LiveLine  # noqa: PLC0415  # rich, only on a terminal

        return LiveLine()

    @cached_property
    def terminal(self) -> Terminal:
        """Where questions to the person go; the progress line makes room for them."""
        return ControllerTerminal() if self.live is None else QuietTerminal(self.live)

    def remark(self, text: str) -> None:
        """Show a line for those who want to know more: on standard error, programs read the other."""
        _write_err(f"{self._mask(text)}\n")

    def close(self) -> None:
        """Leave the terminal as it was."""
        if self.live is not None:
            self.live.close()

    @property
    def is_live(self) -> bool:
        """Tell whether a progress line is kept: on a terminal that can."""
        return self._reporter_type is TextReporter and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"

    def _text(self, write: Any, complain: Any) -> TextReporter:
        settings = self._settings
        output = Output(
            write,
            complain,
            colour=self.coloured(sys.stdout),
            colour_err=self.coloured(sys.stderr),
            verbosity=self._verbosity,
            width=_columns(),
            mask=self._mask,
        )
        look = Look(skipped=settings.display_skipped_hosts, ok=settings.display_ok_hosts)
        return self._reporter_type(output, look)

    def coloured(self, stream: Any) -> bool:
        """Tell whether text to `stream` is coloured: forced, forbidden, or a terminal."""
        if self._settings.force_color:
            return True
        return not self._settings.nocolor and "NO_COLOR" not in os.environ and stream.isatty()


class QuietTerminal(ControllerTerminal):
    """The controller's terminal below a progress line, which is taken away while something is asked or shown."""

    def __init__(self, live: LiveLine) -> None:
        super().__init__()
        self._live = live

    def show(self, text: str) -> None:
        """Show a line."""
        with self._live.hidden():
            super().show(text)

    def ask(self, text: str, *, echo: bool, seconds: float | None) -> str | None:
        """Show `text` and give the line typed."""
        with self._live.hidden():
            return super().ask(text, echo=echo, seconds=seconds)


def _columns() -> int:
    if not sys.stdout.isatty():
        return 79
    return max(79, os.get_terminal_size(sys.stdout.fileno()).columns - 1)


def _write_out(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _write_err(text: str) -> None:
    sys.stdout.flush()
    sys.stderr.write(text)
