"""The environment with everything pyplay brings: its filters, tests and lookups over Jinja's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.templating.environment import TemplateEnvironment
from pyplay.templating.filters.registry import FILTERS
from pyplay.templating.lookups.registry import LOOKUPS
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
    **services: Any,
) -> TemplateEnvironment:
    """Give the template environment of a run.

    `filters`, `tests` and `lookups` are users' own; they go before those of pyplay, which go before Jinja's. `services`
    are the other arguments of TemplateEnvironment.
    """
    return TemplateEnvironment(
        settings,
        filters={**FILTERS, **(filters or {})},
        tests={**TESTS, **(tests or {})},
        lookups={**LOOKUPS, **(lookups or {})},
        **services,
    )
