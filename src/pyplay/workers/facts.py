"""Facts and variables in results: which layer of the store they go to, and what later items see of them at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.playbook.builtin import short_name
from pyplay.variables.facts import may_be_injected, namespaced
from pyplay.workers.values import variable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.playbook.model import Task
    from pyplay.templating.templar import Templar

CACHEABLE = "_ansible_facts_cacheable"
_FACTLESS = frozenset({"debug", "assert", "fail"})


class FactStore:
    """Collects the variables that one task sets, by layer of the store and host."""

    def __init__(self) -> None:
        self.layers: dict[str, dict[str, dict[str, Any]]] = {}

    def take(self, result: dict[str, Any], task: Task, host: str) -> dict[str, Any] | None:
        """Collect `ansible_facts` of `result` for `host`; give them, None if there are none."""
        facts = result.get("ansible_facts")
        cacheable = bool(result.pop(CACHEABLE, False))
        action = short_name(task.resolved_action)
        if not isinstance(facts, dict) or action in _FACTLESS:
            return None
        layer = _layer(action)
        self._put(layer, host, facts)  # pyright: ignore[reportUnknownArgumentType]  # JSON
        if layer == "set_facts" and cacheable:
            self._put("facts", host, facts)  # pyright: ignore[reportUnknownArgumentType]  # JSON
        return facts  # pyright: ignore[reportUnknownVariableType]  # JSON

    def merge(self, layers: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> None:
        """Collect what an action stored by layer itself."""
        for layer, hosts in layers.items():
            for host, values in hosts.items():
                self._put(layer, host, values)

    def _put(self, layer: str, host: str, values: Mapping[str, Any]) -> None:
        self.layers.setdefault(layer, {}).setdefault(host, {}).update(values)


def visible(facts: Mapping[str, Any], task: Task, templar: Templar, *, injects: bool) -> dict[str, Any]:
    """Return the variables by which `facts` that `task` has just set are seen, before the store has them.

    `injects`: facts are variables of their own, too; the same ones as when the store has them.
    """
    if _layer(short_name(task.resolved_action)) != "facts":
        return dict(facts)
    before: Mapping[str, Any] = variable(templar, "ansible_facts") or {}
    own = {name: value for name, value in facts.items() if may_be_injected(name)} if injects else {}
    return {**own, "ansible_facts": {**before, **namespaced(facts)}}


def _layer(action: str) -> str:
    return {"set_fact": "set_facts", "include_vars": "include_vars"}.get(action, "facts")
