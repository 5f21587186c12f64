"""Lookups that only rearrange what they are given: those behind `with_items`, `with_nested` and the like."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from pyplay.templating.filters.collections import flatten
from pyplay.templating.filters.plain import is_listlike, is_mapping, shown, type_name
from pyplay.templating.lookups.base import LookupFailed
from pyplay.templating.lookups.options import as_terms, boolean, flatten_once, warn_unknown

if TYPE_CHECKING:
    from pyplay.templating.lookups.base import LookupCall


def items(terms: Any, call: LookupCall, **unknown: Any) -> list[Any]:
    """Give the terms, lists among them flattened by one level."""
    warn_unknown(unknown, "items", call)
    return flatten_once(terms)


def as_list(terms: Any, call: LookupCall, **unknown: Any) -> list[Any]:
    """Give the terms as they are."""
    warn_unknown(unknown, "list", call)
    return as_terms(terms)


def indexed_items(terms: Any, call: LookupCall, **unknown: Any) -> list[tuple[int, Any]]:
    """Give pairs of index, from 0, and item; lists among the terms are flattened by one level."""
    warn_unknown(unknown, "indexed_items", call)
    return list(enumerate(flatten_once(terms)))


def dictionary(terms: Any, call: LookupCall, **unknown: Any) -> list[dict[str, Any]]:
    """Give `{key: …, value: …}` for every entry of the mappings given."""
    warn_unknown(unknown, "dict", call)
    entries: list[dict[str, Any]] = []
    for term in as_terms(terms):
        if not is_mapping(term):
            raise LookupFailed(f"the 'dict' lookup plugin expects a dictionary, not {type_name(term)}: {shown(term)}")
        entries.extend({"key": key, "value": value} for key, value in term.items())
    return entries


def random_choice(terms: Any, call: LookupCall, **unknown: Any) -> list[Any]:
    """Give one of the terms by chance."""
    warn_unknown(unknown, "random_choice", call)
    choices = as_terms(terms)
    return [random.SystemRandom().choice(choices)] if choices else []


def _lists(terms: Any, lookup: str) -> list[list[Any]]:
    lists = as_terms(terms)
    if not lists:
        raise LookupFailed(f"lookup '{lookup}' requires at least one element: a list")
    for each in lists:
        if not isinstance(each, Iterable):
            raise LookupFailed(f"lookup '{lookup}' needs lists, not {type_name(each)}: {shown(each)}")
    return [list(each) for each in lists]


def nested(terms: Any, call: LookupCall, **unknown: Any) -> list[list[Any]]:
    """Give every combination of one item of each list; items that are lists are flattened."""
    warn_unknown(unknown, "nested", call)
    return [flatten(row, skip_nulls=False) for row in itertools.product(*_lists(terms, "nested"))]


def together(terms: Any, call: LookupCall, **unknown: Any) -> list[list[Any]]:
    """Give the first items of all lists, then the second ones, …; where a list is too short stands None."""
    warn_unknown(unknown, "together", call)
    return [flatten_once(row) for row in itertools.zip_longest(*_lists(terms, "together"))]


def subelements(terms: Any, call: LookupCall, **unknown: Any) -> list[list[Any]]:
    """Give pairs: each mapping of the first term, and an item of the list at the dotted path that is the second.

    The mapping comes without that list. A third term, `{skip_missing: true}`, leaves out mappings without that path.
    Mappings marked `skipped` are left out.
    """
    warn_unknown(unknown, "subelements", call)
    given = as_terms(terms)
    if len(given) not in {2, 3}:
        raise LookupFailed("lookup 'subelements' needs a list and the path of the lists inside, and may have options")
    source, path = given[0], given[1]
    flags: Any = given[2] if len(given) == 3 else {}
    if not isinstance(path, str) or not is_mapping(flags):
        raise LookupFailed("lookup 'subelements': the path must be a text, the options a mapping")
    skip = boolean(flags.get("skip_missing", False), "subelements", "skip_missing")
    if is_mapping(source):
        source = list(source.values())
    if not is_listlike(source):
        raise LookupFailed(f"lookup 'subelements' needs a list of mappings, not {type_name(source)}")
    pairs: list[list[Any]] = []
    for item in source:
        if not is_mapping(item):
            raise LookupFailed(
                f"subelements lookup expects a dictionary for each item, not {type_name(item)}: {shown(item)}"
            )
        if item.get("skipped"):
            continue
        rest, children = _take(item, path.split("."), skip=skip)
        pairs.extend([rest, child] for child in children)
    return pairs


def _take(item: Mapping[str, Any], path: list[str], *, skip: bool) -> tuple[dict[str, Any], list[Any]]:
    """Give a copy of `item` without what is at `path`, and the list found there."""
    copy = dict(item)
    place = copy
    for key in path[:-1]:
        inner = place.get(key)
        if not is_mapping(inner):
            return copy, _missing(item, path, inner, skip=skip and inner is None)
        place[key] = dict(inner)
        place = place[key]
    if path[-1] not in place:
        return copy, _missing(item, path, None, skip=skip)
    children = place.pop(path[-1])
    if not isinstance(children, list):
        raise LookupFailed(
            f"lookup 'subelements': the key {'.'.join(path)} should point to a list, not {shown(children)}"
        )
    return copy, children  # type: ignore[return-value]


def _missing(item: Mapping[str, Any], path: list[str], found: Any, *, skip: bool) -> list[Any]:
    if skip:
        return []
    dotted = ".".join(path)
    if found is not None:
        raise LookupFailed(
            f"lookup 'subelements': the way to {dotted} should point to a dictionary, not {shown(found)}"
        )
    raise LookupFailed(
        f"lookup 'subelements' could not find '{dotted}' key in {shown(item)}",
        help="{skip_missing: true} leaves such items out",
    )
