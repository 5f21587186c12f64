"""Which hosts are out: the run's memory of failures from play to play."""

from __future__ import annotations

from dataclasses import field

from pyplay.diagnostics.dataclass import dataclass


@dataclass(slots=True)
class Roll:
    """Hosts that failed and hosts that cannot be reached. Later plays leave both out, unless they are cleared.

    `ended` are the hosts that left the current batch by end_host.
    """

    failed: set[str] = field(default_factory=set[str])
    unreachable: set[str] = field(default_factory=set[str])
    ended: set[str] = field(default_factory=set[str])

    def out(self, host: str) -> bool:
        """Tell whether `host` takes no part any more."""
        return host in self.failed or host in self.unreachable

    def gone(self, host: str) -> bool:
        """Tell whether `host` takes no part in the current batch any more."""
        return host in self.ended or self.out(host)

    @property
    def count(self) -> int:
        """Give a number that changes whenever a host leaves."""
        return len(self.failed) + len(self.unreachable) + len(self.ended)

    def clear(self) -> None:
        """Forget all failures."""
        self.failed.clear()
        self.unreachable.clear()

    @property
    def hosts(self) -> list[str]:
        """Give the hosts that are out, in order of name."""
        return sorted(self.failed | self.unreachable)

    @property
    def exit_code(self) -> int:
        """Give what the run ends with: 4 with an unreachable host, else 2 with a failed one, else 0."""
        if self.unreachable:
            return 4
        return 2 if self.failed else 0
