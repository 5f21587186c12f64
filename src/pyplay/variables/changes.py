"""Changes of the inventory while a run goes on, applied alike by the controller and by every worker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.inventory.model import Inventory


def change_inventory(inventory: Inventory, values: Mapping[str, Any]) -> None:
    """Apply the changes that `values` names to `inventory`.

    `add_host` is {name, groups, vars}, `add_group` {host, group, parents}, `refresh` a whole new inventory, which takes
    the place of all that the old one held.
    """
    for kind, change in values.items():
        if kind == "add_host":
            inventory.add_host(change["name"], change.get("groups") or (), change.get("vars"))
        elif kind == "add_group":
            _add_group(inventory, change)
        elif kind == "refresh":
            _replace(inventory, change)


def _add_group(inventory: Inventory, change: Mapping[str, Any]) -> None:
    inventory.add_group(change["group"], parents=change.get("parents") or ())
    host = inventory.get_host(change["host"])
    if host is not None and host.implicit:
        inventory.join(inventory.group_name(change["group"]), (host.name,))
    elif host is not None:
        inventory.add_host(host.name, [change["group"]])


def _replace(inventory: Inventory, fresh: Inventory) -> None:
    version = inventory.version
    inventory.__dict__.update(fresh.__dict__)
    inventory.version = max(version, fresh.version) + 1
