"""Telling mappings and lists apart in values of which nothing is known."""

from __future__ import annotations

from typing import Any, TypeGuard


def is_map(value: object) -> TypeGuard[dict[Any, Any]]:
    """Tell whether `value` is a mapping."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Tell whether `value` is a list."""
    return isinstance(value, list)
