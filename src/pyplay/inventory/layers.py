"""The layers of variables that inventory and vars files give a host, stacked and not merged.

Source: Ansible documentation, "Understanding variable precedence", levels 3 to 10.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyplay.inventory.members import Group, Host
    from pyplay.inventory.model import Inventory
    from pyplay.inventory.varfiles import VarsFiles

Layer = Mapping[str, Any]


def host_layers(inventory: Inventory, host: Host, playbook_vars: Sequence[VarsFiles] = ()) -> list[Layer]:
    """Give the variables of `host` as mappings, lowest precedence first.

    By default: group variables of the inventory (parents before children) < group_vars/all next to the inventory < next
    to the playbook < other group_vars next to the inventory < next to the playbook < host variables of the inventory <
    host_vars next to the inventory < next to the playbook. Of several directories of the playbook the last one wins.
    The mappings are shared: do not change them.
    """
    layers = list(group_layers(inventory, host, playbook_vars))
    if host.vars:
        layers.append(host.vars)
    for files in (*inventory.vars_files, *playbook_vars):
        values = files.host(host.name)
        if values:
            layers.append(values)
    return layers


def group_layers(inventory: Inventory, host: Host, playbook_vars: Sequence[VarsFiles] = ()) -> tuple[Layer, ...]:
    """Give the layers that `host` has from its groups, computed once for all hosts with the same groups."""
    cache = inventory.cache()
    key = ("layers", host.groups, tuple(map(id, playbook_vars)))
    found: tuple[Any, tuple[Layer, ...]] | None = cache.get(key)
    if found is None:
        # the cache holds `playbook_vars` too, so that no id can be taken by another object meanwhile
        found = cache[key] = (playbook_vars, tuple(_stack(inventory, inventory.groups_of(host), playbook_vars)))
    return found[1]


def _stack(inventory: Inventory, groups: list[Group], playbook_vars: Sequence[VarsFiles]) -> list[Layer]:
    top = [group for group in groups if group.name == "all"]
    others = [group for group in groups if group.name != "all"]
    around = inventory.vars_files
    layers: dict[str, list[Layer | None]] = {
        "all_inventory": [group.vars for group in top],
        "groups_inventory": [group.vars for group in others],
        "all_plugins_inventory": [files.group("all") for files in around],
        "all_plugins_play": [files.group("all") for files in playbook_vars],
        "groups_plugins_inventory": [files.group(group.name) for files in around for group in others],
        "groups_plugins_play": [files.group(group.name) for files in playbook_vars for group in others],
    }
    layers["plugins_by_group"] = _by_group(groups, [*around, *playbook_vars])
    return [layer for name in inventory.precedence for layer in layers.get(name, ()) if layer]


def _by_group(groups: list[Group], files: list[VarsFiles]) -> list[Layer | None]:
    """Give all group_vars, group by group instead of directory by directory."""
    return [each.group(group.name) for group in groups for each in files]


def merged(layers: list[Layer]) -> dict[str, Any]:
    """Give one mapping of `layers`, the last one winning."""
    result: dict[str, Any] = {}
    for layer in layers:
        result.update(layer)
    return result
