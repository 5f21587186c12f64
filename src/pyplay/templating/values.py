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

from pyplay.templating.atoms import ATOMS, AtomList
from pyplay.templating.lazy import LazyList, members
from pyplay.templating.omit import OMIT
from pyplay.templating.sealed import Sealed
from pyplay.templating.undefined import Unchosen, Undefined

if TYPE_CHECKING:
    from collections.abc import Iterable

_EMPTY: dict[str, str] = {}
_DICT_KEYS, _DICT_VALUES, _DICT_ITEMS = type(_EMPTY.keys()), type(_EMPTY.values()), type(_EMPTY.items())
_VIEWS = (Iterator, range, KeysView, ValuesView, AbstractSet)


class UnstorableError(jinja2.TemplateRuntimeError):
    """The result of a template is a function or another thing that no variable can hold."""

    def __init__(self, value: object) -> None:
        super().__init__(f"the result is a {type(value).__name__}, which is no value that a variable can hold")


def plain(value: Any) -> Any:
    """Give `value` for a filter: exact strings, dicts and lists all the way down, undefined members kept."""
    kind = value.__class__
    if kind in ATOMS:
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, dict):
        items = cast("dict[Any, Any]", value).items()
        return {plain(key): member if type(member) in ATOMS else plain(member) for key, member in items}
    if kind is AtomList:
        return list(value)
    if isinstance(value, list):
        return [member if type(member) in ATOMS else plain(member) for member in _members(cast("list[Any]", value))]
    if kind is tuple:
        return tuple(plain(member) for member in value)
    if isinstance(value, Iterator) or kind in (_DICT_KEYS, _DICT_VALUES):
        return [plain(member) for member in cast("Iterable[Any]", value)]
    return value


def _members(value: list[Any]) -> Iterable[Any]:
    return members(value) if type(value) is LazyList else value


def finish(value: Any) -> Any:
    """Give `value` as a variable or argument can hold it. Raises UndefinedUse, UnstorableError.

    Members that are `omit` are left out of dicts and lists; `omit` alone stays. Tuples, sets and
    iterators become lists.
    """
    kind = value.__class__
    if kind in ATOMS:
        return value
    if isinstance(value, str):
        return str.__str__(value) if isinstance(value, Markup) else value
    if isinstance(value, dict):
        return _finish_items(cast("dict[Any, Any]", value).items())
    if kind is AtomList:
        return list(value)
    if isinstance(value, list):
        return _finish_members(_members(cast("list[Any]", value)))
    if isinstance(value, tuple):
        return _finish_members(cast("Iterable[Any]", value))
    if isinstance(value, (Undefined, Sealed)):
        value.fail()
    if isinstance(value, Mapping):
        return _finish_items(cast("Mapping[Any, Any]", value).items())
    if isinstance(value, _VIEWS) or kind is _DICT_ITEMS:
        return _finish_members(cast("Iterable[Any]", value))
    if isinstance(value, (int, float, dt.date, dt.time, bytes)):
        return value
    raise UnstorableError(value)


def _finish_items(items: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    done: dict[Any, Any] = {}
    for key, member in items:
        if type(member) not in ATOMS:
            member = finish(member)  # noqa: PLW2901  # the same value, finished
        if member is not OMIT:
            done[key if type(key) in ATOMS else _finish_key(key)] = member
    return done


def _finish_key(key: Any) -> Any:
    if isinstance(key, str):
        return str.__str__(key)
    if isinstance(key, tuple):
        return tuple(finish(part) for part in cast("tuple[Any, ...]", key))
    return finish(key)


def _finish_members(members: Iterable[Any]) -> list[Any]:
    done = [member if type(member) in ATOMS else finish(member) for member in members]
    return [member for member in done if member is not OMIT] if OMIT in done else done


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
