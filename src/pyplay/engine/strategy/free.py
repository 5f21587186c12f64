"""free and host_pinned: each host goes its own way, without barriers, as fast as it can.

`free` gives a free slot to the host that has waited longest; `host_pinned` lets a host that has begun keep its slot to
its end, so that at most `forks` hosts are under way.
"""

from __future__ import annotations

from collections import Counter, deque
from typing import TYPE_CHECKING

from pyplay.diagnostics.errors import AuthorError
from pyplay.diagnostics.model import Diagnostic, Severity
from pyplay.engine.debugger import Verdict
from pyplay.engine.strategy.walk import Walk
from pyplay.engine.stretches import Stretches
from pyplay.playbook.model import TaskKind

if TYPE_CHECKING:
    from pyplay.engine.batch import Batch
    from pyplay.engine.stretches import Ahead
    from pyplay.playbook.model import Task
    from pyplay.workers.executor import WorkerLost
    from pyplay.workers.messages import TaskResult


class Free(Walk):
    """Walks each host of a batch on its own."""

    pinned = False

    def __init__(self, batch: Batch) -> None:
        super().__init__(batch)
        self._ready: deque[str] = deque(batch.hosts)
        self._waiting: dict[int, deque[str]] = {}  # hosts that a throttle holds back, by task
        self._running: Counter[int] = Counter()  # hosts in flight, by task
        self._shown: Task | None = None
        self._warned = False
        self._out = 0
        self.flight.before = self._show
        own_slots = self.pinned or len(batch.hosts) <= self.forks  # else a slot is another's once a task has ended
        self._stretches = Stretches(batch, allowed=own_slots)

    def run(self) -> None:
        """Walk until no host has a task left and none is in flight."""
        self.batch.share_hosts()
        while True:
            self._fill()
            if not self.flight.flying:
                return
            self.flight.receive()
            self._share()

    def _share(self) -> None:
        out = self.batch.departures
        if out != self._out:
            self._out = out
            self.batch.share_hosts()

    def _fill(self) -> None:
        """Give tasks to hosts that are ready while there is room."""
        rounds: dict[tuple[Task, Ahead], list[str]] = {}
        room = self.forks - len(self.flight.flying)
        while room > 0 and self._ready:
            host = self._ready.popleft()
            task = self._next(host) if host in self.batch.live else None
            if task is not None:
                rounds.setdefault((task, self._stretches.after(task, host)), []).append(host)
                room -= 1
        self._share()  # some may have ended on the way
        for (task, ahead), hosts in rounds.items():
            self.flight.send(task, hosts, ahead=ahead)

    def _next(self, host: str) -> Task | None:
        """Give the task that `host` is to run now; what the controller does itself is done on the way."""
        iterator = self.batch.iterator
        while host in self.batch.live:
            state, task = iterator.peek(host)
            if task is None:
                self.batch.end({host: state})
                return None
            if task.kind is not TaskKind.META and self._held_back(task, host):
                return None
            self.commit(task, {host: state})
            task = self.batch.handlers.newest(task)
            if task.kind is TaskKind.META:
                self._act(task, host)
            elif self.wanted(task, host):
                self._warn(task)
                self._running[task.id] += 1
                return task
        return None

    def _act(self, task: Task, host: str) -> None:
        before = len(self.batch.live)
        self.act_unseen(task, (host,), self._show)
        self.results.settle()
        if len(self.batch.live) > before:  # clear_host_errors brought hosts back
            known = {*self._ready, *self.flight.flying, host, *(h for held in self._waiting.values() for h in held)}
            self._ready.extend(other for other in self.batch.live if other not in known)

    def _held_back(self, task: Task, host: str) -> bool:
        """Tell whether a throttle makes `host` wait for `task`."""
        if task.throttle is None:
            return False
        try:
            limit = self.limit(task, host)
        except AuthorError as error:
            self.commit(task, {host: self.batch.iterator.peek(host)[0]})
            self._show(task, host)
            self.fail_task(task, (host,), error)
            self._ready.append(host)
            return True
        if self._running[task.id] < limit:
            return False
        self._waiting.setdefault(task.id, deque()).append(host)
        return True

    def _show(self, task: Task, host: str) -> None:
        """Announce `task` again whenever the last result shown was of another one."""
        if task is not self._shown:
            self._shown = task
            self.announce(task, host)

    def on_result(self, task: Task, result: TaskResult) -> None:
        """Take the end of `task` on a host and let the host go on."""
        verdict = self.inspect(task, result)
        if verdict is Verdict.REDO:
            return
        self.results.take(task, result, shown=verdict is not None)
        self._landed(task, result.host)

    def on_lost(self, task: Task, lost: WorkerLost, host: str) -> None:
        """Take that the worker of `host` died during `task`."""
        self.results.lost(task, lost, host)
        self._landed(task, host)

    def _landed(self, task: Task, host: str) -> None:
        self.results.settle()
        self.expand_includes(task, keep=True)
        self.results.fatal.clear()
        self._running[task.id] -= 1
        if held := self._waiting.get(task.id):
            self._ready.appendleft(held.popleft())
        if self.pinned:
            self._ready.appendleft(host)
        else:
            self._ready.append(host)

    def _warn(self, task: Task) -> None:
        """Say once what has no meaning without a common pace. Source: Ansible's free strategy."""
        names = [name for name in ("run_once", "any_errors_fatal") if getattr(task, name)]
        if names and not self._warned:
            self._warned = True
            message = f"{' and '.join(names)} has no effect under a strategy without lock-step: each host is on its own"
            self.context.reporter.warn(Diagnostic("no-lock-step", message, task.origin, severity=Severity.WARNING))


class HostPinned(Free):
    """Lets hosts that have begun go first."""

    pinned = True
