"""An inventory as `ansible-inventory` shows it: data for `--list` and `--host`, text for all its forms.

Source: the documentation and output of `ansible-inventory`.
"""

from __future__ import annotations

import datetime as dt
import json
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.errors import OptionsError
from pyplay.diagnostics.model import Diagnostic
from pyplay.diagnostics.suggest import did_you_mean
from pyplay.inventory.layers import host_layers, merged
from pyplay.inventory.shapes import as_list, as_mapping
from pyplay.source.text import Trusted
from pyplay.source.vault import SECRET_NUMBERS, Secret, VaultText

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pyplay.inventory.members import Group, Host
    from pyplay.inventory.model import Inventory
    from pyplay.inventory.varfiles import VarsFiles


MASKED = "********"
"""What shows in place of a secret."""


class InventoryView:
    """One way of looking at an inventory.

    With `export` variables stand where they were set (groups and hosts), else each host shows all of its own. `hosts`
    bounds the hosts shown (`--limit`), None for all. `playbook_vars` are the vars files next to a playbook;
    `extra_vars` are shown with every host.
    """

    def __init__(
        self,
        inventory: Inventory,
        *,
        export: bool = False,
        hosts: Iterable[str] | None = None,
        playbook_vars: Sequence[VarsFiles] = (),
        extra_vars: Mapping[str, Any] | None = None,
    ) -> None:
        self.inventory, self.export = inventory, export
        self.playbook_vars, self.extra_vars = playbook_vars, extra_vars or {}
        self.allowed = None if hosts is None else frozenset(hosts)

    # -- variables

    def host_vars(self, host: Host) -> dict[str, Any]:
        """Give the variables to show for `host`."""
        if not self.export:
            return {**merged(host_layers(self.inventory, host, self.playbook_vars)), **self.extra_vars}
        files = [*self.inventory.vars_files, *self.playbook_vars]
        return merged([host.vars, *(values for each in files if (values := each.host(host.name)))])

    def group_vars(self, group: Group) -> dict[str, Any]:
        """Give the variables set for `group` itself, with its priority if that is not the usual one."""
        files = [*self.inventory.vars_files, *self.playbook_vars]
        values = merged([group.vars, *(found for each in files if (found := each.group(group.name)))])
        if group.priority != 1:
            values["ansible_group_priority"] = group.priority
        return values

    def hosts_of(self, group: Group) -> list[str]:
        """Give the hosts in `group` itself that are to be shown."""
        if self.allowed is None:
            return list(group.hosts)
        return [name for name in group.hosts if name in self.allowed]

    # -- the forms

    def list_data(self) -> dict[str, Any]:
        """Give what `--list` prints as JSON: groups with hosts and children, variables of hosts in `_meta`.

        Names in it are trusted text, so that `json_text` does not mark them.
        """
        result: dict[str, Any] = {}
        for name in self._reachable():
            group = self.inventory.groups[name]
            entry: dict[str, Any] = {}
            if name != "all":
                entry["hosts"] = list(map(Trusted, self.hosts_of(group)))
            entry["children"] = list(map(Trusted, group.children))
            if self.export:
                entry["vars"] = self.group_vars(group)
            shown = {key: value for key, value in entry.items() if value}
            if shown:
                result[name] = shown
        meta: dict[str, Any] = {"hostvars": {}, "profile": Trusted("inventory_legacy")}
        for name, host in self.inventory.hosts.items():
            values = self.host_vars(host) if self.allowed is None or name in self.allowed else {}
            if values:
                meta["hostvars"][name] = values
        return {"_meta": meta, **result}

    def tree_data(self) -> dict[str, Any]:
        """Give what `--list --yaml` prints: groups within groups; variables of a host at its first appearance only."""
        seen_hosts: set[str] = set()
        seen_groups: set[str] = set()

        def shown(group: Group) -> dict[str, Any]:
            entry: dict[str, Any] = {}
            children: dict[str, Any] = {}
            for name in group.children:
                if name in seen_groups:
                    children[name] = {}
                    continue
                seen_groups.add(name)
                below = shown(self.inventory.groups[name])
                if below:
                    children[name] = below
            if children:
                entry["children"] = children
            hosts = {name: self._once(name, seen_hosts) for name in self.hosts_of(group) if group.name != "all"}
            if hosts:
                entry["hosts"] = hosts
            variables = self.group_vars(group) if self.export else None
            if variables:
                entry["vars"] = variables
            return entry

        top = shown(self.inventory.groups["all"])
        return {"all": top} if top else {}

    def toml_data(self) -> dict[str, Any]:
        """Give what `--list --toml` prints: one table per group, children as lists of names."""
        seen: set[str] = set()
        result: dict[str, Any] = {}
        has_ungrouped = bool(self.inventory.groups["ungrouped"].hosts)

        def add(group: Group) -> None:
            entry: dict[str, Any] = result.setdefault(group.name, {})
            for name in group.children:
                if name == "ungrouped" and not has_ungrouped:
                    continue
                if group.name != "all":
                    entry.setdefault("children", []).append(name)
                if name not in result:
                    add(self.inventory.groups[name])
            hosts = {host: self._once(host, seen) for host in self.hosts_of(group) if group.name != "all"}
            variables = self.group_vars(group) if self.export else None
            entry.update({key: value for key, value in (("hosts", hosts), ("vars", variables)) if value})

        add(self.inventory.groups["all"])
        return {name: entry for name, entry in result.items() if entry}

    def host_data(self, name: str) -> dict[str, Any]:
        """Give what `--host` prints. Raises OptionsError if there is no such host."""
        host = self.inventory.get_host(name)
        if host is None:
            hint = did_you_mean(name, self.inventory.hosts)
            raise OptionsError([Diagnostic("unknown-host", f"there is no host '{name}' in the inventory", help=hint)])
        return self.host_vars(host)

    def graph_text(self, name: str = "all", *, show_vars: bool = False) -> str:
        """Give what `--graph` prints for the group `name`. Raises OptionsError if there is no such group."""
        if name not in self.inventory.groups:
            hint = did_you_mean(name, self.inventory.groups)
            raise OptionsError([Diagnostic("unknown-group", f"there is no group '{name}' in the inventory", help=hint)])
        return "\n".join(self._graph(self.inventory.groups[name], 0, show_vars=show_vars))

    # -- insides

    def _once(self, name: str, seen: set[str]) -> dict[str, Any]:
        if name in seen:
            return {}
        seen.add(name)
        return self.host_vars(self.inventory.hosts[name])

    def _reachable(self) -> list[str]:
        return self.inventory.descendants("all")

    def _graph(self, group: Group, depth: int, *, show_vars: bool) -> list[str]:
        lines = [_branch(f"@{group.name}:", depth)]
        for child in group.children:
            lines += self._graph(self.inventory.groups[child], depth + 1, show_vars=show_vars)
        if group.name != "all":
            for name in self.inventory.groups[group.name].hosts:
                lines.append(_branch(name, depth + 1))
                if show_vars:
                    lines += _variables(self.host_vars(self.inventory.hosts[name]), depth + 2)
        if show_vars:
            lines += _variables(self.group_vars(group), depth + 1)
        return lines


