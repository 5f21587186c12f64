"""All that Ansible's configuration knows, by its names, with values and where they came from.

Made when somebody asks for it: `pyplay config`, the lookup `config`. A run reads `Settings` alone.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.dataclass import dataclass
from pyplay.source.foreign_settings import FOREIGN, read_foreign
from pyplay.source.plugin_settings import PLUGIN_ONLY, PLUGIN_OPTIONS, PluginOption, read_plugin_rows
from pyplay.source.setting import Kind, Setting
from pyplay.source.setting_names import ansible_name
from pyplay.source.settings import SETTINGS
from pyplay.source.settings_load import read_settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pyplay.source.settings import Settings

DEFAULT = "default"
BASE: tuple[Setting, ...] = tuple(
    sorted((*(row for row in SETTINGS if row.name not in PLUGIN_ONLY), *FOREIGN), key=ansible_name)
)
"""The settings that belong to no plugin alone, by Ansible's names."""

_SERVER_OPTIONS = {
    "url": (Kind.TEXT, "Where the server is."),
    "username": (Kind.TEXT, "User to log in as."),
    "password": (Kind.TEXT, "Password of that user."),
    "token": (Kind.TEXT, "Token to log in with."),
    "auth_url": (Kind.TEXT, "Where a token is had."),
    "validate_certs": (Kind.BOOL, "Check the server's certificate."),
    "client_id": (Kind.TEXT, "Who asks for a token."),
    "client_secret": (Kind.TEXT, "Secret of who asks for a token."),
    "timeout": (Kind.INT, "Seconds that the server may take to answer."),
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One setting: its name, value, and origin (`default`, `env: NAME`, `var: NAME`, or the configuration file)."""

    name: str
    row: Setting
    value: Any
    origin: str = DEFAULT

    @property
    def changed(self) -> bool:
        """Tell whether it was set."""
        return self.origin != DEFAULT


class Catalogue:
    """The values of everything, for a run with `settings` that starts in `cwd` with `environ`.

    Its methods raise OptionsError for values of foreign settings that do not fit.
    """

    def __init__(self, settings: Settings, environ: Mapping[str, str], cwd: str) -> None:
        self._settings, self._environ, self._cwd = settings, environ, cwd

    def base(self) -> list[Entry]:
        """Give every setting that is no plugin's, by name."""
        return [self._entry(ansible_name(row), row) for row in BASE]

    def find(self, name: str) -> Entry | None:
        """Give the setting that Ansible, or we, call `name`."""
        if name == "CONFIG_FILE":
            return Entry(name, Setting("config_file", Kind.PATH, None, ""), self._settings.config_file)
        row = find_row(name)
        return self._entry(name, row) if row else None

    def plugins(self, type_: str) -> dict[str, list[Entry]]:
        """Give the options of the plugins of a type, by plugin; both by name."""
        found: dict[str, list[Entry]] = {}
        for option in sorted(PLUGIN_OPTIONS, key=lambda option: (option.plugin, option.name)):
            if option.type == type_:
                found.setdefault(option.plugin, []).append(self._option(option))
        return found

    def plugin_option(self, type_: str, plugin: str, name: str, variables: Mapping[str, Any]) -> Entry | None:
        """Give an option of a plugin for a host with `variables`; None if there is no such option."""
        plugin = plugin.removeprefix("ansible.builtin.").removeprefix("ansible.legacy.")
        for option in PLUGIN_OPTIONS:
            if (option.type, option.plugin, option.name) == (type_, plugin, name):
                return _from_variables(option.name, option.rows[-1], option.variables, variables) or self._option(
                    option
                )
        return None

    def galaxy_servers(self) -> dict[str, list[Entry]]:
        """Give the options of each server of collections, in the order of `server_list`."""
        return {server: self._server(server) for server in self._foreign.values["galaxy_server_list"] or ()}

    def _server(self, server: str) -> list[Entry]:
        timeout = self._foreign.values["galaxy_server_timeout"]
        rows = [
            Setting(
                name,
                kind,
                timeout if name == "timeout" else None,
                doc,
                env=(f"ANSIBLE_GALAXY_SERVER_{server.upper()}_{name.upper()}",),
                ini=((f"galaxy_server.{server}", name),),
                own=False,
            )
            for name, (kind, doc) in _SERVER_OPTIONS.items()
        ]
        found = read_settings(rows, self._environ, self._cwd, whole=False)
        return [Entry(row.name, row, found.values[row.name], self._origin(found.origins.get(row.name))) for row in rows]

    @cached_property
    def _foreign(self) -> Any:
        return read_foreign(self._environ, self._cwd)

    @cached_property
    def _plugin_rows(self) -> Any:
        return read_plugin_rows(self._environ, self._cwd)

    def _option(self, option: PluginOption) -> Entry:
        entries = [self._entry(option.name, row) for row in option.rows]
        return next((entry for entry in reversed(entries) if entry.changed), entries[0])

    def _entry(self, name: str, row: Setting) -> Entry:
        if row.own:
            value, source = getattr(self._settings, row.name), self._settings.origins.get(row.name)
        else:
            found = self._foreign if row.ansible else self._plugin_rows
            value, source = found.values[row.name], found.origins.get(row.name)
        return Entry(name, row, value, self._origin(source))

    def _origin(self, source: str | None) -> str:
        if source is None:
            return DEFAULT
        return str(self._settings.config_file) if source.startswith("[") else f"env: {source}"


def find_row(name: str) -> Setting | None:
    """Give the setting that Ansible's configuration, or we, call `name`; the latter in lower case."""
    for row in (*SETTINGS, *FOREIGN):
        if name in (ansible_name(row), row.name) and (row.own or name == row.ansible):
            return row
    return None


def plain(value: Any) -> Any:
    """Give the value of a setting as JSON and templates have it: a list for a tuple."""
    return list[Any](value) if isinstance(value, tuple) else value  # pyright: ignore[reportUnknownArgumentType]  # any


def from_variables(entry: Entry, variables: Mapping[str, Any]) -> Entry:
    """Give `entry` as a host with `variables` has it."""
    return _from_variables(entry.name, entry.row, entry.row.variables, variables) or entry


def _from_variables(name: str, row: Setting, names: tuple[str, ...], variables: Mapping[str, Any]) -> Entry | None:
    for variable in reversed(names):
        if variable in variables:
            return Entry(name, row, variables[variable], f"var: {variable}")
    return None


def all_rows() -> Iterator[Setting]:
    """Yield every row there is, of plugins, too; each once."""
    seen: set[int] = set()
    for row in (*BASE, *(row for option in PLUGIN_OPTIONS for row in option.rows)):
        if id(row) not in seen:
            seen.add(id(row))
            yield row
