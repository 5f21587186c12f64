"""Faults in the arguments of an ad-hoc command, shown in the text that stands after `-a`."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pyplay.diagnostics.dataclass import replace
from pyplay.diagnostics.errors import PlaybookError
from pyplay.diagnostics.model import AD_HOC, Origin

if TYPE_CHECKING:
    from collections.abc import Generator

    from pyplay.diagnostics.model import Diagnostic

ARGUMENTS = "<-a>"


@contextmanager
def placing(words: str) -> Generator[None]:
    """Place what is raised as a PlaybookError about the command's play in its arguments `words`."""
    try:
        yield
    except PlaybookError as error:
        raise PlaybookError(placed(fault, words) for fault in error.diagnostics) from error


def placed(fault: Diagnostic, words: str) -> Diagnostic:
    """Give `fault` with its place in `words`: where it says, at the argument it is about, else at their beginning.

    Without arguments there is no place to show.
    """
    origin = fault.origin
    if origin is None or origin.path not in (AD_HOC, ARGUMENTS):
        return fault
    if not words:
        return replace(fault, origin=None)
    if origin.path == ARGUMENTS and origin.line:
        line, column, length = origin.line, origin.column, fault.length
    else:
        found = re.search(rf"(?<![\w.]){re.escape(fault.key)}(?=['\"]?\s*[=:])", words) if fault.key else None
        start, length = (found.start(), len(fault.key)) if found else (0, 0)
        line = words.count("\n", 0, start) + 1
        column = start - words.rfind("\n", 0, start)
    source = words.split("\n")[line - 1]
    return replace(fault, origin=Origin(ARGUMENTS, line, column), length=length, source=source)
