"""The inventory: all hosts and groups of a run.

Hosts and groups refer to each other by name, through the inventory: all of it is plain data that pickles flat, and a
fragment of an inventory can be copied without dragging the whole along.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.cycles import arrows, places
from pyplay.diagnostics.errors import InventoryError
from pyplay.diagnostics.model import Diagnostic, Origin
from pyplay.diagnostics.patterns import late_pattern
from pyplay.inventory.hosts import Hosts, Kind
from pyplay.inventory.members import NO_VARS, Group, Host
from pyplay.inventory.packing import pack, unpack
from pyplay.source.text import SourceMap, Trusted

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from pyplay.inventory.varfiles import VarsFiles

LOCALHOST_NAMES = ("localhost", "127.0.0.1", "::1")
"""Names that stand for the controller when the inventory has no such host."""

INVALID_IN_GROUP_NAMES = late_pattern(r"^[\d\W]|\W")
"""What makes a group's name unusable as a variable name."""

PRECEDENCE = (
    "all_inventory",
    "groups_inventory",
    "all_plugins_inventory",
    "all_plugins_play",
    "groups_plugins_inventory",
    "groups_plugins_play",
)
"""Layers of group variables, lowest first. Source: Ansible's `VARIABLE_PRECEDENCE` setting."""


class Inventory:
    """All hosts and groups of a run. `all` and `ungrouped` always exist.

    `version` counts changes of membership and group variables: what was computed at one version holds while it stays.
    `vars_files` are the `group_vars`/`host_vars` next to the inventory sources, in the order of the sources;
    `precedence` orders the layers of group variables; with `replace_invalid` characters that make a group's name
    unusable as a variable become `_`. `mismatch` says what a pattern that names nothing is: `warning`, `error` or
    `ignore`.
    """

    def __init__(self) -> None:
        self.hosts = Hosts()
        self.groups: dict[str, Group] = {"all": Group("all"), "ungrouped": Group("ungrouped")}
        self.sources: list[str] = []
        self.vars_files: list[VarsFiles] = []
        self.precedence: tuple[str, ...] = PRECEDENCE
        self.replace_invalid = False
        self.mismatch = "warning"
        self.version = 0
        self._implicit: dict[str, Host] = {}
        self._cache_version = -1
        self._cache: dict[Any, Any] = {}
        self._link("all", "ungrouped")

    def __getstate__(self) -> dict[str, Any]:
        """Give what a pickle holds: hosts and groups packed, nothing that can be computed again."""
        return {**self.__dict__, "hosts": None, "groups": pack(self.hosts, self.groups), "_cache": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take over what `__getstate__` gave."""
        self.__dict__.update(state)
        self.hosts, self.groups = unpack(state["groups"])
        self._cache, self._cache_version = {}, -1

    # -- reading

    def cache(self) -> dict[Any, Any]:
        """Give the mapping for values computed from this version of the inventory; it is emptied by every change."""
        if self._cache_version != self.version:
            self._cache = {}
            self._cache_version = self.version
        return self._cache

    def localhost(self, name: str = "localhost") -> Host | None:
        """Give the implicit host `name`, None if the inventory itself has a host of one of the controller's names.

        It is in no group but those that group_by puts it into, yet sees the variables of `all`; it runs modules
        locally with pyplay's own Python.
        """
        if name not in LOCALHOST_NAMES or any(known in self.hosts for known in LOCALHOST_NAMES):
            return None
        if name not in self._implicit:
            values = {"ansible_connection": Trusted("local"), "ansible_python_interpreter": Trusted(sys.executable)}
            self._implicit[name] = Host(name, SourceMap(values), implicit=True)
        return self._implicit[name]

    def get_host(self, name: str) -> Host | None:
        """Give the host `name`, None if there is none.

        A name of the controller that the inventory does not have stands for the first one that it has, as in Ansible,
        else for the implicit localhost.
        """
        if name in self.hosts:
            return self.hosts[name]
        if name not in LOCALHOST_NAMES:
            return None
        named = next((known for known in self.hosts if known in LOCALHOST_NAMES), None)
        return self.hosts[named] if named else self.localhost(name)

    def groups_of(self, host: Host) -> list[Group]:
        """Give all groups of `host`, ancestors included, in the order in which their variables are merged.

        Order: depth, then priority, then name, so that a child's value beats its parent's. The list is shared between
        hosts with the same groups: do not change it.
        """
        cache = self.cache()
        key = ("groups", host.groups)
        found: list[Group] | None = cache.get(key)
        if found is None:
            found = cache[key] = self._ordered_ancestry(host.groups)
        return found

    def group_names(self, host: Host) -> list[str]:
        """Give the sorted names of all groups of `host` but `all` (the magic variable `group_names`)."""
        return sorted(group.name for group in self.groups_of(host) if group.name != "all")

    def hosts_in(self, name: str) -> list[str]:
        """Give the names of all hosts of the group `name` and its descendants, parents' own hosts first.

        The list is shared: do not change it. Empty for a group that does not exist. The implicit localhost may be in
        any group but `all`.
        """
        cache = self.cache()
        key = ("hosts", name)
        found: list[str] | None = cache.get(key)
        if found is None:
            members: dict[str, None] = {}
            for group in self.descendants(name):
                members.update(self.groups[group].hosts)
            outside = name == "all" and self._implicit  # hosts that are in some group, and yet not in this one
            found = cache[key] = [host for host in members if host in self.hosts] if outside else list(members)
        return found

    def descendants(self, name: str) -> list[str]:
        """Give `name` and all groups below it, level by level."""
        if name not in self.groups:
            return []
        seen = {name: None}
        level = [name]
        while level:
            below = dict.fromkeys(
                child for group in level for child in self.groups[group].children if child not in seen
            )
            seen.update(below)
            level = list(below)
        return list(seen)

    def depth(self, name: str) -> int:
        """Give how many groups at most lie between `all` (depth 0) and the group `name`."""
        cache = self.cache()
        depths: dict[str, int] | None = cache.get("depths")
        if depths is None:
            depths = cache["depths"] = self._depths()
        return depths[name]

    def groups_map(self) -> dict[str, list[str]]:
        """Give host names by group name (the magic variable `groups`). Shared: do not change it."""
        cache = self.cache()
        found: dict[str, list[str]] | None = cache.get("groups_map")
        if found is None:
            found = cache["groups_map"] = {name: self.hosts_in(name) for name in self.groups}
        return found

    def group_name(self, name: str) -> str:
        """Give the name under which a group written as `name` is kept."""
        return INVALID_IN_GROUP_NAMES.sub("_", name) if self.replace_invalid else name

    # -- changing

    def add_host(
        self,
        name: str,
        groups: Iterable[str] = (),
        variables: Mapping[str, Any] | None = None,
        *,
        port: int | None = None,
        source: str | None = None,
    ) -> Host:
        """Add the host `name` (or the groups and variables to a host that exists); missing groups are made.

        `port` is what stood behind the name; it counts only for a host that is new. A host in no other group than
        `all` is in `ungrouped`.
        """
        host = self.ensure_host(name, dict(variables or {}), port=port, source=source)
        for written in groups:
            group = self.group_name(written)
            if group not in self.groups:
                self.add_group(group)
            self.join(group, (name,))
        self.settle_ungrouped((name,))
        return host

    def ensure_host(
        self, name: str, variables: Mapping[str, Any] | None, *, port: int | None = None, source: str | None = None
    ) -> Host:
        """Give the host `name`, made in no group if it is new (see `settle_ungrouped`), with `variables` merged in.

        A SourceMap becomes the mapping of a new host itself: the caller gives it away.
        """
        if name not in self.hosts:
            self.version += 1
            self.hosts[name] = Host(name, _first_vars(variables, port), source=source)
        elif variables:
            merge_vars(self.hosts[name].own_vars(), variables)
        return self.hosts[name]

    def ensure_hosts(
        self, hosts: Mapping[str, Mapping[str, Any]], ports: Mapping[str, int], source: str | None
    ) -> None:
        """Make all `hosts`, given with their variables, as `ensure_host` does."""
        known = self.hosts
        unknown = [name for name in hosts if name not in known] if known else list(hosts)
        known.add_alike(unknown, Kind(source=source))
        told = dict.fromkeys([*(name for name, variables in hosts.items() if variables is not NO_VARS), *ports])
        new = set(unknown) if told else set[str]()
        for name in told:
            if name in new:
                known[name] = Host(name, _first_vars(hosts[name], ports.get(name)), source=source)
            else:
                self.ensure_host(name, hosts[name])
        self.version += 1

    def join(self, group: str, hosts: Iterable[str]) -> None:
        """Put existing `hosts` into the existing `group`, in this order."""
        members = self.groups[group].hosts
        fresh = [name for name in hosts if name not in members] if members else list(hosts)
        for name in fresh:
            members[name] = None
        for name in [name for name in fresh if name not in self.hosts] if self._implicit else ():
            host = self._implicit[name]
            host.groups = (*host.groups, group)
            fresh.remove(name)
        self.hosts.put_into(group, fresh)
        self.version += 1

    def settle_ungrouped(self, hosts: Collection[str]) -> None:
        """Put those of `hosts` that are in no group but `all` into `ungrouped`, and take the others out of it."""
        loose: list[str] = []
        settled: Host | Kind | None = None
        for name, held in zip(hosts, self.hosts.held(hosts), strict=True):
            if held is settled:
                continue
            groups = held.groups
            grouped = len(groups) > ("all" in groups) + ("ungrouped" in groups)
            if grouped and "ungrouped" in groups:
                self.hosts[name].groups = tuple(group for group in groups if group != "ungrouped")
                self.groups["ungrouped"].hosts.pop(name, None)
            elif grouped or "ungrouped" in groups:
                settled = held  # and so are all that are of this kind
            else:
                loose.append(name)
        self.join("ungrouped", loose)

    def add_group(
        self,
        name: str,
        *,
        parents: Iterable[str] = (),
        variables: Mapping[str, Any] | None = None,
        origin: Origin | None = None,
    ) -> Group:
        """Add the group `name`, or parents and variables to a group that exists.

        A group without parents is a child of `all`. Raises InventoryError where a group would become its own ancestor.
        """
        name = self.group_name(name)
        group = self.ensure_group(name)
        for parent in map(self.group_name, parents):
            self.add_child(parent, name, origin=origin)
        if variables:
            self.set_group_vars(name, variables, origin=origin)
        self.adopt_orphans((name,))
        return group

    def add_child(self, parent: str, child: str, *, origin: Origin | None = None, adopt: bool = True) -> bool:
        """Make the group `child` a child of the group `parent`; both are made if missing.

        A group that is a child of `all` by now stays one, as in Ansible; with `adopt` false the caller sees to it that
        `parent` gets a parent itself. Tells whether that is new. Raises InventoryError naming the cycle if
        `child` is an ancestor of `parent`.
        """
        known = self.groups.get(child)
        if known is not None and parent in known.parents:
            return False
        path = [parent] if parent == child else self._path(child, parent) if known and known.children else []
        if path:
            named = [origin, *(self.groups[above].children[below] for above, below in pairwise(path))]
            raise InventoryError([cycle_fault(path, named)])
        self.ensure_group(parent)
        self.ensure_group(child)
        self._link(parent, child, origin)
        if adopt:
            self.adopt_orphans((parent,))
        return True

    def undo_groups(self, groups: Iterable[str], links: Iterable[tuple[str, str]]) -> None:
        """Take (parent, child) `links` and the `groups` made with them back out."""
        for parent, child in links:
            self.groups[parent].children.pop(child, None)
            self.groups[child].parents.pop(parent, None)
        for name in groups:
            self.groups.pop(name, None)
        self.version += 1

    def ensure_group(self, name: str) -> Group:
        """Give the group `name`, made without any parent if it is new; see `adopt_orphans`."""
        group = self.groups.get(name)
        if group is None:
            group = self.groups[name] = Group(name)
            self.version += 1
        return group

    def adopt_orphans(self, names: Iterable[str]) -> None:
        """Make those of the groups `names` that have no parents children of `all`."""
        for name in names:
            if not self.groups[name].parents and name != "all":
                self._link("all", name)

    def set_group_vars(self, name: str, variables: Mapping[str, Any], *, origin: Origin | None = None) -> None:
        """Merge `variables` into those of the group `name`; `ansible_group_priority` sets its priority instead.

        Raises InventoryError if the priority is not a whole number.
        """
        group = self.groups[name]
        values = variables
        if "ansible_group_priority" in variables:
            values = {key: value for key, value in variables.items() if key != "ansible_group_priority"}
            self.set_priority(name, variables["ansible_group_priority"], origin)
        merge_vars(group.vars, values, getattr(variables, "key_origins", None))
        self.version += 1

    def set_priority(self, name: str, value: object, origin: Origin | None = None) -> None:
        """Set the priority of a group: of equal depth, the highest wins. Raises InventoryError for no whole number."""
        self.groups[name].priority = _priority(value, name, origin)
        self.version += 1

    # -- insides

    def _link(self, parent: str, child: str, origin: Origin | None = None) -> None:
        self.groups[parent].children[child] = origin
        self.groups[child].parents[parent] = None
        self.version += 1

    def _path(self, start: str, goal: str) -> list[str]:
        """Give the groups from `start` down to `goal`, empty if `goal` is not below `start`."""
        if start == goal:
            return [start]
        came_from: dict[str, str] = {start: start}
        queue = [start]
        for name in queue:
            for child in self.groups[name].children:
                if child in came_from:
                    continue
                came_from[child] = name
                if child == goal:
                    return _walk_back(came_from, goal)
                queue.append(child)
        return []

    def _ordered_ancestry(self, names: Iterable[str]) -> list[Group]:
        found = dict.fromkeys(names)
        found["all"] = None
        queue = list(found)
        for name in queue:
            fresh = [parent for parent in self.groups[name].parents if parent not in found]
            found.update(dict.fromkeys(fresh))
            queue.extend(fresh)
        return sorted((self.groups[name] for name in found), key=lambda g: (self.depth(g.name), g.priority, g.name))

    def _depths(self) -> dict[str, int]:
        depths = dict.fromkeys(self.groups, 0)
        waiting = {name: len(group.parents) for name, group in self.groups.items()}
        ready = [name for name, count in waiting.items() if not count]
        for name in ready:
            for child in self.groups[name].children:
                depths[child] = max(depths[child], depths[name] + 1)
                waiting[child] -= 1
                if not waiting[child]:
                    ready.append(child)
        return depths


def _first_vars(variables: Mapping[str, Any] | None, port: int | None) -> Mapping[str, Any]:
    """Give the variables of a new host; a parser's mapping, made for it alone, as it is."""
    if port is None and isinstance(variables, SourceMap):
        return variables
    if port is None and not variables:
        return NO_VARS
    own = SourceMap() if port is None else SourceMap({"ansible_port": port})
    merge_vars(own, variables or {})
    return own


def merge_vars(target: SourceMap, values: Mapping[str, Any], key_origins: Mapping[Any, Origin] | None = None) -> None:
    """Put `values` over those in `target`, with where their keys stand."""
    target.update(values)
    origins = key_origins if key_origins is not None else getattr(values, "key_origins", None)
    if origins:
        target.key_origins.update(origins)


def cycle_fault(path: list[str], origins: list[Origin | None]) -> Diagnostic:
    """Give the diagnostic for groups that contain each other; `path` leads from a group down to its new parent.

    `origins` tell where the parent names the group, and then where each of `path` names the next.
    """
    names = [path[-1], *path]
    message = (
        f"group '{path[0]}' cannot be its own child"
        if len(path) == 1
        else f"groups contain each other: {arrows(names)}"
    )
    notes = places(names, origins) if len(path) > 1 else ()
    return Diagnostic("group-cycle", message, origins[0], help="take one of these children out", notes=notes)


def _walk_back(came_from: Mapping[str, str], goal: str) -> list[str]:
    path = [goal]
    while came_from[path[-1]] != path[-1]:
        path.append(came_from[path[-1]])
    return path[::-1]


def _priority(value: object, group: str, origin: Origin | None) -> int:
    try:
        return int(str(value))
    except ValueError:
        message = f"ansible_group_priority of group '{group}' is not a whole number: {value}"
        raise InventoryError(
            [Diagnostic("group-priority", message, getattr(value, "origin", None) or origin)]
        ) from None
