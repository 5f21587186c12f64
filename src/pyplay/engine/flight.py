"""Handing a task to hosts and taking what comes back, with a bound on hosts in flight."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from pyplay.workers.executor import Notice, Progress, WorkerLost
from pyplay.workers.messages import ItemResult, JobReport, Round, TaskResult

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pyplay.engine.context import RunContext
    from pyplay.playbook.model import Task


class Flight:
    """The hosts in flight of one batch. `on_result` takes each task's end, `on_lost` each host whose worker died."""

    def __init__(
        self,
        context: RunContext,
        on_result: Callable[[Task, TaskResult], None],
        on_lost: Callable[[Task, WorkerLost, str], None],
    ) -> None:
        self._context, self._on_result, self._on_lost = context, on_result, on_lost
        self.flying: dict[str, Task] = {}
        self.before: Callable[[Task, str], None] = lambda _task, _host: None  # called before what a host sent is shown

    def run(self, task: Task, hosts: Sequence[str], limit: int, ahead: tuple[int, ...] = ()) -> None:
        """Run `task` on all `hosts`, at most `limit` at a time, and come back when every one has ended.

        `ahead` are the ids of the tasks that will surely follow if all goes well.
        """
        waiting = deque(hosts)
        position = self._context.recorder.position
        while waiting or self.flying:
            room = min(limit - len(self.flying), len(waiting))
            if room > 0:
                self.send(task, [waiting.popleft() for _ in range(room)], position, ahead)
            self.receive()

    def send(self, task: Task, hosts: Sequence[str], position: int | None = None, ahead: tuple[int, ...] = ()) -> None:
        """Begin `task` on `hosts`, which read the store at `position` (default: all there is)."""
        at = self._context.recorder.position if position is None else position
        self.flying.update(dict.fromkeys(hosts, task))
        self._context.pool.dispatch(Round(task.id, tuple(hosts), at, ahead))

    def receive(self) -> None:
        """Wait for something to come back and take all there is."""
        reporter = self._context.reporter
        for event in self._context.pool.receive(None):
            if isinstance(event, TaskResult):
                task = self.flying.pop(event.host, None)
                if task is not None:
                    self.before(task, event.host)
                    self._on_result(task, event)
            elif isinstance(event, ItemResult):
                task = self.flying.get(event.host)
                if task is not None:
                    self.before(task, event.host)
                    self._context.changes.take_item(task, event)
                    reporter.item_ended(event, action=event.action or task.resolved_action)
            elif isinstance(event, JobReport):
                task = self.flying.get(event.host)
                if task is not None:
                    self.before(task, event.host)
                    reporter.job_asked(event)
            elif isinstance(event, Progress):
                reporter.host_started(event.host)
            elif isinstance(event, Notice):
                reporter.warn(event.diagnostic)
            else:
                self._lose(event)

    def _lose(self, lost: WorkerLost) -> None:
        for host, task in self._lost_tasks(lost):
            self.before(task, host)
            self._on_lost(task, lost, host)

    def _lost_tasks(self, lost: WorkerLost) -> Iterator[tuple[str, Task]]:
        for host, _ in lost.hosts:
            task = self.flying.pop(host, None)
            if task is not None:
                yield host, task
