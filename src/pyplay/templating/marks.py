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


DISK = "pyplay_disk"
"""Attribute that tells that a filter or test looks at the controller's disk."""


def reads_disk(function: Function) -> Function:
    """Mark a filter or test whose answer depends on the controller's disk: another task may change it."""
    setattr(function, DISK, True)
    return function


def is_reading_disk(function: object) -> bool:
    """Tell whether what `function` gives depends on the controller's disk."""
    return bool(getattr(function, DISK, False))
