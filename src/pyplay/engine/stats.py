"""The recap's figures, counted as results come in."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from pyplay.diagnostics.dataclass import dataclass
from pyplay.report.events import HostStats


@dataclass(slots=True)
class _Counts:
    """The figures of one host while they grow."""

    ok: int = 0
    changed: int = 0
    unreachable: int = 0
    failed: int = 0
    skipped: int = 0
    rescued: int = 0
    ignored: int = 0

    def frozen(self) -> HostStats:
        return HostStats(
            ok=self.ok,
            changed=self.changed,
            unreachable=self.unreachable,
            failed=self.failed,
            skipped=self.skipped,
            rescued=self.rescued,
            ignored=self.ignored,
        )


@dataclass(slots=True)
class Stats:
    """Counts outcomes per host, as the recap of Ansible does: each result of a task counts once, loops included.

    `custom` are the values of set_stats, under the host's name or `_run` for the whole run.
    """

    hosts: dict[str, _Counts] = field(default_factory=dict[str, _Counts])
    custom: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])

    def _of(self, host: str) -> _Counts:
        found = self.hosts.get(host)
        if found is None:
            found = self.hosts[host] = _Counts()
        return found

    def ok(self, host: str, *, changed: bool = False) -> None:
        """Count a task that ended well; one that changed something counts as ok and as changed."""
        counts = self._of(host)
        counts.ok += 1
        counts.changed += changed

    def ignored(self, host: str, *, changed: bool = False) -> None:
        """Count a failure that was ignored: it counts as ok, too."""
        self.ok(host, changed=changed)
        self._of(host).ignored += 1

    def failed(self, host: str) -> None:
        """Count a failure that nothing rescues."""
        self._of(host).failed += 1

    def rescued(self, host: str) -> None:
        """Count a failure that a rescue takes."""
        self._of(host).rescued += 1

    def unreachable(self, host: str) -> None:
        """Count a host set aside because it cannot be reached."""
        self._of(host).unreachable += 1

    def skipped(self, host: str) -> None:
        """Count a task that was skipped."""
        self._of(host).skipped += 1

    def add_custom(self, host: str, call: dict[str, Any]) -> None:
        """Take one set_stats call of `host`: `data`, `per_host` and `aggregate` as the module gives them."""
        target = self.custom.setdefault(host if call.get("per_host") else "_run", {})
        data: dict[str, Any] = call.get("data") or {}
        for name, value in data.items():
            target[name] = _aggregated(target[name], value) if call.get("aggregate", True) and name in target else value

    def frozen(self) -> dict[str, HostStats]:
        """Give the figures of every host that had a result, sorted by name."""
        return {host: self.hosts[host].frozen() for host in sorted(self.hosts)}


def _aggregated(old: Any, new: Any) -> Any:
    """Give what two values of one statistic come to: numbers and texts are added, mappings and lists joined."""
    if isinstance(old, dict) and isinstance(new, dict):
        return {**old, **new}  # pyright: ignore[reportUnknownVariableType]  # values are of any type
    if isinstance(old, list) and isinstance(new, list):
        return [*old, *new]
    if isinstance(old, (int, float)) and isinstance(new, (int, float)):
        return old + new
    if isinstance(old, str) and isinstance(new, str):
        return old + new
    return new
