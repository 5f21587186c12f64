"""Diagnostics as values: what is wrong, where it stands, and what would mend it."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, NamedTuple

from pyplay.diagnostics.dataclass import dataclass

_new: Any = tuple.__new__  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


class Severity(StrEnum):
    """How much a diagnostic matters. Only errors stop a run."""

    ERROR = "error"
    WARNING = "warning"
    DEPRECATION = "deprecation"
    NOTE = "note"  # shown to who asks for more (-v)


AD_HOC = "<adhoc>"
"""The `path` of the play that an ad-hoc command stands for: nobody wrote that text, so its places are not shown."""


class Origin(NamedTuple):
    """Where a piece of user-written text starts: one for every text of every file, so making it must be cheap.

    `path` is a file, or a name in angle brackets such as `<command line>`; `line` and `column` count from 1,
    0 says that they are not known.
    """

    path: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        """Give `path:line:column`, without the parts that are not known."""
        if not self.line:
            return self.path
        return f"{self.path}:{self.line}:{self.column}" if self.column else f"{self.path}:{self.line}"

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel to workers, of which there are thousands: as what `NamedTuple` gives, in a third of the time."""
        return _placed, tuple(self)

    @property
    def shown(self) -> str:
        """The place as people may see it, "" in text that nobody wrote."""
        return "" if self.path == AD_HOC else str(self)


def _placed(*place: Any) -> Origin:
    return _new(Origin, place)


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One fault in what a user wrote.

    `code` is stable and greppable (`unknown-keyword`); `message` is one sentence that stands alone. `length` is how
    many characters from `origin` on are wrong; `label` stands beside the caret, `help` says what would mend it.
    `source` is the line at `origin` where no file holds it, "" where it may hold a secret.
    A checker that knows no place leaves `origin` empty and names the `key` at fault; the caller adds the place.
    """

    code: str
    message: str
    origin: Origin | None = None
    length: int = 0
    label: str = ""
    help: str = ""
    severity: Severity = Severity.ERROR
    key: str = ""
    notes: tuple[str, ...] = ()
    source: str | None = None
