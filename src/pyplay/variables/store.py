"""The values that a run has found out: facts, set facts, included variables, what holds for the play.

The controller applies changes as they come. A worker follows the log: it takes note of changes up to the position of
its round, and decodes those of a host and layer when they are asked for.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, NamedTuple

from pyplay.variables.changes import change_inventory
from pyplay.variables.facts import namespaced
from pyplay.variables.log import Delta

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.inventory.model import Inventory
    from pyplay.variables.fact_cache import FactCache
    from pyplay.variables.log import Entry, LogReader

HOST_LAYERS = ("facts", "set_facts", "include_vars", "vars_files")
PLAY_LAYERS = ("play", "prompts")

_NONE: Mapping[str, Any] = {}


class HostLayers(NamedTuple):
    """The layers of one host that hold something, each with what hides it first.

    `set` are set_facts and include_vars, `files` vars_files, the host's before the play's, and prompts.
    """

    set: tuple[Mapping[str, Any], ...]
    files: tuple[Mapping[str, Any], ...]
    facts: Mapping[str, Any]


class Store:
    """All layers, by host. `inventory` takes the changes of hosts and groups; `log` is what a worker follows.

    The facts of a host that `cache` kept from an earlier run lie beneath those of this one.
    """

    def __init__(
        self, inventory: Inventory | None = None, *, log: LogReader | None = None, cache: FactCache | None = None
    ) -> None:
        self._inventory, self._log, self.cache = inventory, log, cache
        self._from_cache: set[str] = set()  # hosts whose cached facts are here, or are not wanted any more
        self._layers: dict[str, dict[str, dict[str, Any]]] = {layer: {} for layer in (*HOST_LAYERS, *PLAY_LAYERS)}
        self._pending: dict[tuple[str, str], list[Entry]] = {}
        self._namespaced: dict[str, dict[str, Any]] = {}
        self._stacks: dict[str, HostLayers] = {}  # what `layers_of` found, until something of it changes
        self._lock = threading.RLock()  # templates render in threads; what is pending is decoded by one of them

    # writing

    def apply(self, delta: Delta) -> None:
        """Take one change. See `variables.log.LAYERS`."""
        if delta.layer in self._layers:
            self._merge(delta.layer, delta.host, delta.values)
        elif delta.layer == "reset":
            for layer in delta.values:
                self._forget(layer, delta.host)
        elif delta.layer == "play_start":
            of_play = ("vars_files", *PLAY_LAYERS)
            for layer in of_play:
                self._layers[layer].clear()
            self._stacks.clear()
            self._pending = {key: entries for key, entries in self._pending.items() if key[0] not in of_play}
        elif self._inventory is not None:
            change_inventory(self._inventory, delta.values)

    def advance(self, position: int) -> None:
        """Follow the log to `position`; without a log there is nothing to do."""
        if self._log is None:
            return
        with self._lock:
            for entry in self._log.advance(position):
                if entry.layer in self._layers:
                    self._outdate(entry.host)
                    self._pending.setdefault((entry.layer, entry.host), []).append(entry)
                else:
                    self.apply(Delta(entry.host, entry.layer, self._log.values(entry)))

    def _merge(self, layer: str, host: str, values: Mapping[str, Any]) -> None:
        self._layers[layer].setdefault(host, {}).update(values)
        self._outdate(host)
        if layer == "facts":
            self._namespaced.pop(host, None)

    def _forget(self, layer: str, host: str) -> None:
        self._layers[layer].pop(host, None)
        self._pending.pop((layer, host), None)
        self._outdate(host)
        if layer == "facts":
            self._namespaced.pop(host, None)
            self._from_cache.add(host)

    def _outdate(self, host: str) -> None:
        """Forget which layers of `host` hold something; those of the play are everybody's."""
        if host:
            self._stacks.pop(host, None)
        else:
            self._stacks.clear()

    # reading

    def layers_of(self, host: str) -> HostLayers:
        """Give the layers of `host` that hold something. Do not change them."""
        found = self._stacks.get(host)
        if found is None:
            with self._lock:
                read = self.layer
                own = (read("set_facts", host), read("include_vars", host))
                files = (read("vars_files", host), read("vars_files", ""), read("prompts", ""))
                facts = read("facts", host)
                found = HostLayers(tuple(filter(None, own)), tuple(filter(None, files)), facts)
                self._stacks[host] = found
        return found

    def layer(self, layer: str, host: str) -> Mapping[str, Any]:
        """Give the values of `host` in `layer`; those of the play are under the host "". Do not change it."""
        if self._pending and (layer, host) in self._pending:
            self._decode(layer, host)
        if self.cache is not None and layer == "facts" and host not in self._from_cache:
            self._take_cached(self.cache, host)
        return self._layers[layer].get(host, _NONE)

    def facts(self, host: str) -> Mapping[str, Any]:
        """Give the facts of `host` under the names that modules gave them."""
        return self.layer("facts", host)

    def ansible_facts(self, host: str) -> dict[str, Any]:
        """Give the facts of `host` as the variable `ansible_facts` has them: without `ansible_` before their names."""
        with self._lock:
            facts = self.layer("facts", host)
            found = self._namespaced.get(host)
            if found is None:
                found = self._namespaced[host] = namespaced(facts)
            return found

    def play_value(self, name: str, default: Any = None) -> Any:
        """Give what the engine said of the play (`ansible_play_hosts` …)."""
        return self.layer("play", "").get(name, default)

    def _take_cached(self, cache: FactCache, host: str) -> None:
        with self._lock:
            if host in self._from_cache:
                return
            found = cache.load(host)
            if found:
                found.update(self._layers["facts"].get(host, _NONE))
                self._layers["facts"][host] = found
                self._outdate(host)
                self._namespaced.pop(host, None)
            self._from_cache.add(host)  # only now: until then others wait for the lock

    def _decode(self, layer: str, host: str) -> None:
        with self._lock:
            for entry in self._pending.get((layer, host), ()):
                assert self._log is not None  # noqa: S101  # entries come from the log
                self._merge(layer, host, self._log.values(entry))
            self._pending.pop((layer, host), None)  # only now: until then others wait for the lock
