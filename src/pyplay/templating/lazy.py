"""Containers that render what they hold when it is read.

What a template sees of a container, whoever wrote it, is one of these: a copy, so that templates that change
containers (`x.append(1)`) change nothing but their own view, whose values are rendered when they are looked at, once.
They are a dict and a list, and read as such everywhere. Values that are not templates are left as they are, so they may
be stored back in place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex, overload

from pyplay.templating.atoms import ATOMS

if TYPE_CHECKING:
    from _collections_abc import dict_items, dict_values
    from collections.abc import Callable, Iterable, Iterator, Mapping

    Render = Callable[[Any], Any]


RAW_MAP: type[dict[Any, Any]] = dict
RAW_LIST: type[list[Any]] = list


class LazyMap(dict[Any, Any]):
    """A dict whose values are rendered on access."""

    __slots__ = ("_render",)
    _render: Render

    def __init__(self, render: Render, raw: Mapping[Any, Any]) -> None:
        super().__init__(raw)
        self._render = render

    def _forced(self) -> dict[Any, Any]:
        """Render all values in place and give the dict itself."""
        render = self._render
        for key, raw in RAW_MAP.items(self):  # replacing values does not disturb the iteration
            if type(raw) not in ATOMS:
                value = render(raw)
                if value is not raw:
                    RAW_MAP.__setitem__(self, key, value)
        return self

    def __getitem__(self, key: Any) -> Any:
        raw = RAW_MAP.__getitem__(self, key)
        value = self._render(raw)
        if value is not raw:
            RAW_MAP.__setitem__(self, key, value)
        return value

    def get(self, key: Any, default: Any = None) -> Any:
        """Give the rendered value of `key`, or `default`."""
        if key not in self:
            return default
        return self[key]

    def __iter__(self) -> Iterator[Any]:
        return RAW_MAP.__iter__(self)  # its presence makes dict() and ** use keys and items instead of our storage

    def items(self) -> dict_items[Any, Any]:
        """Give keys and rendered values."""
        return RAW_MAP.items(self._forced())

    def values(self) -> dict_values[Any, Any]:
        """Give the rendered values."""
        return RAW_MAP.values(self._forced())

    def pop(self, key: Any, *default: Any) -> Any:
        """Take `key` out and give its rendered value."""
        return self._render(RAW_MAP.pop(self, key, *default))

    def popitem(self) -> tuple[Any, Any]:
        """Take the last key out and give it with its rendered value."""
        key, raw = RAW_MAP.popitem(self)
        return key, self._render(raw)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """Give the rendered value of `key`, put there if it is missing."""
        RAW_MAP.setdefault(self, key, default)
        return self[key]

    def copy(self) -> LazyMap:
        """Give a copy that renders as this one does."""
        return LazyMap(self._render, dict(RAW_MAP.items(self)))

    def __or__(self, other: Any) -> dict[Any, Any]:
        return dict(self._forced()) | other

    def __ror__(self, other: Any) -> dict[Any, Any]:
        return other | dict(self._forced())

    def __eq__(self, other: object) -> bool:
        return RAW_MAP.__eq__(self._forced(), other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None

    def __repr__(self) -> str:
        return RAW_MAP.__repr__(self._forced())

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy as the plain dict it stands for."""
        return dict, (list(self.items()),)


class LazyList(list[Any]):
    """A list whose elements are rendered on access."""

    __slots__ = ("_render",)
    _render: Render

    def __init__(self, render: Render, raw: Iterable[Any]) -> None:
        super().__init__(raw)
        self._render = render

    def _forced(self) -> list[Any]:
        """Render all elements in place and give the list itself."""
        render = self._render
        for index, raw in enumerate(RAW_LIST.__iter__(self)):
            if type(raw) not in ATOMS:
                value = render(raw)
                if value is not raw:
                    RAW_LIST.__setitem__(self, index, value)
        return self

    @overload
    def __getitem__(self, index: SupportsIndex) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...
    def __getitem__(self, index: Any) -> Any:
        raw = RAW_LIST.__getitem__(self, index)
        if isinstance(index, slice):
            return LazyList(self._render, raw)
        value = self._render(raw)
        if value is not raw:
            RAW_LIST.__setitem__(self, index, value)
        return value

    def __iter__(self) -> Iterator[Any]:
        index = 0
        while index < len(self):  # like list, this sees elements added on the way
            yield self[index]
            index += 1

    def __reversed__(self) -> Iterator[Any]:
        for index in range(len(self) - 1, -1, -1):
            yield self[index]

    def __contains__(self, wanted: object) -> bool:
        return any(value is wanted or value == wanted for value in self)

    def index(self, value: Any, *bounds: SupportsIndex) -> int:
        """Give where `value` stands first. Raises ValueError."""
        return RAW_LIST.index(self._forced(), value, *bounds)

    def count(self, value: Any) -> int:
        """Count the elements equal to `value`."""
        return RAW_LIST.count(self._forced(), value)

    def pop(self, index: SupportsIndex = -1) -> Any:
        """Take the element at `index` out and give it rendered."""
        return self._render(RAW_LIST.pop(self, index))

    def remove(self, value: Any) -> None:
        """Take out the first element equal to `value`. Raises ValueError."""
        RAW_LIST.remove(self._forced(), value)

    def sort(self, *, key: Any = None, reverse: bool = False) -> None:
        """Sort in place."""
        RAW_LIST.sort(self._forced(), key=key, reverse=reverse)

    def copy(self) -> LazyList:
        """Give a copy that renders as this one does."""
        return LazyList(self._render, RAW_LIST.__getitem__(self, slice(None)))

    def __add__(self, other: Any) -> list[Any]:
        return RAW_LIST.__getitem__(self._forced(), slice(None)) + other

    def __radd__(self, other: Any) -> list[Any]:
        return other + RAW_LIST.__getitem__(self._forced(), slice(None))

    def __mul__(self, times: SupportsIndex) -> list[Any]:
        return RAW_LIST.__mul__(self._forced(), times)

    def __rmul__(self, times: SupportsIndex) -> list[Any]:
        return RAW_LIST.__mul__(self._forced(), times)

    def __eq__(self, other: object) -> bool:
        return RAW_LIST.__eq__(self._forced(), other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: Any) -> bool:
        return RAW_LIST.__lt__(self._forced(), other)

    def __le__(self, other: Any) -> bool:
        return RAW_LIST.__le__(self._forced(), other)

    def __gt__(self, other: Any) -> bool:
        return RAW_LIST.__gt__(self._forced(), other)

    def __ge__(self, other: Any) -> bool:
        return RAW_LIST.__ge__(self._forced(), other)

    __hash__ = None

    def __repr__(self) -> str:
        return RAW_LIST.__repr__(self._forced())

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy as the plain list it stands for."""
        return list, (list(self),)


def members(value: LazyList) -> Iterator[Any]:
    """Give all elements of `value` rendered, quicker than one by one."""
    return RAW_LIST.__iter__(value._forced())  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  # no method: templates would see it
