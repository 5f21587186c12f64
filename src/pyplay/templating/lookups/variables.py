"""Lookups that look at variables and the inventory."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pyplay.templating.filters.plain import shown, type_name
from pyplay.templating.lookups.base import LookupFailed
from pyplay.templating.lookups.options import as_terms, text, warn_unknown
from pyplay.templating.undefined import Undefined

if TYPE_CHECKING:
    from pyplay.templating.lookups.base import LookupCall

_NOTHING = object()


def varnames(terms: Any, call: LookupCall, **unknown: Any) -> list[str]:
    """Give the names of the variables in which a regular expression is found."""
    warn_unknown(unknown, "varnames", call)
    found: list[str] = []
    for term in as_terms(terms):
        pattern = text(term, "varnames", "a regular expression")
        try:
            compiled = re.compile(pattern)
        except re.error as error:
            raise LookupFailed(f"lookup 'varnames': regular expression {shown(pattern)}: {error}") from error
        found.extend(name for name in call.variables if compiled.search(name))
    return found


def variables(terms: Any, call: LookupCall, *, default: Any = None, **unknown: Any) -> list[Any]:
    """Give the values of variables by name; for those not defined `default`, if given, else an undefined value."""
    warn_unknown(unknown, "vars", call)
    found: list[Any] = []
    for term in as_terms(terms):
        if not isinstance(term, str):
            raise LookupFailed(f"lookup 'vars': Variable name must be 'str' not '{type_name(term)}': {shown(term)}")
        name = str(term)
        value: Any = call.variables.get(name, _NOTHING)
        if value is _NOTHING:
            value = _from_hostvars(name, call)
        if value is _NOTHING or isinstance(value, Undefined):
            value = _default(name, value, default)
        found.append(value)
    return found


def _from_hostvars(name: str, call: LookupCall) -> Any:
    """Give the variable as the host has it: a task may see fewer than its host."""
    host = call.variables.get("inventory_hostname")
    hosts = call.variables.get("hostvars")
    try:
        return hosts[host].get(name, _NOTHING) if hosts is not None and host is not None else _NOTHING
    except (KeyError, TypeError, AttributeError):
        return _NOTHING


def _default(name: str, value: Any, default: Any) -> Any:
    if default is not None:
        return default
    return (
        value
        if isinstance(value, Undefined)
        else Undefined(f"No variable named '{name}' was found by lookup 'vars'", name=name)
    )


def inventory_hostnames(terms: Any, call: LookupCall, **unknown: Any) -> list[str]:
    """Give the names of the hosts that patterns match, in the order of the inventory."""
    warn_unknown(unknown, "inventory_hostnames", call)
    patterns = [text(term, "inventory_hostnames", "a pattern") for term in as_terms(terms)]
    return list(call.inventory_hostnames(",".join(patterns))) if patterns else []
