"""What the engine asks of whatever runs tasks: the forked pool is the first executor, tests bring their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from pyplay.diagnostics.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pyplay.diagnostics.model import Diagnostic
    from pyplay.playbook.model import Task
    from pyplay.workers.messages import ItemResult, JobReport, Round, TaskResult


@dataclass(frozen=True, slots=True)
class Progress:
    """A host has begun a task: its turn came in the worker."""

    host: str
    task_id: int


@dataclass(frozen=True, slots=True)
class Notice:
    """A worker met what a user may want to know, of no task in particular."""

    diagnostic: Diagnostic


@dataclass(frozen=True, slots=True)
class WorkerLost:
    """A worker died and was replaced; what `hosts` were doing (host → task id) will get no other answer.

    `reason` is a sentence for the user: how the process ended. Connections, Runners and running modules of the lost
    worker are gone; the next round for its hosts goes to the replacement.
    """

    hosts: tuple[tuple[str, int], ...]
    reason: str


class Executor(Protocol):
    """Runs rounds and streams answers. The engine calls it from one thread; nothing here is a coroutine.

    Every (host, task) of a dispatched round is answered exactly once, by a TaskResult or within a WorkerLost;
    any number of ItemResult, JobReport, Notice and Progress may come before. Answers of different hosts come in any
    order.
    """

    def define(self, tasks: Sequence[Task]) -> None:
        """Make tasks known that appeared after `start` (dynamic includes, implicit tasks). Before their first round."""
        ...

    def dispatch(self, work: Round) -> None:
        """Begin one task on the round's hosts, side by side. Does not wait. The engine bounds hosts in flight."""
        ...

    def foretells(self, host: str, task_id: int) -> bool:
        """Tell whether the answer is there already that dispatching this task to `host` would give."""
        ...

    @property
    def has_answers(self) -> bool:
        """Whether `receive` gives something without waiting for it."""
        ...

    def receive(
        self, timeout: float | None = None
    ) -> Iterable[ItemResult | JobReport | Notice | TaskResult | WorkerLost | Progress]:
        """Wait until something has come and give all there is; nothing after `timeout` seconds (None: no limit)."""
        ...

    def release(self, hosts: Iterable[str]) -> None:
        """Close the connections of hosts that have no play left."""
        ...

    def reset_connection(self, host: str) -> None:
        """Drop the host's connections and Runners in every worker; the next task makes them again."""
        ...

    def cancel(self) -> None:
        """Stop what is running on every host; answers still come (failed, or not at all once `close` is called)."""
        ...

    def close(self) -> None:
        """End the workers and everything that they hold open."""
        ...
