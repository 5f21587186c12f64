"""Changes of the inventory while a run goes on: made here, and written to the log for every worker.

A delta of the layer `inventory` names one change: `add_host` (name, groups, vars), `add_group` (host, group, parents)
or `refresh` (a whole new inventory).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.engine.context import RunContext


def add_host(context: RunContext, call: Mapping[str, Any]) -> None:
    """Add the host of one add_host call: `host_name`, `groups`, `host_vars` as the module gives them."""
    name = str(call["host_name"])
    change = {
        "name": name,
        "groups": [str(group) for group in call.get("groups") or ()],
        "vars": dict(call.get("host_vars") or {}),
    }
    context.recorder.write(name, "inventory", {"add_host": change})


def add_group(context: RunContext, host: str, call: Mapping[str, Any]) -> None:
    """Put `host` into the group of one group_by call: `add_group` and `parent_groups` as the module gives them."""
    parents = [str(group) for group in call.get("parent_groups") or ()]
    change = {"host": host, "group": str(call["add_group"]), "parents": parents}
    context.recorder.write(host, "inventory", {"add_group": change})


def refresh(context: RunContext) -> None:
    """Read all inventory sources again; hosts of earlier add_host calls that no source names are gone."""
    context.recorder.write("", "inventory", {"refresh": context.reload_inventory()})
