"""The environment with everything pyplay brings: its filters, tests and lookups over Jinja's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.templating.environment import TemplateEnvironment
from pyplay.templating.filters.registry import FILTERS
from pyplay.templating.layered import all_lookups, layered
from pyplay.templating.tests.registry import TESTS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

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
        filters=layered(filters, FILTERS),
        tests=layered(tests, TESTS),
        lookups=all_lookups(lookups, (elsewhere or {}).get("lookup")),
        elsewhere=elsewhere,
        **services,
    )
