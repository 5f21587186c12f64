"""Which attributes of a value templates see: of our own classes only what the class they stand for has.

A text that knows where it was written is text, a container that renders what it holds is a list or a dict; what our
classes know beside that is no variable, nor is anything of an undefined value. So `nope.name` is undefined.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

MAPPING_METHODS = frozenset({"get", "items", "keys", "values"})
_OURS = "pyplay."


def hides(value: object, name: str) -> bool:
    """Whether templates must not see the attribute `name` of `value`. Jinja's sandbox itself refuses `__class__`."""
    if name[:2] == "__":
        return False
    shown = shown_attributes(type(value))
    return shown is not None and name not in shown


@cache
def shown_attributes(kind: type) -> frozenset[str] | None:
    """Return the attributes that templates see of values of the class `kind`, None for all that Jinja allows."""
    if not kind.__module__.startswith(_OURS):
        return None
    if issubclass(kind, Mapping) and not issubclass(kind, dict):
        return MAPPING_METHODS
    return frozenset(name for base in kind.__mro__ if not base.__module__.startswith(_OURS) for name in _public(base))


def _public(base: type) -> list[str]:
    if base.__module__.startswith("jinja2."):  # of an undefined value nothing is there
        return []
    return [name for name in vars(base) if not name.startswith("_")]
