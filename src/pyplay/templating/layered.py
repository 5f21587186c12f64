"""Users' own functions before ours, by name; none is loaded before it is asked for."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from pyplay.templating.lookups.registry import LOOKUPS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, MutableMapping

    from pyplay.templating.late import LateFunctions

    Functions = Mapping[str, Callable[..., Any]]


class _Elsewhere(Mapping[str, "Callable[..., Any]"]):
    """Functions that are found when their names are asked for; it lists none."""

    def __init__(self, find: Callable[[str], Callable[..., Any] | None]) -> None:
        self._find = find

    def __getitem__(self, name: str) -> Callable[..., Any]:
        found = None if "." in name else self._find(name)
        if found is None:
            raise KeyError(name)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def layered(
    own: Functions | None, ours: LateFunctions, elsewhere: Callable[[str], Callable[..., Any] | None] | None = None
) -> Functions:
    """Give users' plugins before ours, looked up when asked for; `ansible.builtin.X` is always ours."""
    layers: list[Functions] = [ours.prefixed("ansible.builtin."), {} if own is None else own, ours]
    if elsewhere is not None:
        layers.append(_Elsewhere(elsewhere))
    return ChainMap(*(cast("MutableMapping[str, Callable[..., Any]]", layer) for layer in layers))  # only ever read


def all_lookups(
    own: Functions | None = None, elsewhere: Callable[[str], Callable[..., Any] | None] | None = None
) -> Functions:
    """Give every lookup, users' `own` before ours; `elsewhere` finds those of short names that nothing else has."""
    return layered(own, LOOKUPS, elsewhere)
