"""Inventories written as a tree of groups: YAML and TOML.

Each group has `hosts`, `vars` and `children`. Source: the documentation of the `yaml` and `toml` inventory plugins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.errors import InventoryError
from pyplay.diagnostics.model import Diagnostic, Origin, Severity
from pyplay.diagnostics.suggest import did_you_mean
from pyplay.inventory.fragment import Fragment, GroupPart
from pyplay.inventory.model import merge_vars
from pyplay.inventory.ranges import RangeFault, expand_host
from pyplay.inventory.shapes import as_list, as_mapping
from pyplay.source.text import SourceMap, origin_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_KEYS = ("hosts", "vars", "children")


def parse_tree(data: object, path: str, on_warning: Callable[[Diagnostic], None], *, lists: bool = False) -> Fragment:
    """Give what the groups in `data`, read from `path`, say.

    With `lists` (TOML) children and hosts may be lists of names as well. Raises InventoryError.
    """
    groups = as_mapping(data)
    if groups is None:
        message = "the file is empty" if not data else "an inventory is a mapping of group names to groups"
        raise InventoryError([Diagnostic("inventory-tree", message, origin_of(data) or Origin(path))])
    reader = _Reader(path, on_warning, lists=lists)
    for name, body in groups.items():
        reader.group(str(name), body, groups)
    return reader.result


class _Reader:
    """Walks the tree from the top."""

    def __init__(self, path: str, on_warning: Callable[[Diagnostic], None], *, lists: bool) -> None:
        self.path, self.on_warning, self.lists = path, on_warning, lists
        self.result = Fragment()

    def group(self, name: str, body: object, holder: Mapping[Any, Any]) -> bool:
        """Read one group; tells whether it was one (what is no mapping is warned about and left out)."""
        origin = key_origin(holder, name, self.path)
        parts = SourceMap() if body is None else as_mapping(body)
        if parts is None:
            message = f"'{name}' is no group: a group is a mapping with hosts, vars and children"
            self.warn("inventory-tree", message, origin)
            return False
        part = self.result.group(name, origin)
        for key in parts:  # in the order of the file: a port counts where a host is named first
            if key == "vars":
                merge_vars(part.vars, self.section(parts, key, name))
            elif key == "children":
                self.children(self.section(parts, key, name), part)
            elif key == "hosts":
                self.hosts(self.section(parts, key, name), part)
            else:
                message = f"'{key}' of group '{name}' is left out: a group has hosts, vars and children"
                self.warn("inventory-tree", message, key_origin(parts, key, self.path), did_you_mean(str(key), _KEYS))
        return True

    def children(self, children: Mapping[Any, Any], part: GroupPart) -> None:
        """Read the groups below a group."""
        for child, below in children.items():
            if self.group(str(child), below, children):
                part.children[str(child)] = key_origin(children, child, self.path)

    def hosts(self, hosts: Mapping[Any, Any], part: GroupPart) -> None:
        """Read the hosts of a group."""
        for host, values in hosts.items():
            where = key_origin(hosts, host, self.path)
            names, port = self.names(str(host), where)
            host_vars = self.host_vars(str(host), values, where)
            for each in names:
                self.result.add_host(
                    each, part, port, SourceMap(host_vars, where, getattr(host_vars, "key_origins", {}))
                )

    def section(self, parts: Mapping[str, Any], key: str, group: str) -> Mapping[str, Any]:
        """Give a section of a group as a mapping; a lone name stands for one entry without a value."""
        value = parts.get(key)
        if value is None:
            return {}
        entries = as_mapping(value)
        if entries is not None:
            return entries
        if isinstance(value, str) and key != "vars":
            return {value: None}
        names = as_list(value)
        if self.lists and names is not None and key != "vars":
            return dict.fromkeys(map(str, names))
        where = origin_of(value) or key_origin(parts, key, self.path)
        hint = f"write each name of '{key}' as a key: 'name:' without a dash" if key != "vars" else ""
        message = f"'{key}' of group '{group}' is no mapping"
        raise InventoryError([Diagnostic("inventory-tree", message, where, help=hint)])

    def names(self, text: str, origin: Origin) -> tuple[list[str], int | None]:
        """Give the hosts that `text` stands for, and their port."""
        try:
            return expand_host(text)
        except RangeFault as error:
            raise InventoryError([Diagnostic("host-range", str(error), origin, length=len(text))]) from error

    def host_vars(self, host: str, values: object, origin: Origin) -> Mapping[str, Any]:
        """Give the variables of a host."""
        found = as_mapping(values)
        if values is None or found is not None:
            return found or {}
        message = f"the variables of host '{host}' are no mapping"
        raise InventoryError([Diagnostic("inventory-tree", message, origin_of(values) or origin)])

    def warn(self, code: str, message: str, origin: Origin, help: str = "") -> None:  # noqa: A002  # the field's name
        """Report what is left out."""
        self.on_warning(Diagnostic(code, message, origin, help=help, severity=Severity.WARNING))


def key_origin(holder: object, key: object, path: str) -> Origin:
    """Give where `key` stands in the mapping `holder`, or the file."""
    origins: Mapping[Any, Origin] = getattr(holder, "key_origins", {})
    return origins.get(key) or origin_of(holder) or Origin(path)
