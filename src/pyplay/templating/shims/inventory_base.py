"""`ansible.plugins.inventory`: what inventory plugins are derived from, writing into a fragment of our inventory.

Source: the Ansible documentation, "Developing dynamic inventory".
"""

# ruff: noqa: PTH113  # the names and paths that plugins know

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.model import Diagnostic, Severity
from pyplay.inventory.construct import Constructor, safe_group_name
from pyplay.inventory.ranges import expand_host, expand_range, split_port
from pyplay.source.json_cache import JsonCache
from pyplay.source.text import SourceMap
from pyplay.templating.shims.errors import AnsibleError, AnsibleParserError
from pyplay.templating.shims.kept_answers import KeptAnswers
from pyplay.templating.shims.lookup_base import AnsiblePlugin

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyplay.inventory.context import ParseContext
    from pyplay.inventory.fragment import Fragment


class PluginHost:
    """A host as plugins see it: `name`, `vars`, `address`."""

    def __init__(self, name: str, variables: dict[str, Any]) -> None:
        self.name = self.address = name
        self.vars = variables

    def get_vars(self) -> dict[str, Any]:
        """Give the host's own variables and its names."""
        short = self.name.split(".", maxsplit=1)[0]
        return {**self.vars, "inventory_hostname": self.name, "inventory_hostname_short": short}

    def get_name(self) -> str:
        """Give the name."""
        return self.name

    def set_variable(self, key: str, value: Any) -> None:
        """Set a variable."""
        self.vars[str(key)] = value

    def __str__(self) -> str:
        """Give the name."""
        return self.name


