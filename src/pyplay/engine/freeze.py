"""Hashable keys of values that are not hashable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Hashable


def frozen(value: Any) -> Hashable:
    """Give a key that is equal for equal values, whatever they hold."""
    if isinstance(value, dict):
        pairs = dict[Any, Any](value)  # pyright: ignore[reportUnknownArgumentType]  # keys and values are of any type
        return "dict", tuple((key, frozen(part)) for key, part in pairs.items())
    if isinstance(value, (list, tuple)):
        parts = list[Any](value)  # pyright: ignore[reportUnknownArgumentType]  # items are of any type
        return "list", tuple(frozen(part) for part in parts)
    try:
        hash(value)
    except TypeError:
        return repr(value)
    return type(value).__name__, value
