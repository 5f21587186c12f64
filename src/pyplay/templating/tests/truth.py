"""Tests of truth, Python's or that of words."""

from __future__ import annotations

from typing import Any

from pyplay.source.booleans import read_boolean


def truthy(value: Any, convert_bool: Any = False) -> bool:  # noqa: FBT002
    """Tell whether a value is true: not empty, not zero. With `convert_bool` the words no, off, false, … are not."""
    meant = read_boolean(value) if convert_bool and isinstance(value, str) else None
    return bool(value) if meant is None else meant


def falsy(value: Any, convert_bool: Any = False) -> bool:  # noqa: FBT002
    """Tell whether a value is not true: empty or zero. With `convert_bool` the words no, off, false, … count too."""
    return not truthy(value, convert_bool)