class EarlierVars(dict[str, Any]):
    """Variables of a host of an earlier source; what a plugin sets goes to its own `fragment`, too."""

    def __init__(self, values: Mapping[str, Any], host: str, fragment: Fragment) -> None:
        super().__init__(values)
        self._host, self._fragment = host, fragment

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel as plain data, where a plugin made them the value of a variable."""
        return dict, (dict(self),)

    def __setitem__(self, key: str, value: Any) -> None:
        super().__setitem__(key, value)
        self._fragment.add_host(self._host, None, None, SourceMap({str(key): value}))

    def update(self, *values: Any, **more: Any) -> None:
        """Set several variables."""
        for key, value in dict(*values, **more).items():
            self[key] = value

    def setdefault(self, key: str, default: Any = None) -> Any:
        """Give a variable, set to `default` if there is none."""
        if key not in self:
            self[key] = default
        return self[key]


class PluginHosts(Mapping[str, PluginHost]):
    """The hosts that a plugin sees, by name: of earlier sources, and its own. Each is made when it is asked for."""

    def __init__(self, data: InventoryData, earlier: Mapping[str, Any], own: Mapping[str, Any]) -> None:
        self._data, self._earlier, self._own = data, earlier, own

    def __getitem__(self, name: str) -> PluginHost:
        host = self._data.get_host(name)
        if host is None:
            raise KeyError(name)
        return host

    def __contains__(self, name: object) -> bool:
        return name in self._earlier or name in self._own

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*self._earlier, *self._own]))

    def __len__(self) -> int:
        return len(dict.fromkeys([*self._earlier, *self._own]))


class InventoryData:
    """`ansible.inventory.data.InventoryData`: what a plugin adds goes to `fragment`."""

    def __init__(self, fragment: Fragment, context: ParseContext) -> None:
        self._fragment, self._context = fragment, context

    @property
    def hosts(self) -> PluginHosts:
        """The hosts by name, those of earlier sources, too."""
        return PluginHosts(self, self._context.inventory.hosts, self._fragment.hosts)

    @property
    def groups(self) -> dict[str, Any]:
        """The groups by name."""
        return {**self._context.inventory.groups, **self._fragment.groups}

    def add_group(self, group: str) -> str:
        """Add a group; gives the name by which it goes."""
        name = self._context.inventory.group_name(str(group))
        self._fragment.group(name)
        return name

    def add_host(self, host: str, group: str | None = None, port: int | None = None) -> str:
        """Add a host, to a group that is there if one is named."""
        if group is not None and group not in self.groups and group not in ("all", "ungrouped"):
            raise AnsibleError(f"there is no group {group} to add {host} to")
        part = self._fragment.group(str(group)) if group else None
        self._fragment.add_host(str(host), part, port)
        return str(host)

    def add_child(self, group: str, child: str) -> bool:
        """Put a group or host that is there into a group."""
        part = self._fragment.group(str(group))
        if child in self._fragment.groups or child in self._context.inventory.groups:
            part.children[str(child)] = None
        elif self.get_host(child) is not None:
            self._fragment.add_host(str(child), part)
        else:
            raise AnsibleError(f"{child} is no known host or group")
        return True

    def set_variable(self, entity: str, varname: str, value: Any) -> None:
        """Set a variable of a group or host that is there."""
        if entity in self._fragment.groups:
            self._fragment.groups[entity].vars[str(varname)] = value
        elif self.get_host(entity) is not None:
            self._fragment.add_host(str(entity), None, None, SourceMap({str(varname): value}))
        elif entity in self._context.inventory.groups or entity == "all":
            self._fragment.group(str(entity)).vars[str(varname)] = value
        else:
            raise AnsibleError(f"{entity} is no known host or group")

    def get_host(self, hostname: str) -> PluginHost | None:
        """Give a host, None if there is none of that name."""
        before = self._context.inventory.hosts.get(hostname)
        own = self._fragment.own_vars(hostname) if hostname in self._fragment.hosts else None
        if before is None:
            return PluginHost(hostname, own) if own is not None else None
        return PluginHost(hostname, EarlierVars({**before.vars, **(own or {})}, hostname, self._fragment))

    def get_groups_dict(self) -> dict[str, list[str]]:
        """Give the names of hosts by group."""
        found = {name: list(hosts) for name, hosts in self._context.inventory.groups_map().items()}
        for name, part in self._fragment.groups.items():
            found[name] = list(dict.fromkeys([*found.get(name, ()), *part.hosts]))
        return found

    def remove_host(self, host: Any) -> None:
        """Forget a host that this plugin added."""
        name = str(host)
        self._fragment.hosts.pop(name, None)
        for part in self._fragment.groups.values():
            part.hosts.pop(name, None)

    def reconcile_inventory(self) -> None:
        """Nothing to do: the fragment is joined as a whole."""


class InventoryTemplar:
    """The `templar` of inventory plugins."""

    def __init__(self, context: ParseContext) -> None:
        self._context = context
        self.available_variables: Mapping[str, Any] = dict(context.extra_vars)

    def template(self, variable: Any, *_: Any, **__: Any) -> Any:
        """Give `variable` rendered."""
        render = self._context.render
        return variable if render is None else render(variable, self.available_variables)

    @staticmethod
    def is_template(data: Any) -> bool:
        """Tell whether `data` has template syntax."""
        return isinstance(data, str) and ("{{" in data or "{%" in data)


class BaseInventoryPlugin(AnsiblePlugin):
    """The base of all inventory plugins."""

    TYPE = "generator"
    NAME = ""
    _sanitize_group_name = staticmethod(safe_group_name)

    def __init__(self) -> None:
        super().__init__()
        self.inventory: Any = None
        self.loader: Any = None
        self.templar: Any = None
        self.display = self._display
        self._vars: dict[str, Any] = {}
        self._context: Any = None
        self._fragment: Any = None

    def parse(self, inventory: Any, loader: Any, path: Any, cache: bool = True) -> None:  # noqa: FBT001, FBT002
        """Begin to read a source: plugins call this first."""
        del cache, path
        self.inventory, self.loader = inventory, loader
        self.templar = InventoryTemplar(self._context)

    def verify_file(self, path: str) -> bool:
        """Tell whether there is a file at `path`."""
        return os.path.isfile(path) and os.access(path, os.R_OK)

    def _read_config_data(self, path: str) -> Any:
        """Give the configuration in the file at `path`, and take its options. Raises AnsibleParserError."""
        data = self.loader.document(path)
        if not data:
            raise AnsibleParserError(f"{path} is empty")
        if not isinstance(data, dict):
            raise AnsibleParserError(f"the configuration in {path} is no mapping")
        if not self._names_me(str(data.get("plugin", ""))):  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]  # YAML
            raise AnsibleParserError(f"{path} is no configuration for {self.NAME}")
        self.set_options(direct=data, var_options=self._context.extra_vars)  # pyright: ignore[reportUnknownArgumentType]  # YAML
        return data  # pyright: ignore[reportUnknownVariableType]  # YAML

    def _names_me(self, plugin: str) -> bool:
        names = {self.NAME, self._load_name, *getattr(self, "_redirected_names", ())}
        return plugin in names or plugin.rpartition(".")[2] == self.NAME.rpartition(".")[2]

    def _consume_options(self, data: Mapping[str, Any]) -> None:
        """Take options that are in `data`."""
        for name in self._table().definitions:
            if name in data:
                self.set_option(name, data[name])

    def _populate_host_vars(
        self, hosts: Iterable[str], variables: Mapping[str, Any], group: str | None = None, port: int | None = None
    ) -> None:
        """Add hosts with these variables."""
        for host in hosts:
            self.inventory.add_host(host, group=group, port=port)
            for name, value in variables.items():
                self.inventory.set_variable(host, name, value)

    def _expand_hostpattern(self, hostpattern: str) -> tuple[list[str], int | None]:
        """Give the hosts of `web[1:3]:22`, and the port."""
        return expand_host(hostpattern)


class BaseFileInventoryPlugin(BaseInventoryPlugin):
    """The base of plugins that read a file."""

    TYPE = "storage"


class Cacheable:
    """Plugins that keep what they asked for: in files between runs, or (`cache_plugin: memory`) within one."""

    _cached: KeptAnswers | None = None

    @property
    def cache(self) -> KeptAnswers:
        """What was kept, by key."""
        if self._cached is None:
            self._cached = KeptAnswers(self._files())
        return self._cached

    @property
    def _cache(self) -> KeptAnswers:
        return self.cache

    @_cache.setter
    def _cache(self, values: Mapping[str, Any]) -> None:
        self.cache.replace(values)

    def load_cache_plugin(self) -> None:
        """Begin with what the files hold."""
        self._cached = None

    def _files(self) -> JsonCache | None:
        """Give the files to keep answers in, None for none. Raises AnsibleError for jsonfile without a directory."""
        options: Any = getattr(self, "_options", None)

        def get(name: str) -> Any:
            return options.get(name)[0] if options is not None and name in options.definitions else None

        if not get("cache"):
            return None
        kind = str(get("cache_plugin") or "memory").rpartition(".")[2]
        if kind == "memory":
            return None
        if kind != "jsonfile":
            message = f"what the inventory plugin found is not kept: there is no cache_plugin '{kind}'"
            help_ = "set cache_plugin to jsonfile, and cache_connection to a directory"
            warning = Diagnostic("inventory-cache", message, help=help_, severity=Severity.WARNING)
            getattr(self, "_context").on_warning(warning)  # noqa: B009  # of BaseInventoryPlugin, the other base
            return None
        directory = get("cache_connection")
        if not directory:
            raise AnsibleError("cache_plugin jsonfile needs a directory", help_text="set cache_connection to one")
        return JsonCache(str(directory), timeout=get("cache_timeout") or 0, prefix=get("cache_prefix") or "")

    def get_cache_key(self, path: str) -> str:
        """Give the key for a source."""
        digest = hashlib.sha256(path.encode()).hexdigest()[:10]
        return f"{getattr(self, 'NAME', '')}_{digest}"

    def update_cache_if_changed(self) -> None:
        """Write what is new into the files. Raises AnsibleError."""
        if self._cached is not None:
            self._cached.write()

    def set_cache_plugin(self) -> None:
        """Write what is new into the files. Raises AnsibleError."""
        self.update_cache_if_changed()

    def clear_cache(self) -> None:
        """Forget all."""
        self.cache.clear()


class Constructable:
    """Plugins that make variables and groups from expressions."""

    _context: Any
    _fragment: Any
    inventory: Any

    def _constructor(self, strict: bool, **config: Any) -> Constructor:  # noqa: FBT001  # the plugins' signature
        get = getattr(self, "get_option", None)
        try:
            leading = get("leading_separator") if get is not None else True
        except KeyError:
            leading = True
        if self._context.render is None:
            raise AnsibleError("this inventory plugin needs templating, which is not at hand here")
        options = {"strict": strict, "leading_separator": leading is not False, **config}
        return Constructor(options, self._fragment_source(), self._context.render, self._fragment)

    def _fragment_source(self) -> str:
        return str(getattr(self, "_source", "<inventory plugin>"))

    def _seen(self, host: str, variables: Mapping[str, Any] | None, fetch_hostvars: bool) -> dict[str, Any]:  # noqa: FBT001
        found = self.inventory.get_host(host) if fetch_hostvars else None
        return {**(variables or {}), **(found.get_vars() if found is not None else {})}

    def _compose(self, template: str, variables: Mapping[str, Any], disable_lookups: bool | None = None) -> Any:  # noqa: FBT001
        del disable_lookups
        return self._constructor(strict=True).evaluate(template, variables)

    def _set_composite_vars(
        self, compose: Any, variables: Mapping[str, Any], host: str, strict: bool = False  # noqa: FBT001, FBT002
    ) -> None:  # fmt: skip
        for name, value in self._constructor(strict, compose=compose or {}).compose(host, variables).items():
            self.inventory.set_variable(host, name, value)

    def _add_host_to_composed_groups(
        self, groups: Any, variables: Any, host: str, strict: bool = False, fetch_hostvars: bool = True  # noqa: FBT001, FBT002
    ) -> None:  # fmt: skip
        seen = self._seen(host, variables, fetch_hostvars)
        self._constructor(strict, groups=groups or {}).conditional_groups(host, seen)

    def _add_host_to_keyed_groups(
        self, keys: Any, variables: Any, host: str, strict: bool = False, fetch_hostvars: bool = True  # noqa: FBT001, FBT002
    ) -> None:  # fmt: skip
        seen = self._seen(host, variables, fetch_hostvars)
        constructor = self._constructor(strict, keyed_groups=list(keys or ()))
        for entry in constructor.entries():
            constructor.keyed_group(host, entry, seen)


def detect_range(line: str | None = None) -> bool:
    """Tell whether a name holds a range, `web[1:3]`."""
    return bool(line) and "[" in str(line) and ":" in str(line) and "]" in str(line)


def parse_address(address: str, allow_ranges: bool = False) -> tuple[str, int | None]:  # noqa: FBT001, FBT002
    """Give name and port of an address such as `host:22` or `[::1]:22`."""
    del allow_ranges
    return split_port(address)


def to_safe_group_name(name: str, replacer: str = "_", force: bool = False, silent: bool = False) -> str:  # noqa: FBT001, FBT002
    """Give a name with what a variable name may not have replaced."""
    del replacer, force, silent
    return safe_group_name(name)


def contents() -> dict[str, Any]:
    """Give what `ansible.plugins.inventory` holds."""
    return {
        "BaseInventoryPlugin": BaseInventoryPlugin,
        "BaseFileInventoryPlugin": BaseFileInventoryPlugin,
        "Cacheable": Cacheable,
        "Constructable": Constructable,
        "detect_range": detect_range,
        "expand_hostname_range": expand_range,
        "to_safe_group_name": to_safe_group_name,
    }
