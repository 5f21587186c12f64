"""Which hosts are out: the run's memory of failures from play to play."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from pyplay.diagnostics.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet


@dataclass(slots=True)
class Roll:
    """Hosts that failed and hosts that cannot be reached. Later plays leave both out, unless they are cleared.

    `ended` are the hosts that left the current batch by end_host.
    """

    failed: set[str] = field(default_factory=set[str])
    unreachable: set[str] = field(default_factory=set[str])
    ended: set[str] = field(default_factory=set[str])

    @property
    def out(self) -> set[str]:
        """Give the hosts that take no part any more."""
        return self.failed | self.unreachable

    @property
    def gone(self) -> set[str]:
        """Give the hosts that take no part in the current batch any more."""
        return self.failed | self.unreachable | self.ended

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
        return sorted(self.out)

    @property
    def exit_code(self) -> int:
        """Give what the run ends with: 4 with an unreachable host, else 2 with a failed one, else 0."""
        if self.unreachable:
            return 4
        return 2 if self.failed else 0


def without(hosts: Sequence[str], dropped: AbstractSet[str]) -> Sequence[str]:
    """Give `hosts` but those that are `dropped`: often none of thousands."""
    return tuple([host for host in hosts if host not in dropped]) if dropped else hosts
