"""Did you mean: the known word that a misspelt one most likely stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def distance(left: str, right: str, limit: int) -> int:
    """Count the edits (insert, delete, replace, swap neighbours) from `left` to `right`; above `limit`, `limit + 1`.

    Source: the optimal string alignment distance.
    """
    if abs(len(left) - len(right)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        earlier, before, row = before, row, [i]
        for j, b in enumerate(right, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and b == left[i - 2]:
                cost = min(cost, earlier[j - 2] + 1)
            row.append(cost)
        if min(row) > limit and min(before) >= limit:  # a swap counts from the row before
            return limit + 1
    return min(row[-1], limit + 1)


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Give the word of `known` that is nearest to `word`, or None where none is near enough to be meant.

    Case, and `-` for `_`, count as no difference. Of equally near words the first in alphabetical order wins.
    """
    folded = _fold(word)
    limit = 1 if len(word) < 5 else 2 if len(word) < 10 else 3
    best: tuple[int, str] | None = None
    for candidate in known:
        away = distance(folded, _fold(candidate), limit)
        if away <= limit and (best is None or (away, candidate) < best) and away < len(word):
            best = (away, candidate)
    return best[1] if best else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Give a help text that names the nearest word of `known`, empty where there is none."""
    match = nearest(word, known)
    return f"did you mean '{match}'?" if match is not None else ""


def _fold(word: str) -> str:
    return word.lower().replace("-", "_")
