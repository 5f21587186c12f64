"""Values of keywords: checked against the table, and brought into the form that the model holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.suggest import did_you_mean
from pyplay.playbook.keywords import LOOP_CONTROL, Takes
from pyplay.playbook.model import LoopControl
from pyplay.playbook.workspace import is_template
from pyplay.source.booleans import read_boolean
from pyplay.source.shapes import is_list, is_map
from pyplay.source.text import SourceMap, Trusted, origin_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pyplay.diagnostics.model import Origin
    from pyplay.playbook.keywords import Keyword
    from pyplay.playbook.workspace import Workspace


class BadValueError(ValueError):
    """A value does not fit its keyword; `mend` says how it would."""

    def __init__(self, message: str, mend: str = "", origin: Origin | None = None) -> None:
        self.mend, self.origin = mend, origin
        super().__init__(message)

    def told(self, keyword: str) -> str:
        """Give the whole message for the value of `keyword`."""
        return f"'{keyword}' {self}"


class BadNameError(BadValueError):
    """A value that should name a variable cannot."""

    def __init__(self, name: Any, origin: Origin | None = None) -> None:
        super().__init__(invalid_name(name), NAMES, origin)

    def told(self, keyword: str) -> str:
        """Give the whole message for the value of `keyword`."""
        return f"{self} in '{keyword}'"


def read_field(space: Workspace, row: Keyword, value: Any, origin: Origin | None, *, late: bool = False) -> Any:
    """Give `value` of the keyword `row` as the model holds it; None for a fault, which is noted at `origin`.

    With `late`, a value that is read only when a task is reached stays as it is and is warned about: the task will
    fail if it is reached, which its conditions may prevent (observed with ansible-core 2.21).
    """
    try:
        found = READERS[row.takes](value)
    except BadValueError as error:
        if row.name == "environment":
            _warn(space, row.name, error, value, origin, then="it is passed over")
            return tuple(item for item in _list(value) if is_map(item) or is_template(item))
        if late and row.takes in READ_LATE and row.name not in _READ_BY_STRATEGY:
            _warn(space, row.name, error, value, origin)
            return _list(value) if row.takes is Takes.CONDITIONS else value
        place, length = _place(error, value, origin)
        space.fault("bad-value", error.told(row.name), place, mend=error.mend, length=length)
        return None
    if isinstance(found, LoopControl):
        for name, error in _loop_control_faults(found):
            _warn(space, f"loop_control.{name}", error, getattr(found, name), found.origin or origin)
    return found


def _warn(
    space: Workspace,
    name: str,
    error: BadValueError,
    value: Any,
    origin: Origin | None,
    *,
    then: str = "the task will fail",
) -> None:
    place, length = _place(error, value, origin)
    space.warn("bad-value", f"{error.told(name)}: {then}", place, mend=error.mend, length=length)


def _place(error: BadValueError, value: Any, origin: Origin | None) -> tuple[Origin | None, int]:
    length = len(value) if isinstance(value, str) and "\n" not in value else 0
    return error.origin or origin_of(value) or origin, length


def describe(value: Any) -> str:
    """Give what `value` is, in words for messages."""
    if is_map(value):
        return "a mapping"
    if is_list(value):
        return "a list"
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return f"'{str(value).lower()}'"
    return f"'{value}'"


NAMES = "names start with a letter or underscore and hold letters, digits and underscores"


def invalid_name(name: Any) -> str:
    """Give the message for what cannot name a variable; scripts look for its beginning."""
    return f"Invalid variable name {describe(name)}"


_CONSTANTS = frozenset(("True", "False", "None", "true", "false", "none", "not"))


def is_variable_name(name: Any) -> bool:
    """Tell whether `name` may name a variable that templates can read.

    Source: the Ansible documentation, "Creating valid variable names"; seen with ansible-core 2.21.
    """
    return isinstance(name, str) and name.isidentifier() and name.isascii() and name not in _CONSTANTS


def _any(value: Any) -> Any:
    return value


def _bool(value: Any) -> Any:
    if isinstance(value, bool) or is_template(value):
        return value
    meant = read_boolean(value)
    if meant is None:
        raise BadValueError(f"takes true or false, not {describe(value)}")
    return meant


def _number(value: Any) -> Any:
    if is_template(value) or isinstance(value, (int, float)):
        return int(value) if isinstance(value, bool) else value
    if isinstance(value, str):
        text = value.strip().removesuffix("%")
        try:
            number = float(text)
        except ValueError:
            pass
        else:
            return int(number) if number.is_integer() and "." not in text else number
    raise BadValueError(f"takes a number, not {describe(value)}")


def _int(value: Any) -> Any:
    number = _number(value)
    if isinstance(number, float):
        if not number.is_integer():
            raise BadValueError(f"takes a whole number, not {describe(value)}")
        return int(number)
    return number


def _text(value: Any) -> Any:
    if isinstance(value, str):
        return value
    if is_map(value) or is_list(value):
        mend = "quote text that holds ': ', or that starts with '{' or '['"
        raise BadValueError(f"takes text, not {describe(value)}", mend)
    return Trusted(str(value))


def _name(value: Any) -> Any:
    """Return the name of `register`, or its mapping of names to expressions."""
    for name in value if is_map(value) else (value,):
        if not is_variable_name(name):
            raise BadNameError(name)
    return value


def _list(value: Any) -> tuple[Any, ...]:
    return tuple(value) if is_list(value) else (value,)


def _plain_list(value: Any) -> tuple[Any, ...]:
    if is_map(value):
        raise BadValueError("takes a list, not a mapping", "start each item with '- '")
    return _list(value)


def _texts(value: Any) -> tuple[Any, ...]:
    if is_map(value):
        raise BadValueError("takes text or a list of texts, not a mapping")
    return tuple(_text(item) for item in _list(value) if item is not None)


def _tags(value: Any) -> tuple[Any, ...]:
    """Give single tags. Commas separate in text, not in the items of a list (observed with ansible-core 2.21)."""
    if isinstance(value, str) and not is_template(value):
        return tuple(dict.fromkeys(part for part in (word.strip() for word in value.split(",")) if part))
    if not (value is None or isinstance(value, str) or is_list(value) or is_map(value)):
        raise BadValueError(f"takes text or a list of texts, not {describe(value)}", f"quote it: '{value}'")
    return tuple(dict.fromkeys(_texts(value)))


def _map(value: Any) -> Any:
    if is_map(value) or is_template(value):
        return value
    raise BadValueError(f"takes a mapping, not {describe(value)}")


def _maps(value: Any) -> tuple[Any, ...]:
    return tuple(_map(item) for item in _list(value) if item is not None)


def _conditions(value: Any) -> tuple[Any, ...]:
    found = tuple(item for item in _list(value) if item is not None)
    for item in found:
        if is_map(item) or is_list(item):
            raise BadValueError(
                f"takes expressions, not {describe(item)}",
                "quote an expression that holds ': ', '{' or '['",
                origin_of(item),
            )
    return found


def _vars(value: Any) -> Any:
    if not is_map(value):
        raise BadValueError(f"takes a mapping of variables, not {describe(value)}", "write 'name: value' below it")
    variables: dict[Any, Any] = value
    for name in variables:
        if not is_variable_name(name):
            origins: Mapping[Any, Origin] = value.key_origins if isinstance(value, SourceMap) else {}
            raise BadNameError(name, origins.get(name))
    return variables


def _loop_control(value: Any) -> Any:
    if not is_map(value):
        raise BadValueError(f"takes a mapping, not {describe(value)}")
    control = LoopControl(origin=origin_of(value))
    options: dict[Any, Any] = value
    for name, item in options.items():
        if name not in LOOP_CONTROL:
            origins: Mapping[Any, Origin] = value.key_origins if isinstance(value, SourceMap) else {}
            raise BadValueError(
                f"has no option '{name}'",
                did_you_mean(str(name), LOOP_CONTROL) or f"there are {', '.join(LOOP_CONTROL)}",
                origins.get(name),
            )
        if item is None:
            continue
        setattr(control, str(name), _list(item) if name == "break_when" else item)
    return control


def _loop_control_faults(control: LoopControl) -> Iterator[tuple[str, BadValueError]]:
    """Give the faults of single options of `loop_control`; they are read when the task is reached."""
    for name, reader in _LOOP_READERS.items():
        value = getattr(control, name)
        try:
            if value is not None and (name == "break_when" or not is_template(value)):
                reader(value)
        except BadValueError as error:
            yield name, error


_LOOP_READERS: Mapping[str, Callable[[Any], Any]] = {
    "loop_var": _name,
    "index_var": _name,
    "pause": _number,
    "extended": _bool,
    "extended_allitems": _bool,
    "break_when": lambda conditions: _conditions(list(conditions)),
}

READ_LATE = frozenset({Takes.BOOL, Takes.INT, Takes.NUMBER, Takes.CONDITIONS})
"""Kinds of values that are read only when a task is reached."""

_READ_BY_STRATEGY = frozenset({"throttle"})  # a bad one ends the run, whatever the task's conditions say


READERS: Mapping[Takes, Callable[[Any], Any]] = {
    Takes.ANY: _any,
    Takes.BOOL: _bool,
    Takes.INT: _int,
    Takes.NUMBER: _number,
    Takes.TEXT: _text,
    Takes.NAME: _name,
    Takes.LIST: _plain_list,
    Takes.TEXTS: _texts,
    Takes.TAGS: _tags,
    Takes.MAP: _map,
    Takes.MAPS: _maps,
    Takes.CONDITIONS: _conditions,
    Takes.VARS: _vars,
    Takes.TASKS: _any,
    Takes.ROLES: _any,
    Takes.LOOP_CONTROL: _loop_control,
}
