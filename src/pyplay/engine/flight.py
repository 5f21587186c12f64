"""Handing a task to hosts and taking what comes back, with a bound on hosts in flight."""

from __future__ import annotations

from collections import OrderedDict, deque
from typing import TYPE_CHECKING

from pyplay.engine.stretches import NOTHING
from pyplay.workers.executor import Notice, Progress, WorkerLost
from pyplay.workers.messages import ItemResult, JobReport, Round, TaskResult

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pyplay.engine.context import RunContext
    from pyplay.engine.stretches import Ahead
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
        self._turns: OrderedDict[str, None] = OrderedDict()  # hosts whose answers are taken in this order
        self._held: dict[str, list[TaskResult | ItemResult | JobReport]] = {}  # answers that came before their turn
        self.before: Callable[[Task, str], None] = lambda _task, _host: None  # called before what a host sent is shown

    def run(
        self, task: Task, hosts: Sequence[str], limit: int, ahead: Ahead = NOTHING, *, in_turn: bool = False
    ) -> None:
        """Run `task` on all `hosts`, at most `limit` at a time, and come back when every one has ended.

        `ahead` is what will surely follow if all goes well. `in_turn` takes what hosts answer in
        the order of `hosts`, where the order of what they change shows.
        """
        waiting = deque(hosts)
        if self._turns or in_turn:
            self._turns = OrderedDict.fromkeys(hosts if in_turn else ())
        position = self._context.recorder.position
        while waiting or self.flying:
            room = min(limit - len(self.flying), len(waiting))
            if room > 0:
                self.send(task, [waiting.popleft() for _ in range(room)], position, ahead)
            self.receive()

    def send(self, task: Task, hosts: Sequence[str], position: int | None = None, ahead: Ahead = NOTHING) -> None:
        """Begin `task` on `hosts`, which read the store at `position` (default: all there is)."""
        at = self._context.recorder.position if position is None else position
        self.flying.update(dict.fromkeys(hosts, task))
        self._context.pool.dispatch(Round(task.id, tuple(hosts), at, ahead.tasks, ahead.held))

    def receive(self) -> None:
        """Wait for something to come back and take all there is."""
        reporter, pool = self._context.reporter, self._context.pool
        if not pool.has_answers:
            reporter.caught_up()
        for event in pool.receive(None):
            if isinstance(event, (TaskResult, ItemResult, JobReport)):
                for answer in self._in_turn(event) if event.host in self._turns else (event,):
                    self._take(answer)
            elif isinstance(event, Progress):
                reporter.host_started(event.host)
            elif isinstance(event, Notice):
                reporter.warn(event.diagnostic)
            else:
                self._lose(event)

    def _take(self, answer: TaskResult | ItemResult | JobReport) -> None:
        ended = isinstance(answer, TaskResult)
        task = self.flying.pop(answer.host, None) if ended else self.flying.get(answer.host)
        if task is None:
            return
        self.before(task, answer.host)
        if ended:
            self._on_result(task, answer)
        elif isinstance(answer, ItemResult):
            self._context.changes.take_item(task, answer)
            self._context.reporter.item_ended(answer, action=answer.action or task.resolved_action)
        else:
            self._context.reporter.job_asked(answer)

    def _in_turn(self, answer: TaskResult | ItemResult | JobReport) -> Iterator[TaskResult | ItemResult | JobReport]:
        """Give what may be taken now that `answer` came: the host at the head, and those behind it that are done."""
        self._held.setdefault(answer.host, []).append(answer)
        while self._turns and (answers := self._held.pop(next(iter(self._turns)), None)) is not None:
            if isinstance(answers[-1], TaskResult):
                self._turns.popitem(last=False)  # before it is taken: a debugger may send the host off again
                yield from answers
            else:
                yield from answers
                return

    def _lose(self, lost: WorkerLost) -> None:
        held, self._turns, self._held = [self._held.get(host, ()) for host in self._turns], OrderedDict(), {}
        for answers in held:
            for answer in answers:
                self._take(answer)
        for host, task in self._lost_tasks(lost):
            self.before(task, host)
            self._on_lost(task, lost, host)

    def _lost_tasks(self, lost: WorkerLost) -> Iterator[tuple[str, Task]]:
        for host, _ in lost.hosts:
            task = self.flying.pop(host, None)
            if task is not None:
                yield host, task
