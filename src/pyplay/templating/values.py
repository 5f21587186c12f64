"""What leaves templates: plain values, without laziness, trust or undefined members.

Two depths of plainness: `plain` is what filters get (undefined members stay, and fail when they are used), `finish` is
what arguments and variables become (undefined members are errors, omitted ones are left out).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, KeysView, Mapping, ValuesView
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, cast

import jinja2
from markupsafe import Markup

from pyplay.source.text import Trusted
from pyplay.templating.atoms import ATOMS, AtomList
from pyplay.templating.lazy import RAW_LIST, RAW_MAP, LazyList, members
from pyplay.templating.omit import OMIT
from pyplay.templating.sealed import Opened, Sealed
from pyplay.templating.syntax import has_template
from pyplay.templating.undefined import Unchosen, Undefined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Done = dict[int, tuple[Any, Any]]
    Make = Callable[[Any, Done | None], Any]

_EMPTY: dict[str, str] = {}
_DICT_KEYS, _DICT_VALUES, _DICT_ITEMS = type(_EMPTY.keys()), type(_EMPTY.values()), type(_EMPTY.items())
_CONTAINERS = (dict, list)
MET_UNDEFINED = -1
"""The key that tells of undefined members among what was made plain; the others are ids."""
_VIEWS = (Iterator, range, KeysView, ValuesView, AbstractSet)


class UnstorableError(jinja2.TemplateRuntimeError):
    """The result of a template is a function or another thing that no variable can hold."""

    def __init__(self, value: object) -> None:
        super().__init__(f"the result is a {type(value).__name__}, which is no value that a variable can hold")


def plain(value: Any, done: Done | None = None) -> Any:
    """Give `value` for a filter: exact strings, dicts and lists all the way down, undefined members and Opened kept.

    `done` is what was made plain already: what stands in several places (YAML's aliases) is made once. Whether an
    undefined member was met stands there, too, under `MET_UNDEFINED`.
    """
    if value.__class__ in ATOMS:
        return value
    if isinstance(value, str):
        return value if value.__class__ is Opened else str.__str__(value)
    return _plain_container(value, plain, done)


def trust_kept(value: Any, done: Done | None = None) -> Any:
    """Return `value` as `plain` does, but with text that a user wrote still trusted, for functions that only rearrange.

    Text with a template in it loses its trust: it must not be rendered twice. Keys are exact strings, as everywhere.
    """
    if value.__class__ in ATOMS or (value.__class__ is Trusted and not has_template(value)):
        return value
    if isinstance(value, str):
        return plain(value)
    return _plain_container(value, trust_kept, done)


def _plain_container(value: Any, make: Make, done: Done | None) -> Any:
    """Return what is no text with members made by `make`."""
    kind = value.__class__
    if isinstance(value, dict):
        done = {} if done is None else done
        found = _pairs(cast("dict[Any, Any]", value), make, done)
        return {plain(key): member for key, member in found}
    if kind is AtomList:
        return list(value)
    if isinstance(value, list):
        return _members(cast("list[Any]", value), make, {} if done is None else done)
    if kind is tuple:
        return tuple(make(member, done) for member in value)
    if isinstance(value, Iterator) or kind in (_DICT_KEYS, _DICT_VALUES):
        return [make(member, done) for member in cast("Iterable[Any]", value)]
    if kind is Undefined and done is not None:
        done[MET_UNDEFINED] = value, value
    return value


def undefined_member(value: Any, depth: int) -> Undefined | None:
    """Return an undefined member of the plain `value` not deeper than `depth` (1: its own members), None if none is."""
    if depth <= 0 or not isinstance(value, (dict, list, tuple)):
        return None
    every: Iterable[Any] = cast("Any", value.values() if isinstance(value, dict) else value)
    for member in every:
        if type(member) is Undefined:
            return member
        inner = undefined_member(member, depth - 1)
        if inner is not None:
            return inner
    return None


def _pairs(value: dict[Any, Any], make: Make, done: Done) -> list[tuple[Any, Any]]:
    """Give keys as they are, and what `make` makes of the values, each container once."""
    raws = list(RAW_MAP.values(value))  # before they are rendered: aliases are known by what was written
    return [
        (key, member if type(member) in ATOMS else _once(raw, member, make, done))
        for raw, (key, member) in zip(raws, value.items(), strict=True)
    ]


def _members(value: list[Any], make: Make, done: Done) -> list[Any]:
    """Give what `make` makes of the members of a list, each container once."""
    if type(value) is not LazyList:
        return [member if type(member) in ATOMS else _once(member, member, make, done) for member in value]
    raws = RAW_LIST.__getitem__(value, slice(None))
    return [
        member if type(member) in ATOMS else _once(raw, member, make, done)
        for raw, member in zip(raws, members(value), strict=True)
    ]


def _once(raw: Any, member: Any, make: Make, done: Done) -> Any:
    if not isinstance(raw, _CONTAINERS):
        return make(member, done)
    known = done.get(id(raw))  # pyright: ignore[reportUnknownArgumentType]  # any container
    if known is not None:
        return known[1]
    made = make(member, done)
    done[id(raw)] = raw, made  # pyright: ignore[reportUnknownArgumentType]  # held: its id stays its own
    return made


def finish(value: Any, done: Done | None = None) -> Any:
    """Give `value` as a variable or argument can hold it. Raises UndefinedUse, UnstorableError.

    Members that are `omit` are left out of dicts and lists; `omit` alone stays. Tuples, sets and
    iterators become lists. `done` is as for `plain`.
    """
    kind = value.__class__
    if kind in ATOMS:
        return value
    if isinstance(value, str):
        return str.__str__(value) if isinstance(value, (Markup, Opened)) else value
    if isinstance(value, dict):
        return _without_omitted(_pairs(cast("dict[Any, Any]", value), finish, {} if done is None else done))
    if kind is AtomList:
        return list(value)
    if isinstance(value, list):
        found = _members(cast("list[Any]", value), finish, {} if done is None else done)
        return [member for member in found if member is not OMIT] if OMIT in found else found
    if isinstance(value, tuple):
        return _finish_members(cast("Iterable[Any]", value), done)
    if isinstance(value, (Undefined, Sealed)):
        value.fail()
    if isinstance(value, Mapping):
        pairs = cast("Mapping[Any, Any]", value).items()
        return _without_omitted((key, member if type(member) in ATOMS else finish(member)) for key, member in pairs)
    if isinstance(value, _VIEWS) or kind is _DICT_ITEMS:
        return _finish_members(cast("Iterable[Any]", value), done)
    if isinstance(value, (int, float, dt.date, dt.time, bytes)):
        return value
    raise UnstorableError(value)


def _without_omitted(pairs: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    return {key if type(key) in ATOMS else _finish_key(key): member for key, member in pairs if member is not OMIT}


def _finish_key(key: Any) -> Any:
    if isinstance(key, str):
        return str.__str__(key)
    if isinstance(key, tuple):
        return tuple(finish(part) for part in cast("tuple[Any, ...]", key))
    return finish(key)


def _finish_members(members: Iterable[Any], done: Done | None) -> list[Any]:
    found = [member if type(member) in ATOMS else finish(member, done) for member in members]
    return [member for member in found if member is not OMIT] if OMIT in found else found


def text_of(value: Any) -> str:
    """Give what `value` contributes to a text of several parts: nothing for None and `omit`. Raises UndefinedUse."""
    if type(value) is str:
        return value
    if value is None or value is OMIT or type(value) is Unchosen:
        return ""
    return str(finish(value))


def concat(parts: Iterable[Any]) -> Any:
    """Join what a template gave: one part alone is the object itself, several are text, none is None.

    Parts that are None do not count, `omit` counts as no text. Source: observed in ansible-core 2.21.
    """
    kept = list(parts)
    if len(kept) > 1:
        kept = [part for part in kept if part is not None] or kept[:1]
    if not kept:
        return None
    return kept[0] if len(kept) == 1 else "".join([text_of(part) for part in kept])
