"""Unified diffs in bounded time: what is compared may come from a host that wants to be waited for."""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import accumulate
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Change = tuple[str, int, int, int, int]

MOST = 3_000_000
"""Pairs of equal lines that are looked at, in half a second. Texts of a million lines that hardly differ have fewer."""


class _TooMuch(Exception):  # noqa: N818  # a bound, not a fault
    """More pairs of lines would have to be looked at than `MOST`."""


class _Matcher(SequenceMatcher[str]):
    """Looks at no more than `most` pairs of equal lines, which is what its time depends on. Raises _TooMuch."""

    def __init__(self, before: Sequence[str], after: Sequence[str], most: int) -> None:
        super().__init__(None, before, after)
        places: dict[str, list[int]] = getattr(self, "b2j")  # noqa: B009  # documented, but without a type
        self._pairs = [0, *accumulate(1 + len(places.get(line, ())) for line in before)]
        self._left = most

    def find_longest_match(self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None) -> Any:
        """Return the longest block of equal lines within these bounds."""
        end = len(self._pairs) - 1 if ahi is None else ahi
        self._left -= self._pairs[end] - self._pairs[alo]
        if self._left < 0:
            raise _TooMuch
        return super().find_longest_match(alo, ahi, blo, bhi)


def unified_diff(
    before: Sequence[str],
    after: Sequence[str],
    before_header: str,
    after_header: str,
    context: int,
    *,
    most: int = MOST,
) -> Iterator[str]:
    """Yield the lines of a unified diff with `context` lines around each change, nothing for equal texts.

    Where the least change could not be found among `most` pairs of equal lines, all between the first and the last
    difference is one change.
    """
    if before == after:
        return
    try:
        groups = list(_Matcher(before, after, most).get_grouped_opcodes(context))
    except _TooMuch:
        groups = [_one_change(before, after, context)]
    yield f"--- {before_header}\n"
    yield f"+++ {after_header}\n"
    for group in groups:
        first, last = group[0], group[-1]
        yield f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@\n"
        for kind, start, end, new_start, new_end in group:
            if kind == "equal":
                yield from (f" {line}" for line in before[start:end])
                continue
            yield from (f"-{line}" for line in before[start:end])
            yield from (f"+{line}" for line in after[new_start:new_end])


def _range(start: int, end: int) -> str:
    """Return the lines from `start` (from 0) to before `end` as hunks name them."""
    length = end - start
    return f"{start + 1}" if length == 1 else f"{start + 1 if length else start},{length}"


def _one_change(before: Sequence[str], after: Sequence[str], context: int) -> list[Change]:
    """Return the change between what both texts begin with and what both end with, and `context` lines around it."""
    most = min(len(before), len(after))
    head = next((n for n in range(most) if before[n] != after[n]), most)
    tail = next((n for n in range(most - head) if before[-1 - n] != after[-1 - n]), most - head)
    old, new = len(before) - tail, len(after) - tail
    lead, trail = min(context, head), min(context, tail)
    return [
        ("equal", head - lead, head, head - lead, head),
        ("replace", head, old, head, new),
        ("equal", old, old + trail, new, new + trail),
    ]
