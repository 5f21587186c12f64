"""Marks that filters, tests and functions carry to tell the engine how they want to be called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    Function = TypeVar("Function", bound=Callable[..., Any])

LAZY = "pyplay_lazy"
"""Attribute that tells that a filter or test takes undefined arguments."""


def lazy(function: Function) -> Function:
    """Mark a filter or test as one that takes undefined values (`default`, `defined`, `mandatory`, …).

    Its arguments arrive as they are: undefined ones are no error, and containers render what they hold when it is
    read. All others get resolved plain values, and an undefined argument is an error before they are called.
    """
    setattr(function, LAZY, True)
    return function


def is_lazy(function: object) -> bool:
    """Tell whether `function` takes undefined arguments."""
    return bool(getattr(function, LAZY, False))


DISK, CLOCK = "disk", "clock"
"""What filters, tests and functions may look at beside their arguments."""

READS = "pyplay_reads"
"""Attribute that tells which of these a filter, test or function looks at."""

_PURE = frozenset({"pyplay", "jinja2", "markupsafe", "builtins", "operator", "_operator", "math"})


def reads_disk(function: Function) -> Function:
    """Mark a filter or test whose answer depends on the controller's disk: another task may change it."""
    setattr(function, READS, DISK)
    return function


def reads_clock(function: Function) -> Function:
    """Mark a filter or function whose answer depends on when it is called."""
    setattr(function, READS, CLOCK)
    return function


def what_it_reads(function: object) -> str:
    """Tell what `function` looks at beside its arguments, "" for nothing. That of users' plugins may be anything."""
    return getattr(function, READS, "" if is_ours(function) else DISK)


def is_ours(function: object) -> bool:
    """Whether `function` is pyplay's or Jinja's, not one of users or collections."""
    return str(getattr(function, "__module__", "")).partition(".")[0] in _PURE
