"""Telling what users wrote from data, where a task sets variables that take only the former (`source.reads`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.source.reads import is_data, is_for_users
from pyplay.source.text import as_written, origin_of
from pyplay.variables.hostvars import HostVars
from pyplay.variables.magic import HOST_MAGIC, MAGIC

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pyplay.templating.scope import Scope
    from pyplay.templating.templar import Templar

_OURS = MAGIC.keys() | HOST_MAGIC.keys()


def resolve_told(raw: Any, templar: Templar) -> tuple[Any, bool]:
    """Return `raw` rendered, and whether data was read on the way: then it may be what a host says."""
    told: list[str] = []
    value = _watched(templar, told.append).resolve(raw)
    return value, bool(told) or is_data(raw)


def rendered_with_trust(name: str, raw: Any, templar: Templar) -> Any:
    """Return `raw`, what the variable `name` is to be, rendered: text as users' own where no data was read on the way.

    What looks like a template stays data, and so does what is inside of lists and mappings, but for the variables of
    which it matters.
    """
    value, told = resolve_told(raw, templar)
    return as_written(value, origin_of(raw)) if not told and (type(value) is str or is_for_users(name)) else value


def _watched(templar: Templar, tell: Callable[[str], object]) -> Templar:
    """Return a templar that calls `tell` with the name of each variable read whose value is data."""
    return type(templar)(
        templar.environment,
        _WatchedScope(templar.scope, tell),
        search_path=templar.search_path,
        basedir=templar.basedir,
        notices=templar.notices,
    )


class _WatchedScope:
    """Tells of each variable that is read and holds data, of other hosts' too."""

    __slots__ = ("_base", "_tell")

    def __init__(self, base: Scope, tell: Callable[[str], object]) -> None:
        self._base, self._tell = base, tell

    def get(self, name: str, /) -> Any:
        """Return the raw value of `name`, or MISSING."""
        raw = self._base.get(name)
        if isinstance(raw, HostVars):
            return raw.seen_by(lambda templar: _watched(templar, self._tell))
        if name not in _OURS and is_data(raw):
            self._tell(name)
        return raw

    def names(self) -> Iterable[str]:
        """Return the names of all variables."""
        return self._base.names()

    def is_injected(self, name: str, /) -> bool:
        """Whether `name` is a fact that stands among the variables only because nobody decided about that."""
        return self._base.is_injected(name)

    def is_fact(self, name: str, /) -> bool:
        """Whether the value of `name` is a fact."""
        return self._base.is_fact(name)

    def __getattr__(self, name: str) -> Any:
        """Return what the scope itself has beside variables."""
        return getattr(self._base, name)
