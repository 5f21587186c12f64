"""The lookup that gives settings, by Ansible's names for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.model import Diagnostic, Severity
from pyplay.diagnostics.suggest import nearest
from pyplay.templating.lookups.base import LookupFailed
from pyplay.templating.lookups.options import as_terms, boolean, text, warn_unknown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyplay.source.setting import Setting
    from pyplay.templating.lookups.base import LookupCall

PLUGIN_TYPES = (
    "become", "cache", "callback", "cliconf", "connection", "httpapi", "inventory", "lookup", "netconf", "shell",
    "vars",
)  # fmt: skip

_ALIASES = {
    "DEFAULT_HOST_LIST": "inventory",
    "DEFAULT_MODULE_PATH": "library",
    "COLLECTIONS_PATHS": "collections_path",
    "DEFAULT_TRANSPORT": "transport",
    "DEFAULT_REMOTE_PORT": "remote_port",
    "DEFAULT_FILTER_PLUGIN_PATH": "filter_plugins",
    "DEFAULT_TEST_PLUGIN_PATH": "test_plugins",
    "DEFAULT_LOOKUP_PLUGIN_PATH": "lookup_plugins",
    "DEFAULT_ACTION_PLUGIN_PATH": "action_plugins",
    "DEFAULT_CALLBACK_PLUGIN_PATH": "callback_plugins",
    "DEFAULT_CONNECTION_PLUGIN_PATH": "connection_plugins",
}


_PLUGIN_ALIASES = {"port": "remote_port"}


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
    if on_missing not in {"error", "warn", "skip"}:
        raise LookupFailed(f"lookup 'config': unknown on_missing {on_missing!r}", help="error, warn or skip")
    if (plugin_type is None) != (plugin_name is None):
        raise LookupFailed("lookup 'config' takes plugin_type and plugin_name together")
    if plugin_type is not None and plugin_type not in PLUGIN_TYPES:
        raise LookupFailed(
            f"lookup 'config': unknown plugin_type {plugin_type!r}", help=f"one of {', '.join(PLUGIN_TYPES)}"
        )
    if call.settings is None:
        raise LookupFailed("lookup 'config': there are no settings here")
    found: list[Any] = []
    for term in as_terms(terms):
        name = text(term, "config", "a name")
        row = _plugin_row(name, plugin_name) if plugin_name else find_setting(name)
        if row is None:
            _missing(name, plugin_name, on_missing, call)
            continue
        value = getattr(call.settings, row.name)
        value = list(value) if isinstance(value, tuple) else value  # type: ignore[arg-type]
        origin = call.settings.origins.get(row.name, "default")
        found.append([value, str(origin)] if boolean(show_origin, "config", "show_origin") else value)
    return found


def _table() -> Sequence[Setting]:
    from pyplay.source.settings import SETTINGS  # noqa: PLC0415  # a long table that few playbooks ask for

    return SETTINGS


def _names(row: Setting) -> set[str]:
    """Give the names by which Ansible's configuration may know a setting."""
    words = {row.name.upper(), *(name.removeprefix("ANSIBLE_") for name in row.env)}
    return words | {f"DEFAULT_{word}" for word in words}


def find_setting(name: str) -> Setting | None:
    """Give the row of the setting that Ansible, or we, call `name`; None if there is none."""
    wanted = _ALIASES.get(name)
    for row in _table():
        if row.name in {name, wanted} or name in _names(row):
            return row
    return None


def _plugin_row(name: str, plugin: str) -> Setting | None:
    wanted = (f"{plugin}_{name}", name, _PLUGIN_ALIASES.get(name, name))
    rows = {row.name: row for row in _table()}
    return next((rows[each] for each in wanted if each in rows), None)


def _missing(name: str, plugin: str | None, on_missing: str, call: LookupCall) -> None:
    if on_missing == "skip":
        return
    message = f"lookup 'config': there is no setting {name!r}" + (f" of {plugin}" if plugin else "")
    near = nearest(name, [f"DEFAULT_{row.name.upper()}" for row in _table()] + [row.name for row in _table()])
    mend = f"did you mean {near}?" if near else ""
    if on_missing == "warn":
        call.on_warning(Diagnostic("unknown-setting", message, help=mend, severity=Severity.WARNING))
        return
    raise LookupFailed(message, help=mend)
