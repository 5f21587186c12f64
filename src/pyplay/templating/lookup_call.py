"""Calling a lookup: what it gets, what becomes of its list, and how its failure is met."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jinja2

from pyplay.diagnostics.errors import PyplayError
from pyplay.diagnostics.model import Diagnostic, Severity
from pyplay.diagnostics.suggest import did_you_mean
from pyplay.source.collection_homes import home_hint
from pyplay.templating.context import VarsView
from pyplay.templating.lookups.base import LookupCall, LookupFailed
from pyplay.templating.marks import is_ours
from pyplay.templating.undefined import UndefinedUse
from pyplay.templating.values import finish, plain, trust_kept

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyplay.templating.templar import Templar

ERRORS = ("strict", "warn", "ignore")
_PREFIXES = ("ansible.builtin.", "ansible.legacy.")


def find_lookup(templar: Templar, name: str) -> Callable[..., Any]:
    """Give the lookup of that name, bare or with `ansible.builtin.` before it. Raises LookupFailed."""
    lookups = templar.environment.lookups
    bare = name
    for prefix in _PREFIXES:
        bare = bare.removeprefix(prefix)
    found = lookups.get(name) or lookups.get(bare) or lookups.get(_PREFIXES[0] + bare)
    if found is None:
        raise LookupFailed(
            f"there is no lookup '{name}'", help=home_hint("lookup", name) or did_you_mean(bare, lookups)
        )
    return found


def run_lookup(
    templar: Templar, name: str, terms: Any, options: dict[str, Any] | None = None, *, wantlist: bool = True
) -> list[Any]:
    """Give the list that the lookup `name` makes of `terms`, which are resolved, as plain data.

    This is what `with_name:` loops over. Raises LookupFailed, UndefinedUse, or what a lookup raises on purpose.
    """
    environment = templar.environment
    extra: dict[str, Any] = {}
    if environment.inventory_hostnames is not None:
        extra["inventory_hostnames"] = environment.inventory_hostnames
    call = LookupCall(
        templar=templar,
        variables=VarsView(templar),
        settings=environment.settings,
        read_bytes=environment.read_bytes,
        on_warning=templar.notices.append,
        wantlist=wantlist,
        subdir=templar.subdir,
        **extra,
    )
    function = find_lookup(templar, name)
    try:
        leave = trust_kept if is_ours(function) else plain
        return leave(list(function(terms, call, **(options or {}))))
    except (PyplayError, jinja2.UndefinedError, LookupFailed):
        raise
    except Exception as error:  # the edge of users' plugins: they may raise anything
        raise LookupFailed(f"lookup '{name}': {error or type(error).__name__}") from error


def call_lookup(templar: Templar, name: str, terms: list[Any], options: dict[str, Any], *, wantlist: bool) -> Any:
    """Call the lookup `name` as templates do.

    `errors` among the options says what a failure is: an error (`strict`), a warning (`warn`) or nothing (`ignore`);
    after these two the result is None, or an empty list. Source: the Ansible documentation, "Lookups".
    """
    errors = options.pop("errors", "strict")
    if errors not in ERRORS:
        raise LookupFailed(f"lookup '{name}': errors is {errors!r}", help=f"it is one of {', '.join(ERRORS)}")
    try:
        found = run_lookup(templar, name, finish(terms), finish(options), wantlist=wantlist)
    except UndefinedUse as error:
        return error.undefined  # to be defaulted, or to fail when it is used
    except (PyplayError, LookupFailed) as error:
        if errors == "strict":
            raise
        if errors == "warn":
            message = f"lookup '{name}' failed: {error}"
            templar.notices.append(Diagnostic("lookup-failed", message, severity=Severity.WARNING))
        return [] if wantlist else None
    if wantlist or not found:
        return found
    if len(found) == 1:
        return found[0]
    return ",".join(found) if all(isinstance(value, str) for value in found) else found
