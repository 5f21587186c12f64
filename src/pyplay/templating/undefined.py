"""Undefined values: they may be passed on and defaulted, and fail when they are used.

`foo.bar.baz | default('x')` works with `foo` undefined, since what one reads from an undefined value is the same
undefined value. Source: Ansible 2.19, "Undefined variables"; Jinja's StrictUndefined and ChainableUndefined.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

import jinja2
from jinja2.utils import missing, object_type_repr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyplay.diagnostics.model import Origin


class UndefinedUse(jinja2.UndefinedError):
    """An undefined value was used. It is `undefined`, whose `text` and `origin` tell where it came to be."""

    def __init__(self, undefined: Undefined, message: str) -> None:
        self.undefined = undefined
        super().__init__(message)


class Undefined(jinja2.StrictUndefined):
    """A variable or attribute that is not there.

    `text` and `origin` are the innermost template that found it missing, filled in by the Templar.
    """

    __slots__ = ("origin", "text")
    origin: Origin | None
    text: str | None
    _undefined_hint: str | None
    _undefined_obj: Any
    _undefined_name: Any

    def __init__(self, hint: str | None = None, obj: Any = missing, name: Any = None, exc: object = None) -> None:
        del exc  # Jinja's security error; using the value fails the same way
        self._undefined_hint = hint
        self._undefined_obj = obj
        self._undefined_name = name
        self.origin = None
        self.text = None

    @property
    def _undefined_exception(self) -> Callable[[str], Exception]:
        return partial(UndefinedUse, self)

    @property
    def _undefined_message(self) -> str:
        if self._undefined_hint:
            return self._undefined_hint
        if self._undefined_obj is missing:
            return f"'{self._undefined_name}' is undefined"
        kind = type_name(self._undefined_obj)
        if isinstance(self._undefined_name, str):
            return f"'{kind}' has no attribute '{self._undefined_name}'"
        return f"{kind} has no element {self._undefined_name!r}"

    @property
    def message(self) -> str:
        """Give what is undefined, in one sentence."""
        return self._undefined_message

    @property
    def name(self) -> str | None:
        """Give the name that is not there, None where it has none (`undef()`, an index)."""
        return self._undefined_name if isinstance(self._undefined_name, str) else None

    @property
    def owner(self) -> Any:
        """Give the object without the attribute; `jinja2.utils.missing` for a variable."""
        return self._undefined_obj

    def placed(self, text: str, origin: Origin | None) -> Undefined:
        """Remember that the template `text` at `origin` found this; the first that says so is right."""
        if self.text is None:
            self.text, self.origin = text, origin
        return self

    def fail(self) -> None:
        """Raise UndefinedUse."""
        raise UndefinedUse(self, self._undefined_message)

    def __getattr__(self, name: str) -> Undefined:
        if name[:2] == "__":
            raise AttributeError(name)
        return self

    def __getitem__(self, _key: object) -> Undefined:
        return self

    def __repr__(self) -> str:
        return "Undefined"


class Unchosen(Undefined):
    """What `a if b` without an else gives where `b` does not hold: no text, no members, false.

    Jinja uses its lenient undefined value here, whatever class the environment has, and playbooks count on it
    (`{{ "," if not loop.last }}`). Only as a value of its own it fails, for no variable can hold it.
    """

    __slots__ = ()

    def __str__(self) -> str:
        return ""

    def __bool__(self) -> bool:
        return False

    def __getattr__(self, name: str) -> NoReturn:
        if name[:2] == "__":
            raise AttributeError(name)
        raise jinja2.UndefinedError(self._undefined_message)  # which is never defaulted: observed in core

    def __getitem__(self, _key: object) -> NoReturn:
        raise jinja2.UndefinedError(self._undefined_message)

    def __len__(self) -> int:
        return 0

    def __iter__(self) -> Iterator[Any]:
        yield from ()

    def __contains__(self, _member: object) -> bool:
        return False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unchosen)

    def __ne__(self, other: object) -> bool:
        return not isinstance(other, Unchosen)

    def __hash__(self) -> int:
        return hash(Unchosen)


def type_name(value: object) -> str:
    """Give how messages call the type of `value`: `dict object`, `None`; our own views say what they are."""
    described = getattr(type(value), "described", None)
    if described is not None:
        return described(value)
    for base in (dict, list, str):
        if isinstance(value, base):
            return f"{base.__name__} object"
    return object_type_repr(value)
