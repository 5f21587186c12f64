"""What a run will probably need, seen before it begins. A wrong guess costs time, never a result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from pyplay.connection.kinds import SSH_KINDS
from pyplay.playbook.builtin import short_name
from pyplay.playbook.model import TaskKind
from pyplay.templating.syntax import is_template

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.inventory.members import Host
    from pyplay.inventory.model import Inventory
    from pyplay.playbook.model import Play, Task
    from pyplay.workers.handover import Handover

AT_HOME = frozenset({
    "add_host", "assert", "debug", "fail", "group_by", "include_vars", "pause", "set_fact", "set_stats",
    "validate_argument_spec",
})  # fmt: skip
"""Actions that talk to no host."""

LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})


def actions_of(handover: Handover) -> set[str]:
    """Give the names of the actions that will probably run."""
    gathering = {"gather_facts"} if any(map(_gathers, handover.plays.values())) else set[str]()
    return gathering | {task.resolved_action for task in handover.tasks.values()}


def will_talk(handover: Handover) -> bool:
    """Tell whether something will probably be sent to some host, this machine included."""
    return any(map(_gathers, handover.plays.values())) or any(map(_talks, handover.tasks.values()))


def will_connect(handover: Handover) -> bool:
    """Tell whether some host will probably be reached over SSH."""
    if _is_no_ssh(handover.options.connection):
        return False
    away = {number for number, play in handover.plays.items() if not _stays(play)}
    tasks = (task for task in handover.tasks.values() if task.play_id in away and not _is_no_ssh(task.connection))
    if not any(map(_talks, tasks)) and not any(_gathers(handover.plays[number]) for number in away):
        return False
    return _has_remote_host(handover.inventory)


def _stays(play: Play) -> bool:
    """Tell whether a play is only for the controller's own host."""
    several = isinstance(play.hosts, list | tuple)
    return all(host in LOCAL_NAMES for host in (cast("list[Any]", play.hosts) if several else [play.hosts]))


def _talks(task: Task) -> bool:
    return task.kind != TaskKind.META and short_name(task.resolved_action) not in AT_HOME


def _gathers(play: Play) -> bool:
    return play.gather_facts is None or play.gather_facts is True


def _has_remote_host(inventory: Inventory) -> bool:
    """Tell whether the inventory has a host that is not said to be reached otherwise, by itself or by a group."""
    near = {name for name, group in inventory.groups.items() if _is_near(group.vars)}
    if "all" in near:
        return False
    return any(not _is_near(host.vars) and not _in_any(inventory, host, near) for host in inventory.hosts.values())


def _in_any(inventory: Inventory, host: Host, names: set[str]) -> bool:
    return bool(names) and any(group.name in names for group in inventory.groups_of(host))


def _is_near(variables: Mapping[str, Any]) -> bool:
    return _is_no_ssh(variables.get("ansible_connection"))


def _is_no_ssh(kind: object) -> bool:
    """Tell whether a connection is named that is surely not ssh: local, or an engine such as docker."""
    return isinstance(kind, str) and kind.rpartition(".")[2] not in SSH_KINDS and not is_template(kind)
