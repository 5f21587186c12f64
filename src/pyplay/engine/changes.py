"""Changes of the inventory while a run goes on: made here, and written to the log for every worker.

A delta of the layer `inventory` names one change: `add_host` (name, groups, vars), `add_group` (host, group, parents)
or `refresh` (a whole new inventory).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.engine.record import Recorder
    from pyplay.inventory.model import Inventory


@dataclass(slots=True)
class InventoryChanges:
    """Makes changes and remembers those of tasks: they outlive a refresh of the inventory, as in Ansible."""

    recorder: Recorder
    made: list[tuple[str, dict[str, Any]]] = field(default_factory=list[tuple[str, dict[str, Any]]])

    def add_host(self, call: Mapping[str, Any]) -> None:
        """Add the host of one add_host call: `host_name`, `groups`, `host_vars` as the module gives them."""
        name = str(call["host_name"])
        change = {
            "name": name,
            "groups": [str(group) for group in call.get("groups") or ()],
            "vars": dict(call.get("host_vars") or {}),
        }
        self._make(name, {"add_host": change})

    def add_group(self, host: str, call: Mapping[str, Any]) -> None:
        """Put `host` into the group of one group_by call: `add_group` and `parent_groups` as the module gives them."""
        parents = [str(group) for group in call.get("parent_groups") or ()]
        change = {"host": host, "group": str(call["add_group"]), "parents": parents}
        self._make(host, {"add_group": change})

    def _make(self, host: str, change: dict[str, Any]) -> None:
        self.made.append((host, change))
        self.recorder.write(host, "inventory", change)

    def refresh(self, inventory: Inventory) -> None:
        """Let `inventory`, all sources read anew, take the place of the one before, with what tasks changed."""
        self.recorder.write("", "inventory", {"refresh": inventory})
        for host, change in self.made:
            self.recorder.write(host, "inventory", change)
