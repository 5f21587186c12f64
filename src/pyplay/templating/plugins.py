"""The environment with everything pyplay brings: its filters, tests and lookups over Jinja's own."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from pyplay.templating.environment import TemplateEnvironment
from pyplay.templating.filters.registry import FILTERS
from pyplay.templating.lookups.registry import LOOKUPS
from pyplay.templating.tests.registry import TESTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, MutableMapping

    from pyplay.templating.late import LateFunctions

    Functions = Mapping[str, Callable[..., Any]]


def standard_environment(
    settings: Any,
    *,
    filters: Functions | None = None,
    tests: Functions | None = None,
    lookups: Functions | None = None,
    elsewhere: Mapping[str, Callable[[str], Callable[..., Any] | None]] | None = None,
    **services: Any,
) -> TemplateEnvironment:
    """Give the template environment of a run.

    `filters`, `tests` and `lookups` are users' own (see `user_plugins`), mappings that may grow while the run goes on;
    they go before those of pyplay, which go before Jinja's. `elsewhere` finds, by kind, functions of short names that
    nothing else has. `services` are the other arguments of TemplateEnvironment.
    """
    return TemplateEnvironment(
        settings,
        filters=_layered(filters, FILTERS),
        tests=_layered(tests, TESTS),
        lookups=_layered(lookups, LOOKUPS, (elsewhere or {}).get("lookup")),
        elsewhere=elsewhere,
        **services,
    )


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


def _layered(
    own: Functions | None, ours: LateFunctions, elsewhere: Callable[[str], Callable[..., Any] | None] | None = None
) -> Functions:
    """Give users' plugins before ours, looked up when asked for; `ansible.builtin.X` is always ours."""
    layers: list[Functions] = [ours.prefixed("ansible.builtin."), {} if own is None else own, ours]
    if elsewhere is not None:
        layers.append(_Elsewhere(elsewhere))
    return ChainMap(*(cast("MutableMapping[str, Callable[..., Any]]", layer) for layer in layers))  # only ever read
