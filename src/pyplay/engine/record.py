"""Writing what tasks give back: into the controller's store and into the log that workers read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from pyplay.variables.log import Delta

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class DeltaStore(Protocol):
    """The controller's own view of all values: the variable store."""

    def apply(self, delta: Delta) -> None:
        """Take one change."""
        ...

    def facts(self, host: str) -> Mapping[str, Any]:
        """Give the facts of `host`."""
        ...


class DeltaLog(Protocol):
    """The log that workers read: the log's writer."""

    def append(self, delta: Delta) -> int:
        """Write one change and give the length of the log after it."""
        ...


class FactKeeper(Protocol):
    """Keeps facts for later runs: the fact cache."""

    def save(self, host: str, facts: Mapping[str, Any]) -> None:
        """Keep all facts of `host`."""
        ...

    def remove(self, host: str) -> None:
        """Forget the facts of `host`."""
        ...


class Recorder:
    """Applies each change once here and writes it once for all workers. `position` is what a round may read.

    `keeper` takes facts as they come.
    """

    def __init__(self, store: DeltaStore, log: DeltaLog, keeper: FactKeeper | None = None) -> None:
        self._store, self._log, self._keeper = store, log, keeper
        self.position = 0

    def write(self, host: str, layer: str, values: Mapping[str, Any]) -> None:
        """Record `values` of `host` in `layer` (see `variables.log.LAYERS`)."""
        delta = Delta(host, layer, values)
        self._store.apply(delta)
        self.position = self._log.append(delta)
        if self._keeper is not None:
            if layer == "facts":
                self._keeper.save(host, self._store.facts(host))
            elif layer == "reset" and "facts" in values:
                self._keeper.remove(host)

    def write_all(self, hosts: Iterable[str], layer: str, values: Mapping[str, Any]) -> None:
        """Record the same `values` for each of `hosts`."""
        for host in hosts:
            self.write(host, layer, values)

    def facts(self, host: str) -> Mapping[str, Any]:
        """Give the facts that are known of `host`."""
        return self._store.facts(host)
