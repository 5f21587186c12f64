"""Looking at values of unknown shape, with types that a checker can follow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast


def as_mapping(value: object) -> Mapping[Any, Any] | None:
    """Give `value` if it is a mapping, else None."""
    return cast("Mapping[Any, Any]", value) if isinstance(value, Mapping) else None


def as_list(value: object) -> list[Any] | None:
    """Give `value` if it is a list, else None."""
    return cast("list[Any]", value) if isinstance(value, list) else None
