"""Tests of truth, Python's or that of words."""

from __future__ import annotations

from typing import Any

_YES = frozenset({"y", "yes", "on", "1", "true", "t"})
_NO = frozenset({"n", "no", "off", "0", "false", "f"})


def truthy(value: Any, convert_bool: Any = False) -> bool:  # noqa: FBT002
    """Tell whether a value is true: not empty, not zero. With `convert_bool` the words no, off, false, … are not."""
    if convert_bool and isinstance(value, str):
        word = value.strip().lower()
        if word in _YES:
            return True
        if word in _NO:
            return False
    return bool(value)


def falsy(value: Any, convert_bool: Any = False) -> bool:  # noqa: FBT002
    """Tell whether a value is not true: empty or zero. With `convert_bool` the words no, off, false, … count too."""
    return not truthy(value, convert_bool)
