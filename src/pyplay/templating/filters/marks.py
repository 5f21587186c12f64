"""Filters that tell what is known of a value beside itself, or change it; names of core's private collection.

They are for debugging and for tests of playbooks: whoever trusts text from a host lets the host run code.
"""

from __future__ import annotations

import ast
from typing import Any

from pyplay.source.text import Trusted
from pyplay.templating.filters.errors import FilterError
from pyplay.templating.filters.plain import shown
from pyplay.templating.marks import lazy
from pyplay.templating.tests.marks import KINDS, tagged_with


@lazy
def origin(value: Any) -> str | None:
    """Give where a value was written, as file:line:column; None where that is not known."""
    found = getattr(value, "origin", None)
    return None if found is None else str(found)


def apply_trust(value: Any) -> Any:
    """Give text as if a user had written it: where it is used next, templates in it are rendered."""
    return Trusted(value) if isinstance(value, str) and not isinstance(value, Trusted) else value


def python_literal_eval(value: Any) -> Any:
    """Give the data that a Python literal stands for; what is no text stays. Raises FilterError."""
    if not isinstance(value, str):
        return value
    try:
        return ast.literal_eval(value)
    except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
        raise FilterError(f"{shown(value)} is no Python literal") from error


@lazy
def tag_names(value: Any) -> list[str]:
    """Give the names of a value's marks."""
    return sorted(name for name in KINDS if tagged_with(value, name))
