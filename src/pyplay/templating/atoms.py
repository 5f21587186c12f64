"""Values that are what they are: nothing inside to render, convert or look at."""

from __future__ import annotations

import datetime as dt
from typing import Final

from pyplay.templating.omit import Omit

ATOMS: Final = frozenset(
    {str, int, float, bool, type(None), bytes, complex, dt.date, dt.datetime, dt.time, dt.timedelta, Omit}
)
"""The exact types of such values; subclasses are looked at."""
