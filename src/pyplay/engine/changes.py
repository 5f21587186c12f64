"""Changes of the inventory while a run goes on: made here, and written to the log for every worker.

A delta of the layer `inventory` names one change: `add_host` (name, groups, vars), `add_group` (host, group, parents)
or `refresh` (a whole new inventory).
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ASKS
from pyplay.diagnostics.dataclass import dataclass
from pyplay.diagnostics.errors import InventoryError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pyplay.engine.record import Recorder
    from pyplay.inventory.model import Inventory
    from pyplay.playbook.model import Task
    from pyplay.workers.messages import ItemResult, TaskResult

_KEYS = ("add_host", "add_group")  # what results that ask for a change hold it under

Verdict = bool | str
"""Whether a change was one, or why it cannot be made."""


@dataclass(slots=True)
class InventoryChanges:
    """Makes changes and remembers those of tasks: they outlive a refresh of the inventory, as in Ansible.

    Whether a task that asks for a change is `changed` is known only here, and whether the change can be made: groups
    that would contain each other fail the task. `inventory` is what changes.
    """

    recorder: Recorder
    inventory: Inventory
    made: list[tuple[str, dict[str, Any]]] = field(default_factory=list[tuple[str, dict[str, Any]]])
    _early: dict[str, list[Verdict]] = field(default_factory=dict[str, list["Verdict"]])  # on items, by host

    def take_item(self, task: Task, item: ItemResult) -> None:
        """Make the change that a loop's item asks for, if it does, and let its `changed` say whether it was one."""
        asked = item.result
        if item.retry or asked.get("failed") or asked.get(ASKS) not in _KEYS:
            return
        if asked[ASKS] == "add_host":
            verdict = _verdict(self.add_host, asked["add_host"])
        else:
            verdict = _verdict(self.add_group, item.host, asked)
        self._early.setdefault(item.host, []).append(verdict)
        _tell(asked, verdict, keep=bool(task.changed_when))

    def take(self, task: Task, result: TaskResult, hosts: Sequence[str]) -> None:
        """Make the changes that a task asks for, `hosts` being those it is for, and let its `changed` say so."""
        if not self._early and not result.add_hosts and not result.add_groups:
            return
        early = iter(self._early.pop(result.host, ()))
        verdicts = [next(early, None) for _ in (*result.add_hosts, *result.add_groups)]
        for index, call in enumerate(result.add_hosts):
            verdicts[index] = _verdict(self.add_host, call) if verdicts[index] is None else verdicts[index]
        for index, call in enumerate(result.add_groups, len(result.add_hosts)):
            done = hosts if verdicts[index] is None else hosts[1:]
            made = [verdicts[index] or False, *(_verdict(self.add_group, host, call) for host in done)]
            verdicts[index] = next((verdict for verdict in made if isinstance(verdict, str)), any(made))
        if verdicts:
            _judge(task, result, [verdict or False for verdict in verdicts])

    def add_host(self, call: Mapping[str, Any]) -> bool:
        """Add the host of one add_host call: `host_name`, `groups`, `host_vars` as the module gives them.

        Tells whether that changed anything.
        """
        name = str(call["host_name"])
        change: dict[str, Any] = {
            "name": name,
            "groups": [str(group) for group in call.get("groups") or ()],
            "vars": dict(call.get("host_vars") or {}),
        }
        known = self.inventory.hosts.get(name)
        changed = known is None or any(
            key not in known.vars or known.vars[key] != value for key, value in change["vars"].items()
        )
        changed = changed or not self._are_members(name, change["groups"])
        self._make(name, {"add_host": change})
        return changed

    def add_group(self, host: str, call: Mapping[str, Any]) -> bool:
        """Put `host` into the group of one group_by call: `add_group` and `parent_groups` as the module gives them.

        Tells whether that changed anything. Raises InventoryError if the group would become its own ancestor.
        """
        parents = [str(group) for group in call.get("parent_groups") or ()]
        change: dict[str, Any] = {"host": host, "group": str(call["add_group"]), "parents": parents}
        group = self.inventory.groups.get(self.inventory.group_name(change["group"]))
        changed = not self._are_members(host, [change["group"]])
        changed = changed or (group is not None and any(parent not in group.parents for parent in parents))
        self._make(host, {"add_group": change})
        return changed

    def _are_members(self, host: str, groups: Iterable[str]) -> bool:
        """Tell whether `host` is in all of `groups` already."""
        known = self.inventory.groups
        names = [self.inventory.group_name(group) for group in groups]
        return all(name in known and host in known[name].hosts for name in names)

    def _make(self, host: str, change: dict[str, Any]) -> None:
        self.made.append((host, change))
        self.recorder.write(host, "inventory", change)

    def refresh(self, inventory: Inventory) -> None:
        """Let `inventory`, all sources read anew, take the place of the one before, with what tasks changed."""
        self.recorder.write("", "inventory", {"refresh": inventory})
        for host, change in self.made:
            self.recorder.write(host, "inventory", change)


def _verdict(make: Callable[..., bool], *asked: Any) -> Verdict:
    try:
        return make(*asked)
    except InventoryError as error:
        return f"Task failed: {error.diagnostics[0].message}"


def _judge(task: Task, result: TaskResult, verdicts: Sequence[Verdict]) -> None:
    """Let `changed` of the parts that asked for a change, and of the whole, be what came of them."""
    parts: list[dict[str, Any]] = result.result["results"] if result.looped else [result.result]
    asked = [part for part in parts if any(key in part for key in _KEYS) and not part.get("failed")]
    keep = bool(task.changed_when)
    for part, verdict in zip(asked, verdicts, strict=False):
        _tell(part, verdict, keep=keep)
    if not keep:
        result.changed = result.result["changed"] = any(verdict is True for verdict in verdicts)
    if faults := [verdict for verdict in verdicts if isinstance(verdict, str)]:
        result.failed = result.result["failed"] = True
        result.result["msg"] = "One or more items failed" if result.looped else faults[0]
    result.ignored = result.ignored and result.failed


def _tell(part: dict[str, Any], verdict: Verdict, *, keep: bool) -> None:
    """Put what came of a change into the result that asked for it; `keep` leaves its `changed` alone."""
    if isinstance(verdict, str):
        for key in (*_KEYS, "parent_groups"):
            part.pop(key, None)
        part.update(changed=False, failed=True, msg=verdict)
    elif not keep:
        part["changed"] = verdict
