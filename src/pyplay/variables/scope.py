"""All variables that one task on one host sees: layers stacked by precedence, looked through by name.

Source: Ansible documentation, "Understanding variable precedence": 22 levels, from role defaults to extra variables;
and, before all of them, the magic variables that nobody can set.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from pyplay.source.text import SourceMap
from pyplay.templating.scope import MISSING
from pyplay.variables.facts import may_be_injected
from pyplay.variables.magic import FALLBACKS, HOST_MAGIC, MAGIC

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyplay.inventory.members import Host
    from pyplay.playbook.model import Play, Task
    from pyplay.variables.layers import StaticLayers
    from pyplay.variables.manager import VariableManager

    Layer = Mapping[str, Any]


class VariableScope:
    """The variables of `task` in `play` on the host called `name`; each of these may be None.

    `host` is that host in the inventory, None if it is not there. Implements `templating.scope.Scope`.
    """

    __slots__ = ("_inventory_layers", "_merging", "_static", "host", "manager", "name", "play", "task")

    def __init__(
        self,
        manager: VariableManager,
        name: str | None,
        host: Host | None,
        play: Play | None,
        task: Task | None,
        *,
        static: StaticLayers,
        inventory_layers: tuple[Layer, ...],
    ) -> None:
        self.manager, self.name, self.host, self.play, self.task = manager, name, host, play, task
        self._static, self._inventory_layers = static, inventory_layers
        self._merging = manager.merging

    def get(self, name: str, /) -> Any:
        """Give the raw value of `name`, or MISSING."""
        magic = MAGIC.get(name)
        if magic is not None:
            value = magic(self)
            if value is not MISSING:
                return value
        value = self.find(name)
        if value is MISSING and name in FALLBACKS and self.play is not None and self.name is not None:
            return FALLBACKS[name](self)
        return value

    def find(self, name: str) -> Any:
        """Give the raw value of `name` that users, facts and the inventory set, or MISSING."""
        if self._merging:
            return self._merged(name)
        host = self.name
        if host is None:
            return _first(self._layers(name), name)
        # What `_layers` gives, without asking layers that are empty: this is where half of a condition's time would go.
        static, own = self._static, self.manager.store.layers_of(host)
        value = self.manager.extra_vars.get(name, MISSING)
        if value is MISSING and static.upper:
            value = _first(static.upper, name)
        if value is MISSING and own.set:
            value = _first(own.set, name)
        if value is MISSING and static.middle:
            value = _first(static.middle, name)
        if value is MISSING and self.play is not None:
            value = _first((*own.files, *static.play), name) if own.files else _first(static.play, name)
        if value is MISSING and (name == "ansible_facts" or name in own.facts):
            value = _first(self._fact_layers(host, name), name)
        if value is MISSING and name in HOST_MAGIC:
            value = HOST_MAGIC[name](self)
        if value is MISSING:
            value = _first(self._inventory_layers, name)
        return _first(static.lower, name) if value is MISSING else value

    def defined(self, names: frozenset[str]) -> set[str]:
        """Give those of `names` that users, facts or the inventory set, with one look per layer."""
        found: set[str] = set()
        for layer in self._layers(""):
            if layer:
                found |= layer.keys() & names
        if self.name is not None and self.manager.inject_facts:
            facts = self.manager.store.facts(self.name).keys() & names
            found.update(name for name in facts if may_be_injected(name))
        return found

    def names(self) -> Iterator[str]:
        """Give the names of all variables."""
        for layer in self._layers(None):
            for name in list(layer):  # a layer may grow in another thread
                if name not in MAGIC:
                    yield name
        for name, magic in MAGIC.items():
            if magic(self) is not MISSING and not (name == "hostvars" and self.play is None):
                yield name  # hostvars of hostvars can be asked for, but are not listed: that would never end

    def is_injected(self, name: str, /) -> bool:
        """Tell whether `name` is a fact that is a variable of its own only because nobody decided about that."""
        return self.manager.injects_by_default and self.is_fact(name)

    def is_fact(self, name: str, /) -> bool:
        """Whether the value of `name` is a fact."""
        if self.name is None:
            return False
        facts = self.manager.store.facts(self.name)
        if name not in facts:
            return False
        return next((layer is facts for layer in self._layers(name) if name in layer), False)

    def _layers(self, name: str | None) -> Iterator[Layer]:
        """Give the layers that may hold `name` (None: all of them), highest precedence first."""
        static, store, host = self._static, self.manager.store, self.name
        yield self.manager.extra_vars
        yield from static.upper
        if host is not None:
            yield store.layer("set_facts", host)
            yield store.layer("include_vars", host)
        yield from static.middle
        if self.play is not None:
            if host is not None:
                yield store.layer("vars_files", host)
            yield store.layer("vars_files", "")
            yield store.layer("prompts", "")
            if host is None:
                yield self.play.file_vars
            yield from static.play
        if host is not None:
            yield from self._fact_layers(host, name)
            yield from self._host_magic(name)
            yield from self._inventory_layers
        yield from static.lower

    def _fact_layers(self, host: str, name: str | None) -> Iterator[Layer]:
        store = self.manager.store
        if name is None or name == "ansible_facts":
            yield {"ansible_facts": store.ansible_facts(host)}
        if self.manager.inject_facts:
            facts = store.facts(host)
            if name is None:
                yield {fact: value for fact, value in facts.items() if may_be_injected(fact)}
            elif name in facts and may_be_injected(name):
                yield facts

    def _host_magic(self, name: str | None) -> Iterator[Layer]:
        names = HOST_MAGIC if name is None else (name,) if name in HOST_MAGIC else ()
        for each in names:
            value = HOST_MAGIC[each](self)
            if value is not MISSING:
                yield {each: value}

    def _merged(self, name: str) -> Any:
        """Give `name` with mappings of all layers merged, as `hash_behaviour = merge` asks for."""
        found: list[Any] = []
        for layer in self._layers(name):
            value = layer.get(name, MISSING)
            if value is MISSING:
                continue
            found.append(value)
            if not isinstance(value, Mapping):
                break
        if not found:
            return MISSING
        if not isinstance(found[0], Mapping):
            return found[0]
        result = SourceMap()
        for value in reversed(found):
            result = merge(result, cast("Mapping[Any, Any]", value)) if isinstance(value, Mapping) else SourceMap()
        return result


def _first(layers: Iterable[Layer], name: str) -> Any:
    """Give the value of `name` in the first of `layers` that has it, or MISSING."""
    for layer in layers:
        value = layer.get(name, MISSING)
        if value is not MISSING:
            return value
    return MISSING


def merge(below: Mapping[Any, Any], above: Mapping[Any, Any]) -> SourceMap:
    """Give the mapping of both, mappings in them merged too; else the one above wins."""
    result = SourceMap(below, getattr(above, "origin", None))
    for key, value in above.items():
        old = result.get(key)
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            value = merge(cast("Mapping[Any, Any]", old), cast("Mapping[Any, Any]", value))  # noqa: PLW2901  # merged
        result[key] = value
    return result
