"""Values that are what they are: nothing inside to render, convert or look at."""

from __future__ import annotations

import datetime as dt
from typing import Any, Final

from pyplay.templating.omit import Omit

ATOMS: Final = frozenset(
    {str, int, float, bool, type(None), bytes, complex, dt.date, dt.datetime, dt.time, dt.timedelta, Omit}
)
"""The exact types of such values; subclasses are looked at."""


class AtomList(list[Any]):
    """A list that is known to hold atoms alone, such as the names of 10,000 hosts: templates need not look inside."""

    __slots__ = ()
