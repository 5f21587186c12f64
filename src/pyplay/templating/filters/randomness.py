"""Filters of chance. With a `seed` they give the same result every time, for idempotent plays."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random, SystemRandom
from typing import Any

from pyplay.templating.filters.errors import FilterError
from pyplay.templating.filters.plain import is_lazy_sequence, type_name


def _source(seed: Any) -> Random:
    return SystemRandom() if seed is None else Random(seed)  # noqa: S311  # a seed is for repeatable plays


def random(end: Any, start: int | None = None, step: int | None = None, seed: Any = None) -> Any:
    """Give one item of a list, or a whole number from `start` (0) to below the value given, in steps of `step`."""
    source = _source(seed)
    try:
        if isinstance(end, int):
            return source.randrange(start or 0, end, step or 1)
        if start or step:
            raise FilterError(f"start and step can only be used with numbers, not with {type_name(end)}")
        return source.choice(_items(end))
    except (ValueError, IndexError) as error:
        raise FilterError("there is nothing to choose from") from error


def _items(value: Any) -> Sequence[Any]:
    if is_lazy_sequence(value):
        return list(value)
    if not isinstance(value, Sequence):
        raise FilterError(f"random can only be used on sequences and whole numbers, not on {type_name(value)}")
    return value  # type: ignore[return-value]


def shuffle(value: Any, seed: Any = None) -> Any:
    """Give the items of a list in random order; what is no list comes back as it is."""
    try:
        items = list(value)
    except TypeError:
        return value
    _source(seed).shuffle(items)
    return items
