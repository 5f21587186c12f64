"""What one inventory source says, before it joins the inventory.

A parser gives a Fragment or raises; only whole fragments are merged, so that a broken source leaves nothing half-read
behind (Ansible keeps what was read up to the fault).
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.dataclass import dataclass
from pyplay.diagnostics.errors import InventoryError
from pyplay.inventory.members import NO_VARS
from pyplay.inventory.model import merge_vars
from pyplay.source.reads import is_for_users
from pyplay.source.text import SourceMap, as_written, origin_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pyplay.diagnostics.model import Origin
    from pyplay.inventory.model import Inventory


@dataclass(slots=True)
class GroupPart:
    """What a source says about one group. `children` tells where each child was named."""

    vars: SourceMap = field(default_factory=SourceMap)
    hosts: dict[str, None] = field(default_factory=dict[str, None])
    children: dict[str, Origin | None] = field(default_factory=dict[str, "Origin | None"])
    origin: Origin | None = None


@dataclass(slots=True)
class Fragment:
    """Hosts with their variables, ports written behind names, and groups, each in order of appearance.

    Hosts of which nothing is said share `NO_VARS`.
    """

    hosts: dict[str, Mapping[str, Any]] = field(default_factory=dict[str, "Mapping[str, Any]"])
    ports: dict[str, int] = field(default_factory=dict[str, int])
    groups: dict[str, GroupPart] = field(default_factory=dict[str, GroupPart])

    def group(self, name: str, origin: Origin | None = None) -> GroupPart:
        """Give the part for the group `name`, made if it is new."""
        part = self.groups.get(name)
        if part is None:
            part = self.groups[name] = GroupPart(origin=origin)
        return part

    def add_host(
        self, name: str, group: GroupPart | None, port: int | None = None, variables: SourceMap | None = None
    ) -> None:
        """Add the host `name`, to `group` if one is given; a port counts only the first time the host is named.

        `variables` may become the host's own mapping: the caller gives it away.
        """
        if name not in self.hosts:
            self.hosts[name] = variables or NO_VARS
            if port is not None:
                self.ports[name] = port
        elif variables:
            merge_vars(self.own_vars(name), variables)
        if group is not None:
            group.hosts[name] = None

    def add_hosts(self, names: Sequence[str], group: GroupPart) -> None:
        """Add hosts of which nothing but the names is said."""
        known, members = self.hosts, group.hosts
        for name in names:
            if name not in known:
                known[name] = NO_VARS
            members[name] = None

    def own_vars(self, name: str) -> SourceMap:
        """Give the variables of the host `name`, which was added, to change them."""
        found = self.hosts[name]
        if not isinstance(found, SourceMap):
            self.hosts[name] = found = SourceMap(found)
        return found

    def odd_names(self) -> Iterator[tuple[str, Origin | None]]:
        """Give the variables whose names are no variable names, each once, and where one of them stands."""
        holders = [held for held in self.hosts.values() if held is not NO_VARS]
        holders += [part.vars for part in self.groups.values()]
        for name in sorted(set[str]().union(*holders)):
            if not (name.isidentifier() and name.isascii()):
                holder = next(each for each in holders if name in each)
                origins = holder.key_origins if isinstance(holder, SourceMap) else {}
                yield name, origins.get(name) or origin_of(holder[name])

    def mark_options(self) -> None:
        """Take what a plugin computed for options of pyplay as written by users, as the plugin or its expression is."""
        held_by_hosts = (held for held in self.hosts.values() if isinstance(held, SourceMap))
        for held in (*held_by_hosts, *(part.vars for part in self.groups.values())):
            for name in held:
                if is_for_users(name):
                    held[name] = as_written(held[name], origin_of(held[name]))

    def merge_into(self, inventory: Inventory, source: str | None) -> None:
        """Add all of this to `inventory`. Raises InventoryError for cycles of groups and bad priorities."""
        names = {name: inventory.group_name(name) for name in self.groups}
        self._merge_groups(inventory, names)
        inventory.ensure_hosts(self.hosts, self.ports, source)
        for name, part in self.groups.items():
            inventory.join(names[name], part.hosts)
        inventory.settle_ungrouped(self.hosts)
        inventory.adopt_orphans(names.values())

    def _merge_groups(self, inventory: Inventory, names: dict[str, str]) -> None:
        """Add the groups, or nothing at all where one of them is at fault."""
        new = [name for name in names.values() if name not in inventory.groups]
        linked: list[tuple[str, str]] = []
        try:
            for name, part in self.groups.items():
                for written, origin in part.children.items():
                    link = (names[name], inventory.group_name(written))
                    if inventory.add_child(*link, origin=origin, adopt=False):
                        linked.append(link)
            for name, part in self.groups.items():
                inventory.ensure_group(names[name])
                if "ansible_group_priority" in part.vars:
                    inventory.set_priority(names[name], part.vars["ansible_group_priority"], part.origin)
        except InventoryError:
            inventory.undo_groups(new, linked)
            raise
        for name, part in self.groups.items():
            if part.vars:
                inventory.set_group_vars(names[name], part.vars, origin=part.origin)
