"""Filters that take lists and mappings apart and put them together."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from jinja2 import Undefined, pass_environment

from pyplay.templating.filters.errors import FilterError
from pyplay.templating.filters.plain import as_list, is_listlike, is_mapping, raise_undefined, shown, type_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jinja2 import Environment

_NULLS = (None, "None", "null")


def dict2items(value: Any, key_name: str = "key", value_name: str = "value") -> list[dict[str, Any]]:
    """Give a mapping as a list of `{key: …, value: …}`, for loops; the two names can be chosen."""
    if not is_mapping(value):
        raise FilterError(f"requires a dictionary, not {type_name(value)}")
    return [{key_name: key, value_name: item} for key, item in value.items()]


def items2dict(value: Any, key_name: str = "key", value_name: str = "value") -> dict[Any, Any]:
    """Give the mapping that a list of `{key: …, value: …}` stands for: the way back from dict2items."""
    if not is_listlike(value):
        raise FilterError(f"requires a list of dictionaries, not {type_name(value)}")
    result: dict[Any, Any] = {}
    for item in value:
        if not is_mapping(item):
            raise FilterError(f"requires a list of dictionaries, an item is {type_name(item)}: {shown(item)}")
        if key_name not in item or value_name not in item:
            raise FilterError(
                f"an item has no {key_name!r} or no {value_name!r}: {shown(item)}",
                help="name them with key_name and value_name",
            )
        key: Any = item[key_name]
        if isinstance(key, (list, dict)):
            raise FilterError(f"{shown(item[key_name])} cannot be a key")
        result[key] = item[value_name]
    return result


def flatten(value: Any, levels: int | None = None, skip_nulls: Any = True) -> list[Any]:  # noqa: FBT002
    """Give a list with the items of lists inside it, down to `levels` (all); nulls are left out if `skip_nulls`."""
    return list(_flat(as_list(value), levels, skip_nulls=bool(skip_nulls)))


def _flat(items: Any, levels: int | None, *, skip_nulls: bool) -> Iterator[Any]:
    for item in items:
        if skip_nulls and (item is None or (isinstance(item, str) and item in _NULLS)):
            continue
        if is_listlike(item) and (levels is None or levels > 0):
            yield from _flat(item, None if levels is None else levels - 1, skip_nulls=skip_nulls)
        else:
            yield item


def subelements(value: Any, subelement: Any, skip_missing: Any = False) -> list[tuple[Any, Any]]:  # noqa: FBT002
    """Give pairs: every mapping of a list (or mapping of mappings) with each item of the list it has at `subelement`.

    `subelement` is a dotted path (`a.b`) or a list of keys. Mappings without it are an error, or left out.
    """
    if is_mapping(value):
        items = list(value.values())
    elif is_listlike(value):
        items = list(value)
    else:
        raise FilterError(f"must be a list of dicts or a dict, not {type_name(value)}")
    if not isinstance(subelement, (str, list)):
        raise FilterError(f"the path must be a list or a string, not {type_name(subelement)}")
    path: list[Any] = subelement.split(".") if isinstance(subelement, str) else subelement  # type: ignore[assignment]
    pairs: list[tuple[Any, Any]] = []
    for item in items:
        pairs.extend((item, child) for child in _children(item, path, skip_missing=bool(skip_missing)))
    return pairs


def _children(item: Any, path: list[Any], *, skip_missing: bool) -> list[Any]:
    found = item
    for key in path:
        if not is_mapping(found):
            raise FilterError(f"the path to {key!r} should point to a dictionary, not to {shown(found)}")
        if key not in found:
            if skip_missing:
                return []
            raise FilterError(
                f"could not find {key!r} in {shown(item)}", help="skip_missing=true leaves such items out"
            )
        found: Any = found[key]
    if not isinstance(found, list):
        raise FilterError(f"{'.'.join(map(str, path))!r} should point to a list, not to {shown(found)}")
    return found  # type: ignore[no-any-return]


@pass_environment
def extract(environment: Environment, item: Any, container: Any, morekeys: Any = None) -> Any:
    """Give what `container` has at the key or index `item`; with `morekeys` go on into that. For use with map."""
    keys: list[Any] = [item]
    if isinstance(morekeys, list):
        keys.extend(morekeys)  # type: ignore[arg-type]
    elif morekeys is not None:
        keys.append(morekeys)
    value = container
    for key in keys:
        if isinstance(value, Undefined):
            raise_undefined(value)
        value = environment.getitem(value, key)
    return value


def split(value: Any, sep: str | None = None, maxsplit: int = -1) -> list[str]:
    """Give the parts of a text between `sep` (any white space), at most `maxsplit` splits."""
    if not isinstance(value, str):
        raise FilterError(
            f"needs a text, not {type_name(value)}",
            help="for every item of a list: map('split')" if is_listlike(value) else "",
        )
    try:
        return value.split(sep, maxsplit)
    except ValueError as error:
        raise FilterError("the separator is empty", help="text | list gives the characters") from error


def zip_lists(*lists: Any, strict: Any = False) -> list[tuple[Any, ...]]:
    """Give tuples of the first items, the second items, … of all lists; `strict` fails if lengths differ."""
    try:
        return list(zip(*(as_list(each) for each in lists), strict=bool(strict)))
    except ValueError as error:
        raise FilterError(f"the lists are not equally long ({', '.join(str(len(each)) for each in lists)})") from error


def zip_longest(*lists: Any, fillvalue: Any = None) -> list[tuple[Any, ...]]:
    """Give tuples of the first items, the second items, … of all lists; gaps are filled with `fillvalue`."""
    return list(itertools.zip_longest(*(as_list(each) for each in lists), fillvalue=fillvalue))


def product(*lists: Any, repeat: int = 1) -> list[tuple[Any, ...]]:
    """Give all tuples with one item of each list; `repeat` takes the lists several times."""
    return list(itertools.product(*(as_list(each) for each in lists), repeat=repeat))


def combinations(value: Any, set_size: int) -> list[tuple[Any, ...]]:
    """Give all choices of `set_size` items of a list, in order, none twice."""
    return list(itertools.combinations(as_list(value), set_size))


def permutations(value: Any, list_size: int | None = None) -> list[tuple[Any, ...]]:
    """Give all orders of the items of a list, or of any `list_size` of them."""
    return list(itertools.permutations(as_list(value), list_size))