def _branch(text: str, depth: int) -> str:
    return f"{'  |' * depth}--{text}" if depth else text


def _variables(values: Mapping[str, Any], depth: int) -> list[str]:
    return [_branch(f"{{{key} = {_shown(values[key])}}}", depth) for key in sorted(values, key=str)]


def _shown(value: Any) -> Any:
    """Give `value` for people: what is encrypted shows as asterisks (`ansible-inventory` would show it in clear)."""
    return MASKED if isinstance(value, VaultText) else plain(value)


def plain(value: Any, *, mark: bool = False, reveal: bool = False) -> Any:
    """Give `value` in plain types, encrypted values as the mapping that inventory scripts use for them.

    With `mark` text that is no template (not trusted) becomes the mapping that keeps it so; text from files that are
    encrypted as a whole shows as asterisks unless `reveal`.
    """
    if isinstance(value, VaultText):
        return {"__ansible_vault": str.__str__(value)}
    if isinstance(value, str):
        if isinstance(value, Secret) and not reveal:
            return MASKED
        return {"__ansible_unsafe": value} if mark and not isinstance(value, Trusted) else str.__str__(value)
    if isinstance(value, SECRET_NUMBERS):
        return value if reveal else MASKED
    mapping = as_mapping(value)
    if mapping is not None:
        return {plain(key): plain(item, mark=mark, reveal=reveal) for key, item in mapping.items()}
    items = as_list(value)
    if items is None:
        return value
    return [plain(item, mark=mark, reveal=reveal) for item in items]


def json_text(data: Mapping[str, Any], *, reveal: bool = False) -> str:
    """Give `data` as `ansible-inventory` prints JSON: keys sorted, four blanks deep."""
    shown = plain(data, mark=True, reveal=reveal)
    return json.dumps(shown, indent=4, sort_keys=True, ensure_ascii=False, default=_json_default)


def _json_default(value: Any) -> Any:
    if isinstance(value, dt.date | dt.datetime):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    return sorted(value, key=str) if isinstance(value, set | frozenset) else str(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]  # any set
