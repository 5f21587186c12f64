"""The lookup that counts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.dataclass import dataclass, replace
from pyplay.templating.lookups.base import LookupFailed
from pyplay.templating.lookups.options import as_terms, integer, split_term, text, warn_unknown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.templating.lookups.base import LookupCall

_NUMBER = r"(?:0[xX][0-9A-Fa-f]+|\d+)"
_SHORT = re.compile(rf"(?:(?P<start>{_NUMBER})-)?(?P<end>{_NUMBER})(?:/(?P<stride>{_NUMBER}))?(?::(?P<format>.+))?")
_OPTIONS: dict[str, None] = dict.fromkeys(("start", "end", "count", "stride", "format"))


_MOST = 1_000_000
"""Numbers that are made at most: how many may be a host's word, and no host may take all memory."""


@dataclass(frozen=True, slots=True)
class Counting:
    """From where to where, in which steps, and how numbers are written."""

    start: int = 1
    end: int | None = None
    count: int | None = None
    stride: int = 1
    format: str = "%d"


def sequence(terms: Any, call: LookupCall, **options: Any) -> list[str]:
    """Give numbers as texts, from `start` (1) to `end`, or `count` of them.

    Steps are `stride`, `format` (%d) writes them. A term holds these options, `start=2 end=10 stride=4`, or is short:
    `5`, `2-10`, `2-10/4`, `2-10:web%02d`. Numbers may be hexadecimal.
    """
    warn_unknown(options.keys() - _OPTIONS.keys(), "sequence", call)
    base = _with(Counting(), {name: value for name, value in options.items() if name in _OPTIONS})
    given = as_terms(terms)
    if not given:
        return _numbers(base)
    return [number for term in given for number in _numbers(_parse(term, base))]


def _parse(term: Any, base: Counting) -> Counting:
    line = text(str(term) if isinstance(term, int) and not isinstance(term, bool) else term, "sequence")
    short = _SHORT.fullmatch(line)
    if short:
        return _with(base, {name: value for name, value in short.groupdict().items() if value is not None})
    rest, options = split_term(line, "sequence", _OPTIONS)
    if rest:
        raise LookupFailed(
            f"lookup 'sequence' does not understand {rest!r}: unrecognized arguments",
            help="write 5, 2-10/4 or start=2 end=10",
        )
    return _with(base, options)


def _with(base: Counting, options: Mapping[str, Any]) -> Counting:
    values = {name: value if name == "format" else integer(value, "sequence", name) for name, value in options.items()}
    return replace(base, **values)


def _numbers(counting: Counting) -> list[str]:
    start, stride, end = counting.start, counting.stride, counting.end
    if counting.count is not None and end is not None:
        raise LookupFailed("lookup 'sequence' takes count or end, not both")
    if counting.count == 0 or (counting.count is None and end is not None and stride == 0):
        return []
    if counting.count is not None:
        if counting.count < 0:
            raise LookupFailed("lookup 'sequence': count is negative")
        end = start + (counting.count - 1) * stride
    if end is None:
        raise LookupFailed("lookup 'sequence' must specify count or end", help="for example end=10")
    if stride == 0:
        return []
    if (end < start) is not (stride < 0) and end != start:
        way = "backwards: make stride negative" if stride > 0 else "forwards: make stride positive"
        raise LookupFailed(f"lookup 'sequence': {start} to {end} counts {way}")
    if counting.format.count("%") != 1:
        raise LookupFailed(
            f"lookup 'sequence': format {counting.format!r} must have exactly one %", help="such as web%02d"
        )
    numbers = range(start, end + (1 if stride > 0 else -1), stride)
    if abs(end - start) // abs(stride) >= _MOST:
        raise LookupFailed(
            f"lookup 'sequence': {start} to {end} makes more than {_MOST:,} numbers", help="correct count or end"
        )
    try:
        return [counting.format % number for number in numbers]
    except (TypeError, ValueError) as error:
        raise LookupFailed(f"lookup 'sequence': format {counting.format!r}: {error}") from error
