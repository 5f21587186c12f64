"""The filter that merges mappings, and its rules for lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.templating.filters.errors import FilterError
from pyplay.templating.filters.plain import freeze, is_listlike, is_mapping, shown, type_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def _without(items: list[Any], others: list[Any]) -> list[Any]:
    known = {freeze(item) for item in others}
    return [item for item in items if freeze(item) not in known]


LIST_MERGES: Mapping[str, Callable[[list[Any], list[Any]], list[Any]]] = {
    "replace": lambda _, new: new,
    "keep": lambda old, _: old,
    "append": lambda old, new: [*old, *new],
    "prepend": lambda old, new: [*new, *old],
    "append_rp": lambda old, new: [*_without(old, new), *new],
    "prepend_rp": lambda old, new: [*new, *_without(old, new)],
}


def merge(
    old: Mapping[str, Any], new: Mapping[str, Any], *, recursive: bool = False, list_merge: str = "replace"
) -> dict[str, Any]:
    """Give `old` overlaid with `new`; mappings inside too if `recursive`; lists found in both by `list_merge`."""
    if not old or (not recursive and list_merge == "replace"):
        return {**old, **new}
    join = LIST_MERGES[list_merge]
    result = dict(old)
    for key, value in new.items():
        before = result.get(key)
        if recursive and is_mapping(before) and is_mapping(value):
            result[key] = merge(before, value, recursive=True, list_merge=list_merge)
        elif isinstance(before, list) and isinstance(value, list):
            result[key] = join(before, value)  # type: ignore[arg-type]
        else:
            result[key] = value
    return result


def combine(*terms: Any, recursive: Any = False, list_merge: str = "replace", **unknown: Any) -> dict[str, Any]:
    """Give one mapping from several, later ones winning; a list of mappings counts as its items.

    `recursive` merges mappings inside too. `list_merge` says what becomes of lists in both: replace, keep, append,
    prepend, append_rp, prepend_rp (the last two leave no duplicates of the newer list's items in the older one).
    """
    if unknown:
        raise FilterError(
            "'recursive' and 'list_merge' are the only valid keyword arguments, not " + ", ".join(map(repr, unknown))
        )
    if list_merge not in LIST_MERGES:
        raise FilterError(f"there is no list_merge {list_merge!r}", help=f"one of {', '.join(LIST_MERGES)}")
    result: dict[str, Any] = {}
    for term in _flattened(terms):
        if not is_mapping(term):
            raise FilterError(f"failed to combine variables, expected dicts but got {type_name(term)}: {shown(term)}")
        result = merge(result, term, recursive=bool(recursive), list_merge=list_merge)
    return result


def _flattened(terms: tuple[Any, ...]) -> list[Any]:
    flat: list[Any] = []
    for term in terms:
        flat.extend(term) if is_listlike(term) else flat.append(term)
    return [term for term in flat if term is not None]
