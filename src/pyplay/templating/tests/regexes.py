"""Tests of text against regular expressions (Python's)."""

from __future__ import annotations

from typing import Any

from pyplay.templating.filters.errors import FilterError
from pyplay.templating.filters.regex import compile_pattern


def match(value: Any, pattern: Any, ignorecase: Any = False, multiline: Any = False) -> bool:  # noqa: FBT002
    """Tell whether a text starts with what `pattern` matches."""
    return regex(value, pattern, ignorecase, multiline, "match")


def search(value: Any, pattern: Any, ignorecase: Any = False, multiline: Any = False) -> bool:  # noqa: FBT002
    """Tell whether `pattern` matches anywhere in a text."""
    return regex(value, pattern, ignorecase, multiline, "search")


def regex(
    value: Any,
    pattern: Any,
    ignorecase: Any = False,  # noqa: FBT002  # as documented
    multiline: Any = False,  # noqa: FBT002
    match_type: str = "search",
) -> bool:
    """Tell whether `pattern` matches a text: somewhere (search), at its start (match), or all of it (fullmatch)."""
    if match_type not in ("search", "match", "fullmatch"):
        raise FilterError(f"unknown match_type {match_type!r}", help="search, match or fullmatch")
    compiled = compile_pattern(pattern, ignorecase=ignorecase, multiline=multiline)
    return bool(getattr(compiled, match_type)(str(value)))
