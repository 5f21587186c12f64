"""Filters that treat lists as sets. Order is that of first appearance, where core's order is that of its hash table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jinja2 import pass_environment
from jinja2.filters import make_attrgetter

from pyplay.templating.filters.errors import FilterError
from pyplay.templating.filters.plain import as_list, freeze, shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from jinja2 import Environment


def _by_key(items: list[Any]) -> dict[Any, Any]:
    """Give the items without duplicates, by their hashable stand-in, in order of first appearance."""
    kept: dict[Any, Any] = {}
    for item in items:
        kept.setdefault(freeze(item), item)
    return kept


@pass_environment
def unique(environment: Environment, value: Any, case_sensitive: Any = None, attribute: Any = None) -> list[Any]:
    """Give the items of a list without duplicates; text is compared without case unless `case_sensitive`.

    With `attribute`, items with the same attribute count as duplicates. Mappings are compared only where neither
    that nor `case_sensitive: false` is asked for, as in core: FilterError.
    """
    strict = attribute is not None or (case_sensitive is not None and not case_sensitive)
    get: Callable[[Any], Any] = make_attrgetter(environment, attribute) if attribute is not None else _itself
    kept: dict[Any, Any] = {}
    for item in as_list(value):
        key = get(item)
        if strict and isinstance(key, Mapping):
            raise FilterError(
                "cannot fall back to comparing mappings by attribute or without case", help="value | unique"
            )
        kept.setdefault(key.lower() if isinstance(key, str) and not case_sensitive else freeze(key), item)
    return list(kept.values())


def _itself(item: Any) -> Any:
    return item


def union(first: Any, second: Any) -> list[Any]:
    """Give the items of both lists, each once."""
    return list(_by_key([*as_list(first), *as_list(second)]).values())


def intersect(first: Any, second: Any) -> list[Any]:
    """Give the items that both lists have, each once."""
    other = _by_key(as_list(second))
    return [item for key, item in _by_key(as_list(first)).items() if key in other]


def difference(first: Any, second: Any) -> list[Any]:
    """Give the items of the first list that the second has not, each once."""
    other = _by_key(as_list(second))
    return [item for key, item in _by_key(as_list(first)).items() if key not in other]


def symmetric_difference(first: Any, second: Any) -> list[Any]:
    """Give the items that only one of the lists has, each once."""
    return [*difference(first, second), *difference(second, first)]


def rekey_on_member(value: Any, key: str, duplicates: str = "error") -> dict[Any, Any]:
    """Give a mapping of mappings from a list (or mapping) of them, by the value that each has for `key`.

    `duplicates`: error, or overwrite to let the last one win.
    """
    if duplicates not in ("error", "overwrite"):
        raise FilterError(
            f"duplicates parameter to rekey_on_member has unknown value {duplicates!r}", help="error or overwrite"
        )
    result: dict[Any, Any] = {}
    for item in _mappings(value):
        if key not in item:
            raise FilterError(f"Key {key!r} was not found in {shown(item)}")
        name = item[key]
        if name in result and duplicates == "error":
            raise FilterError(
                f"Key {name!r} is not unique, cannot convert to dict", help="duplicates='overwrite' takes the last one"
            )
        result[name] = item
    return result


def _mappings(value: Any) -> list[Any]:
    if isinstance(value, dict):
        items: list[Any] = list(value.values())  # type: ignore[arg-type]
    elif isinstance(value, (list, tuple, set)):
        items = list(value)  # type: ignore[arg-type]
    else:
        raise FilterError(f"Type is not a valid list, set, or dict: {shown(value)}")
    if not all(isinstance(item, dict) for item in items):
        raise FilterError("List item is not a valid dict")
    return items
