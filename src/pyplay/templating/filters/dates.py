"""Filters on dates and times."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime
from typing import Any

from pyplay.templating.filters.errors import FilterError
from pyplay.templating.filters.plain import shown, type_name
from pyplay.templating.marks import reads_clock


@reads_clock
def strftime(string_format: Any, second: Any = None, utc: Any = False) -> str:  # noqa: FBT002
    """Give a time written by a format such as `%Y-%m-%d`: now, or `second` seconds after 1970; local, or in `utc`."""
    if not isinstance(string_format, str):
        raise FilterError(f"needs a format, not {type_name(string_format)}")
    try:
        seconds = None if second is None else float(second)
        moment = datetime.fromtimestamp(time.time() if seconds is None else seconds, UTC if utc else None)
    except (TypeError, ValueError, OverflowError, OSError) as error:
        raise FilterError(
            f"Invalid value for epoch value: {shown(second)} is no number of seconds since 1970"
        ) from error
    return moment.strftime(re.sub(r"(%%)|%:z", lambda found: found[1] or _offset(moment), string_format))


def _offset(moment: datetime) -> str:
    """Give the distance to UTC with a colon, `%:z`: Python before 3.12 does not know it."""
    text = moment.astimezone().strftime("%z") if moment.tzinfo is None else moment.strftime("%z")
    return f"{text[:3]}:{text[3:]}"


def to_datetime(value: Any, format: str = "%Y-%m-%d %H:%M:%S") -> datetime:  # noqa: A002  # the documented name
    """Give the point in time that a text written by `format` means: its parts, and differences, can be asked for."""
    if not isinstance(value, str):
        raise FilterError(f"needs a text, not {type_name(value)}")
    try:
        return datetime.strptime(value, format)  # noqa: DTZ007  # as documented: no zone unless the format has one
    except ValueError as error:
        raise FilterError(f"{shown(value)} is not written as {format!r}", help="give the format") from error
