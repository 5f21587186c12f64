"""linear: all hosts in lock-step. No host starts a task before every live host has finished the one before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyplay.diagnostics.errors import AuthorError
from pyplay.engine.debugger import Verdict
from pyplay.engine.strategy.walk import BYPASS_HOST_LOOP, Walk
from pyplay.engine.stretches import Stretches
from pyplay.playbook.model import TaskKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyplay.engine.batch import Batch
    from pyplay.playbook.model import Task
    from pyplay.workers.executor import WorkerLost
    from pyplay.workers.messages import TaskResult

_IN_TURN = frozenset(("ansible.builtin.group_by", "ansible.builtin.set_stats"))
"""Actions whose results are taken in the order of hosts: it is that of the groups and lists that they make."""


class Linear(Walk):
    """Walks a batch round by round: the task at the cursor on every host that is on it, then a barrier."""

    def __init__(self, batch: Batch) -> None:
        super().__init__(batch)
        self._sharers: Sequence[str] = ()  # who gets the values of the one host that runs, under run_once
        self._out = 0
        self._stretches = Stretches(batch, allowed=len(batch.hosts) == 1 and self.debugger == "never")

    def run(self) -> None:
        """Walk until no host has a task left."""
        batch = self.batch
        batch.share_hosts()
        while batch.live:
            step = batch.iterator.next_round(batch.live)
            if step.ended:
                batch.end(step.ended)
            if step.task is not None:
                task = batch.handlers.newest(step.task)
                self._round(task, self.commit(step.task, step.hosts))
                self.expand_includes(task)
            self._barrier()

    def _round(self, task: Task, hosts: Sequence[str]) -> None:
        if task.kind is TaskKind.META:
            self.act(task, hosts)
            return
        if not self.wanted(task, hosts[0]):
            return
        self.announce(task, hosts[0])
        try:
            once = self._once(task, hosts[0])
            limit = self.limit(task, hosts[0])
        except AuthorError as error:
            self.fail_task(task, hosts, error)
            return
        self._sharers = self._sharing(task, hosts[0]) if once else ()
        ahead = self._stretches.after(task, hosts[0])
        in_turn = task.resolved_action in _IN_TURN or task.delegate_facts not in (None, False)
        self.flight.run(task, hosts[:1] if once else hosts, limit, ahead, in_turn=in_turn)

    def _once(self, task: Task, host: str) -> bool:
        if task.resolved_action in BYPASS_HOST_LOOP:
            return True
        return self.batch.renderer.flag(task.run_once, "run_once", host, task)

    def _sharing(self, task: Task, host: str) -> Sequence[str]:
        """Give who gets the values of the one host that runs `task`: all under run_once, else that host alone."""
        if self.batch.renderer.flag(task.run_once, "run_once", host, task):
            return tuple(self.batch.live)
        return (host,)

    def on_result(self, task: Task, result: TaskResult) -> None:
        """Take the end of `task` on a host; under run_once for all hosts, its failure included."""
        verdict = self.inspect(task, result)
        if verdict is Verdict.REDO:
            return
        self.results.take(task, result, self._sharers, shown=verdict is not None)
        if self._sharers and (result.failed or result.unreachable) and not result.ignored:
            self.results.fatal.add(result.host)

    def on_lost(self, task: Task, lost: WorkerLost, host: str) -> None:
        """Take that the worker of `host` died during `task`."""
        self.results.lost(task, lost, host, self._sharers)
        if self._sharers:
            self.results.fatal.add(host)

    def _barrier(self) -> None:
        """Do what waits until every host of the round has ended."""
        batch, results = self.batch, self.results
        results.settle()
        if results.fatal:
            batch.fail_all(host for host in list(batch.live) if host not in results.fatal)
            results.fatal.clear()
        out = self.batch.departures
        if out != self._out:
            self._out = out
            batch.share_hosts()
            self._check_share()

    def _check_share(self) -> None:
        """End the run for all once more hosts of the batch failed than max_fail_percentage allows."""
        raw = self.batch.play.max_fail_percentage
        if raw is None:
            return
        if self.batch.failed_share > self.batch.renderer.number(raw, "max_fail_percentage"):
            self.context.reporter.no_hosts_remaining()
            self.batch.abort()
