"""Filters between numbers of bytes or bits and what people write: `1.5 GB`, `10K`."""

from __future__ import annotations

import re
from typing import Any

from pyplay.templating.filters.errors import FilterError
from pyplay.templating.filters.plain import shown

#: Powers of 1024 by their letter, largest first.
UNITS = {letter: 1024**power for power, letter in reversed(list(enumerate("BKMGTPEZY")))}

_NAMES = dict(zip("YZEPTGMKB", ("yotta", "zetta", "exa", "peta", "tera", "giga", "mega", "kilo", ""), strict=True))
_SIZE = re.compile(r"(\d*\.?\d+)\s*([A-Za-z]+)?", re.ASCII)


def human_readable(size: Any, isbits: Any = False, unit: str | None = None) -> str:  # noqa: FBT002
    """Give a number of bytes (bits with `isbits`) as text, `1.43 MB`, in the fitting unit or in `unit`."""
    if not isinstance(size, (int, float)):
        raise FilterError(f"failed on bad input: {shown(size)} is no number", help="size | int | human_readable")
    for letter, factor in UNITS.items():
        if (unit is None and size >= factor) or (unit is not None and unit.upper() == letter):
            break
    else:
        letter, factor = "B", 1
    if letter == "B":
        return f"{size:.2f} {'bits' if isbits else 'Bytes'}"
    return f"{size / factor:.2f} {letter}{'b' if isbits else 'B'}"


def human_to_bytes(size: Any, default_unit: str | None = None, isbits: Any = False) -> int:  # noqa: FBT002
    """Give the number of bytes that a text such as `10K`, `1.5 GB` or `1 megabyte` means (powers of 1024).

    A text without unit is in `default_unit`, or bytes. With `isbits` it reads `10Mb` and `1 megabit`, giving bits.
    """
    match = _SIZE.fullmatch(str(size))
    if match is None:
        raise FilterError(f"can't interpret {shown(size)} as a size", help="a number and a unit, such as 1.5G")
    unit = match[2] or default_unit
    number = float(match[1])
    return round(number * (_factor(str(unit), size, bits=bool(isbits)) if unit else 1))


def _factor(unit: str, size: Any, *, bits: bool) -> int:
    letter = unit[0].upper()
    if letter not in UNITS:
        raise FilterError(f"{shown(size)}: unknown unit {unit}", help=f"one of {', '.join(UNITS)}")
    word, short = ("bit", "b") if bits else ("byte", "B")
    if len(unit) == 1 or unit.lower() == _NAMES[letter] + word or unit[1:] == (short if letter != "B" else None):
        return UNITS[letter]
    raise FilterError(
        f"{shown(size)}: unknown unit {unit}",
        help=f"{letter}{short if letter != 'B' else ''} or {letter}",
    )
