"""Filters that tell what is known of a value beside itself; names of core's private collection, for debugging."""

from __future__ import annotations

from typing import Any

from pyplay.templating.marks import lazy
from pyplay.templating.tests.marks import KINDS, tagged_with


@lazy
def origin(value: Any) -> str | None:
    """Give where a value was written, as file:line:column; None where that is not known."""
    found = getattr(value, "origin", None)
    return None if found is None else str(found)


@lazy
def tag_names(value: Any) -> list[str]:
    """Give the names of a value's marks."""
    return sorted(name for name in KINDS if tagged_with(value, name))
