"""The environment with everything pyplay brings: its filters, tests and lookups over Jinja's own."""

from __future__ import annotations

from collections import ChainMap
from typing import TYPE_CHECKING, Any, cast

from pyplay.templating.environment import TemplateEnvironment
from pyplay.templating.filters.registry import FILTERS
from pyplay.templating.lookups.registry import LOOKUPS
from pyplay.templating.tests.registry import TESTS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, MutableMapping

    Functions = Mapping[str, Callable[..., Any]]


def standard_environment(
    settings: Any,
    *,
    filters: Functions | None = None,
    tests: Functions | None = None,
    lookups: Functions | None = None,
    **services: Any,
) -> TemplateEnvironment:
    """Give the template environment of a run.

    `filters`, `tests` and `lookups` are users' own (see `user_plugins`), mappings that may grow while the run goes on;
    they go before those of pyplay, which go before Jinja's. `services` are the other arguments of TemplateEnvironment.
    """
    return TemplateEnvironment(
        settings,
        filters=_layered(filters, FILTERS),
        tests=_layered(tests, TESTS),
        lookups=_layered(lookups, LOOKUPS),
        **services,
    )


def _layered(own: Functions | None, ours: Functions) -> Functions:
    """Give users' plugins before ours, looked up when asked for; `ansible.builtin.X` is always ours."""
    qualified = {f"ansible.builtin.{name}": function for name, function in ours.items()}
    layers = [qualified, {} if own is None else own, ours]
    return ChainMap(*(cast("MutableMapping[str, Callable[..., Any]]", layer) for layer in layers))  # only ever read
