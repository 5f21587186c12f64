"""Amounts of bytes and bits, as people write them."""

import re

SIZE_RANGES = {unit: 1 << power * 10 for power, unit in enumerate(("", "K", "M", "G", "T", "P", "E", "Z", "Y")) if unit}
SIZE_RANGES["B"] = 1
_ORDERED = sorted(SIZE_RANGES.items(), key=lambda pair: -pair[1])
_NAMES = {
    "K": "kilo", "M": "mega", "G": "giga", "T": "tera", "P": "peta", "E": "exa", "Z": "zetta", "Y": "yotta"
}  # fmt: skip


def lenient_lowercase(lst):
    """Give the items of a list, text in lower case."""
    return [item.lower() if hasattr(item, "lower") else item for item in lst]


def human_to_bytes(number, default_unit=None, isbits=False):
    """Read an amount such as 10, 5K, 1.5 GB (with `isbits`: 5Kb); units are powers of 1024. Raises ValueError."""
    match = re.match(r"\s*([\d.]+)\s*([A-Za-z]*)\s*$", str(number), re.ASCII)
    if match is None:
        raise ValueError("%r is no amount" % (number,))
    try:
        amount = float(match.group(1))
    except ValueError:
        raise ValueError("%r is no number in %r" % (match.group(1), number)) from None
    unit = match.group(2) or default_unit
    if not unit:
        return int(round(amount))  # noqa: RUF046  # as a float where it is too large
    letter = unit[0].upper()
    if letter not in SIZE_RANGES:
        known = ", ".join(key for key, _ in _ORDERED)
        raise ValueError("%r has the unit %r; units are %s" % (number, unit, known))
    _check_unit(unit, letter, isbits, number)
    return int(round(amount * SIZE_RANGES[letter]))  # noqa: RUF046  # as above


def _check_unit(unit, letter, isbits, number):
    """Raise ValueError where the rest of a unit is not of the asked kind: bytes or bits."""
    mark, word = ("b", "bit") if isbits else ("B", "byte")
    long = _NAMES.get(letter, "") + word
    if len(unit) > 1 and unit != letter + mark and unit.lower() not in (long, long + "s")[: 2 if letter != "B" else 1]:
        raise ValueError("%r is no amount of %ss: the unit would be %s%s" % (number, word, letter, mark))


def bytes_to_human(size, isbits=False, unit=None):
    """Give an amount in the largest unit in which it is 1 or more, or in `unit`: 2.00 KB."""
    base, suffix = ("bits", "b") if isbits else ("Bytes", "B")
    for letter, limit in _ORDERED:  # used after the loop
        if (unit is None and size >= limit) or (unit is not None and unit.upper() == letter[0]):
            break
    word = base if limit == 1 else letter + suffix
    return "%.2f %s" % (size / limit, word)
