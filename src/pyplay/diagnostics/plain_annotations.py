"""Importing libraries without making types of their annotations, which nobody reads.

Without `from __future__ import annotations` Python makes a type of every `Optional[Union[...]]` of a signature: some
1,500 in asyncssh, 400 in Jinja. While such a library is imported, they come to the name before the brackets.
"""

from __future__ import annotations

import sys
import typing
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Generator

TYPES = (
    *("Optional", "Union", "Callable", "Awaitable", "Coroutine", "AsyncIterator", "Iterator", "Iterable", "Type"),
    *("Dict", "FrozenSet", "List", "Mapping", "MutableMapping", "Sequence", "Set", "Tuple"),
)
"""Names of `typing` that stand before most brackets."""


@contextmanager
def plain_annotations() -> Generator[ModuleType]:
    """Let modules that are imported have a `typing` whose generic types leave unread what stands in their brackets."""
    plain, names = ModuleType("typing"), vars(typing)
    vars(plain).update(names | {name: _Plain(names[name]) for name in TYPES if name in names})
    sys.modules["typing"] = plain
    try:
        yield plain
    finally:
        sys.modules["typing"] = typing


class _Plain:
    """A generic type for annotations; as a base class, and for `isinstance`, it is the real one."""

    def __init__(self, real: Any) -> None:
        self._real = real

    def __getitem__(self, _: object) -> _Plain:
        return self

    def __or__(self, _: object) -> _Plain:
        return self

    __ror__ = __or__

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def __mro_entries__(self, bases: tuple[object, ...]) -> tuple[type, ...]:
        return self._real.__mro_entries__(tuple(getattr(base, "_real", base) for base in bases))

    def __instancecheck__(self, value: object) -> bool:
        return isinstance(value, self._real)
