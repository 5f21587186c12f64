"""Plain data: what is left of a value when trust, origins and laziness are taken off."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, ValuesView
from collections.abc import Set as AbstractSet
from itertools import islice
from types import GeneratorType
from typing import TYPE_CHECKING, Any, NoReturn, TypeGuard

from jinja2 import Undefined

from pyplay.templating.filters.errors import FilterError

if TYPE_CHECKING:
    from collections.abc import Sequence


def raise_undefined(value: Undefined) -> NoReturn:
    """Raise the error that `value` stands for."""
    value._fail_with_undefined_error()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  # the only way


def note_deprecated(environment: Any, code: str, **words: str) -> None:
    """Note a deprecated use of a filter, whom Jinja gave `environment`; see `diagnostics.deprecated`."""
    owner = getattr(environment, "owner", None)  # an environment of others has none
    if owner is not None:
        owner.deprecate(code, **words)


def is_mapping(value: object) -> TypeGuard[Mapping[Any, Any]]:
    """Tell whether `value` is a mapping."""
    return isinstance(value, Mapping)


def is_listlike(value: object) -> TypeGuard[Sequence[Any]]:
    """Tell whether `value` is a list, tuple or range: items in order, not text."""
    return isinstance(value, (list, tuple, range))


def as_list(value: Any) -> list[Any]:
    """Give the items of `value` as a list: keys of a mapping, characters of a text. Raises FilterError for others."""
    if isinstance(value, list):
        return value  # type: ignore[no-any-return]
    if not isinstance(value, Iterable):
        raise FilterError(f"needs a list: {type_name(value)!r} object is not iterable", help=_list_hint(value))
    return list(value)  # type: ignore[arg-type]


def _list_hint(value: object) -> str:
    return "make it one: [value]" if isinstance(value, (int, float)) else ""


def is_lazy_sequence(value: object) -> bool:
    """Tell whether `value` is a view, set, range or generator: something a playbook knows as a list."""
    return isinstance(value, (AbstractSet, ValuesView, range, GeneratorType, map, filter, zip, islice))


def type_name(value: object) -> str:
    """Give the name by which playbook authors know the type of `value`: `str`, `dict`, `NoneType` and the like."""
    for kind in (bool, int, float, str, dict, list):
        if isinstance(value, kind):
            return kind.__name__
    if isinstance(value, Mapping):
        return "dict"
    name = type(value).__name__
    return "list" if is_lazy_sequence(value) and name not in {"set", "frozenset", "range"} else name


def shown(value: object, limit: int = 80) -> str:
    """Give `value` as it may stand in a message: its repr, cut to `limit` characters."""
    text = repr(str(value) if isinstance(value, str) else value)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def freeze(value: Any) -> Any:
    """Give a hashable stand-in for `value`: two stand-ins are equal exactly if the values are. For sets of dicts."""
    if isinstance(value, Mapping):
        return ("dict", frozenset((key, freeze(item)) for key, item in value.items()))  # type: ignore[misc]
    if isinstance(value, list):
        return ("list", tuple(freeze(item) for item in value))  # type: ignore[misc]
    if isinstance(value, tuple):
        return ("tuple", tuple(freeze(item) for item in value))  # type: ignore[misc]
    if isinstance(value, Undefined):
        raise_undefined(value)
    return value
