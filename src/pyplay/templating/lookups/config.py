"""The lookup that gives settings, by Ansible's names for them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, cast

from pyplay.diagnostics.model import Diagnostic, Severity
from pyplay.diagnostics.suggest import nearest
from pyplay.templating.lookups.base import LookupFailed
from pyplay.templating.lookups.options import as_terms, boolean, warn_unknown

if TYPE_CHECKING:
    from pyplay.source.catalogue import Catalogue, Entry
    from pyplay.source.settings import Settings
    from pyplay.templating.lookups.base import LookupCall


def config(
    terms: Any,
    call: LookupCall,
    *,
    on_missing: str = "error",
    plugin_type: str | None = None,
    plugin_name: str | None = None,
    show_origin: Any = False,
    **unknown: Any,
) -> list[Any]:
    """Give the values of settings by their names in Ansible's configuration (`DEFAULT_FORKS`) or here (`forks`).

    With `plugin_type` and `plugin_name`: of that plugin's option. `on_missing` says what an unknown name is: error,
    warn or skip. `show_origin` gives pairs of value and where it came from.
    """
    warn_unknown(unknown, "config", call)
    if on_missing not in ("error", "warn", "skip"):
        raise LookupFailed(
            f"lookup 'config': Invalid value {on_missing!r} of on_missing", help="it is error, warn or skip"
        )
    if (plugin_type is None) != (plugin_name is None):
        raise LookupFailed("lookup 'config': Both plugin_type and plugin_name are needed, or none of them")
    if call.settings is None:
        raise LookupFailed("lookup 'config': there are no settings here")
    from pyplay.source.catalogue import Catalogue, plain  # noqa: PLC0415  # long tables that few playbooks ask for

    catalogue = Catalogue(cast("Settings", call.settings), os.environ, os.getcwd())  # noqa: PTH109  # plain text
    with_origin = boolean(show_origin, "config", "show_origin")
    found: list[Any] = []
    for term in as_terms(terms):
        if not isinstance(term, str):
            raise LookupFailed(f"lookup 'config': Invalid setting identifier {term!r}", help="a name is text")
        entry = _entry(str(term), plugin_type, plugin_name, catalogue, call)
        if entry is None:
            _missing(str(term), plugin_name, on_missing, call)
            continue
        value = plain(entry.value)
        found.append([value, entry.origin] if with_origin else value)
    return found


def _entry(name: str, type_: str | None, plugin: str | None, catalogue: Catalogue, call: LookupCall) -> Entry | None:
    from pyplay.source.catalogue import from_variables  # noqa: PLC0415  # as above

    if type_ is not None and plugin is not None:
        _check_plugin(type_, plugin)
        return catalogue.plugin_option(type_, plugin, name, call.variables)
    entry = catalogue.find(name)
    return from_variables(entry, call.variables) if entry else None


def _check_plugin(type_: str, plugin: str) -> None:
    from pyplay.source.plugin_settings import PLUGIN_OPTIONS, PLUGIN_TYPES  # noqa: PLC0415  # as above

    if type_ not in PLUGIN_TYPES:
        raise LookupFailed(f"lookup 'config': unknown plugin_type {type_!r}", help=f"one of {', '.join(PLUGIN_TYPES)}")
    if "." in plugin and not plugin.startswith(("ansible.builtin.", "ansible.legacy.")):
        known = sorted({option.plugin for option in PLUGIN_OPTIONS if option.type == type_})
        raise LookupFailed(
            f"lookup 'config': Unable to load {type_} plugin {plugin!r}: settings of other plugins are not known",
            help=f"known are those of {', '.join(known)}" if known else "",
        )


def _missing(name: str, plugin: str | None, on_missing: str, call: LookupCall) -> None:
    if on_missing == "skip":
        return
    from pyplay.source.catalogue import BASE  # noqa: PLC0415  # as above
    from pyplay.source.setting_names import ansible_name  # noqa: PLC0415  # as above

    message = f"lookup 'config': No config definition exists for {name!r}" + (f" of {plugin}" if plugin else "")
    near = nearest(name, [ansible_name(row) for row in BASE] + [row.name for row in BASE if row.own])
    mend = f"did you mean {near}?" if near else ""
    if on_missing == "warn":
        call.on_warning(Diagnostic("unknown-setting", message, help=mend, severity=Severity.WARNING))
        return
    raise LookupFailed(message, help=mend)
