"""Filters on single values: truth, choice, presence, type."""

from __future__ import annotations

from typing import Any

from jinja2 import Undefined, pass_environment

from pyplay.templating.filters.errors import FilterError
from pyplay.templating.filters.plain import note_deprecated, raise_undefined, shown, type_name
from pyplay.templating.marks import lazy

_YES = (True, "yes", "on", "true", "1")
_NO = (False, "no", "off", "false", "0")


@pass_environment
def to_bool(environment: Any, value: Any) -> bool:
    """Tell whether a value means yes: True, 1, or the words yes, on, true, 1 in any case. All else is no.

    What means neither yes nor no is no, and a deprecation.
    """
    word = value.lower() if isinstance(value, str) else value
    if word in _YES:
        return True
    if word not in _NO:
        note_deprecated(environment, "bool-coercion", value=shown(value))
    return False


@lazy
def ternary(value: Any, true_val: Any, false_val: Any, none_val: Any = None) -> Any:
    """Give `true_val` or `false_val` by the truth of a value; `none_val`, if given, when the value is None."""
    if isinstance(value, Undefined):
        raise_undefined(value)
    chosen = true_val if value else false_val
    if value is None and none_val is not None:
        chosen = none_val
    if isinstance(chosen, Undefined):
        raise_undefined(chosen)
    return chosen


@lazy
def mandatory(value: Any, msg: Any = None) -> Any:
    """Give the value, or fail, saying `msg`, if it is not defined."""
    if not isinstance(value, Undefined):
        return value
    if msg is not None and not isinstance(msg, Undefined):
        raise FilterError(str(msg))
    name = getattr(value, "_undefined_name", None)  # jinja2 gives it no public name
    raise FilterError(f"Mandatory variable {name!r} is not defined" if name else "Mandatory variable is not defined")


@lazy
def type_debug(value: Any) -> str:
    """Give the name of a value's type: `str`, `int`, `list`, `NoneType` and the like."""
    return "UndefinedMarker" if isinstance(value, Undefined) else type_name(value)
