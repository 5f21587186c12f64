"""Where a reporter's text goes, and what is done to all of it on the way."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.dataclass import dataclass
from pyplay.report.colour import PALETTE, paint
from pyplay.report.diffs import diff_text
from pyplay.report.events import Reporter
from pyplay.report.shown import exact, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pyplay.report.events import HostStats


@dataclass(frozen=True, slots=True)
class Output:
    """Standard output and error of a run.

    `out` and `err` take finished text (with newline); `mask` removes secrets from what is shown; `width` is the number
    of columns banners fill; `verbosity` counts -v; `muted` are codes and severities of warnings nobody wants.
    `exact` and `exact_err` tell that no terminal reads the stream: what hosts sent goes there as it is.
    `palette` has the colours, `diff_context` is the number of lines around a difference.
    """

    out: Callable[[str], object]
    err: Callable[[str], object]
    colour: bool = False
    colour_err: bool = False
    exact: bool = False
    exact_err: bool = False
    verbosity: int = 0
    width: int = 79
    mask: Callable[[str], str] = str
    muted: frozenset[str] = frozenset()
    palette: Mapping[str, str] = field(default_factory=lambda: PALETTE)
    diff_context: int = 3

    def safe(self, text: str) -> str:
        """Give `text`, which a host may have sent, as standard output may have it."""
        return exact(text) if self.exact else printable(text)

    def safe_error(self, text: str) -> str:
        """Give `text`, which a host may have sent, as standard error may have it."""
        return exact(text) if self.exact_err else printable(text)

    def line(self, text: str, colour: str = "") -> None:
        """Write `text` and a newline to standard output."""
        text = self.mask(text)
        self.out(self.painted(text, colour) + "\n")

    def error(self, text: str, colour: str = "") -> None:
        """Write `text` and a newline to standard error."""
        text = self.mask(text)
        self.err((paint(text, self.palette[colour]) if colour and self.colour_err else text) + "\n")

    def banner(self, text: str) -> None:
        """Write an empty line and `text` as a banner."""
        self.line(f"\n{banner(text, self.width)}")

    def painted(self, text: str, colour: str) -> str:
        """Give `text` in the named colour, where standard output has colours."""
        return paint(text, self.palette[colour]) if colour and self.colour else text

    def diff(self, diff: Any) -> str:
        """Give the text that shows a result's `diff`, "" for nothing to show."""
        return diff_text(diff, self.safe, context=self.diff_context, palette=self.palette if self.colour else None)


class Flusher(Reporter):
    """Lets text out, all the lines at once that came together: last of the reporters that write it."""

    def __init__(self, flush: Callable[[], object]) -> None:
        self._flush = flush

    def caught_up(self) -> None:
        """Let out what was told before what comes next is waited for."""
        self._flush()

    def run_ended(self, stats: Mapping[str, HostStats], custom: Mapping[str, Any]) -> None:
        """Let out the rest."""
        del stats, custom
        self._flush()


def banner(text: str, width: int = 79) -> str:
    """Give a banner line: the text, filled up to one more than `width` columns with at least three stars."""
    return f"{text} {'*' * max(3, width - len(text))}"
