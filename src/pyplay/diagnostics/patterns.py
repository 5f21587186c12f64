"""Regular expressions that are compiled when they are first used: large ones that few runs need.

Compiling takes 0.1 to 2 ms each, and every start would pay for all that its modules name.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Generator
    from re import Pattern

_compile = re.compile


def late_pattern(text: str, flags: int = 0) -> Pattern[str]:
    """Give what `re.compile` gives, compiled when the first of its attributes is asked for."""
    return cast("Pattern[str]", _Late(text, flags))


@contextmanager
def late_patterns() -> Generator[None]:
    """Let what is imported meanwhile get late patterns. Only for modules that use nothing but their methods."""
    re.compile = late_pattern
    try:
        yield
    finally:
        re.compile = _compile


class _Late:
    """Stands for a pattern; keeps the methods that were asked for."""

    def __init__(self, text: str, flags: int) -> None:
        self._text, self._flags = text, flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = getattr(_compile(self._text, self._flags), name)
        setattr(self, name, found)
        return found
