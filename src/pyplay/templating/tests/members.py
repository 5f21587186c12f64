"""Tests on lists, sets and numbers: subset, contains, all, any, nan."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from pyplay.templating.filters.errors import FilterError
from pyplay.templating.filters.plain import as_list, freeze, type_name


def subset(value: Any, other: Any) -> bool:
    """Tell whether every item of a list is in the other one."""
    return _as_set(value) <= _as_set(other)


def superset(value: Any, other: Any) -> bool:
    """Tell whether a list has every item of the other one."""
    return _as_set(value) >= _as_set(other)


def _as_set(value: Any) -> set[Any]:
    return {freeze(item) for item in as_list(value)}


def contains(value: Any, item: Any) -> bool:
    """Tell whether a list, mapping or text has `item`: for use with select and reject."""
    if not hasattr(value, "__contains__"):
        raise FilterError(f"needs a list, mapping or text, not {type_name(value)}")
    try:
        return item in value
    except TypeError as error:
        raise FilterError(f"a value of type {type_name(item)} cannot be in a {type_name(value)}") from error


def all_true(value: Any) -> bool:
    """Tell whether all items of a list are true; of an empty one they are."""
    return all(_items(value))


def any_true(value: Any) -> bool:
    """Tell whether any item of a list is true."""
    return any(_items(value))


def _items(value: Any) -> Iterable[Any]:
    if not isinstance(value, Iterable):
        raise FilterError(f"needs a list, not {type_name(value)}")
    return value  # type: ignore[return-value]


def is_nan(value: Any) -> bool:
    """Tell whether a value is the number that is no number."""
    return isinstance(value, float) and math.isnan(value)
