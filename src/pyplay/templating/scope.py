"""Scopes: where templates find variables, raw, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

from pyplay.source.text import Trusted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


class Missing:
    """The type of `MISSING`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = Missing()
"""What a scope gives for a name that it does not have."""


class Scope(Protocol):
    """Variables by name. Values are raw: `Trusted` strings in them may be templates."""

    def get(self, name: str, /) -> Any:
        """Give the raw value of `name`, or MISSING."""
        ...

    def names(self) -> Iterable[str]:
        """Give all names, each once or more often; only asked for messages and for `vars`."""
        ...

    def is_injected(self, name: str, /) -> bool:
        """Tell whether `name` is a fact that is a variable of its own only because nobody decided about that."""
        ...

    def is_fact(self, name: str, /) -> bool:
        """Whether the value of `name` is a fact: what a host says."""
        ...


class MapScope:
    """A scope over one mapping."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values

    def get(self, name: str, /) -> Any:
        """Give the raw value of `name`, or MISSING."""
        return self._values.get(name, MISSING)

    def names(self) -> Iterable[str]:
        """Give all names."""
        return self._values.keys()

    def is_injected(self, name: str, /) -> bool:
        """Tell that it is none."""
        del name
        return False

    def is_fact(self, name: str, /) -> bool:
        """Return that it is none."""
        del name
        return False


class OverlayScope:
    """A few variables before all others: loop items, `vars` of one call."""

    __slots__ = ("_base", "_extra")

    def __init__(self, extra: Mapping[str, Any], base: Scope) -> None:
        self._extra, self._base = extra, base

    def get(self, name: str, /) -> Any:
        """Give the raw value of `name`, or MISSING."""
        value = self._extra.get(name, MISSING)
        return self._base.get(name) if value is MISSING else value

    def names(self) -> Iterator[str]:
        """Give all names, those of the overlay first."""
        yield from self._extra
        yield from self._base.names()

    def is_injected(self, name: str, /) -> bool:
        """Tell whether `name` is an injected fact of the scope below."""
        return name not in self._extra and self._base.is_injected(name)

    def is_fact(self, name: str, /) -> bool:
        """Whether the value of `name` is a fact of the scope below."""
        return name not in self._extra and self._base.is_fact(name)


class OwnWord(Trusted):
    """A template that stands for a variable nobody set, and may itself ask for it: there it is undefined.

    So is `remote_user: "{{ ansible_user | default('admin') }}"`, which is what `ansible_user` is in that task.
    """

    __slots__ = ()
