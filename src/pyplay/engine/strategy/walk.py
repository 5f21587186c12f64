"""What every strategy does with a task: commit, announce, act on meta, take results, expand includes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyplay.engine import meta
from pyplay.engine.debugger import Debugger, Verdict, invoked
from pyplay.engine.flight import Flight
from pyplay.engine.includes import Includes
from pyplay.engine.outcome import author_failure
from pyplay.engine.results import Results
from pyplay.engine.state import Phase
from pyplay.playbook.model import TaskKind
from pyplay.report.events import TaskStart

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pyplay.diagnostics.errors import AuthorError
    from pyplay.engine.batch import Batch
    from pyplay.engine.state import HostState
    from pyplay.playbook.model import Task
    from pyplay.workers.executor import WorkerLost
    from pyplay.workers.messages import TaskResult

BYPASS_HOST_LOOP = frozenset(("ansible.builtin.add_host", "ansible.builtin.pause"))
"""Actions that run once for all hosts, whatever run_once says."""


class Walk:
    """The common part of the strategies over one batch. `debugger` is when the debugger starts by default."""

    debugger = "never"

    def __init__(self, batch: Batch) -> None:
        self.batch, self.context = batch, batch.context
        self.results = Results(batch)
        self.includes = Includes(batch, self.results)
        self.flight = Flight(batch.context, self.on_result, self.on_lost)
        self.forks = max(1, batch.context.options.forks)

    def on_result(self, task: Task, result: TaskResult) -> None:
        """Take the end of `task` on a host."""
        self.results.take(task, result)

    def on_lost(self, task: Task, lost: WorkerLost, host: str) -> None:
        """Take that the worker of `host` died during `task`."""
        self.results.lost(task, lost, host)

    def inspect(self, task: Task, result: TaskResult) -> Verdict | None:
        """Let a person look at `result` where the debugger is wanted: it is shown, and the task perhaps sent off again.

        Gives what the person decided, None where the debugger is not wanted.
        """
        settings = self.context.settings
        default = "on_failed" if settings.enable_task_debugger else self.debugger
        if task.debugger is None and default == "never":
            return None
        if not invoked(task, result, default=default, ignored_too=settings.task_debugger_ignore_errors):
            return None
        self.context.reporter.host_ended(result, action=result.action or task.resolved_action)
        stop = Debugger(self.batch, task, result)
        verdict = stop.run()
        if verdict is Verdict.REDO:
            self.flight.send(stop.task, (result.host,))
        return verdict

    def commit(self, task: Task, states: Mapping[str, HostState]) -> list[str]:
        """Give `task` to the hosts in `states`: a handler given is owed no more."""
        iterator = self.batch.iterator
        iterator.commit_all(states)
        hosts = list(states)
        if states[hosts[0]].phase is Phase.HANDLERS:
            iterator.settle(hosts, task)
        return hosts

    def wanted(self, task: Task, host: str) -> bool:
        """Tell whether `task` is to run: under --step a person is asked, with the name as it is on `host`."""
        stepper = self.context.stepper
        return not stepper.active or stepper.wanted(self.batch.renderer.name(task, host))

    def announce(self, task: Task, host: str) -> None:
        """Tell the reporter that `task` begins; names are rendered with the values of `host`."""
        begun = TaskStart(
            name=self.batch.renderer.name(task, host),
            id=task.id,
            action=task.action,
            role=task.role.fqcn if task.role else "",
            handler=task.kind is TaskKind.HANDLER or self.batch.iterator.state(host).in_handlers,
            path=task.origin.shown,
            check_mode=self.batch.renderer.may_be_set(task, "check_mode", host, default=self.context.options.check),
            args=task.args,
            private=self.batch.renderer.may_be_set(task, "no_log", host, default=self.context.settings.no_log),
        )
        self.context.reporter.task_started(begun)

    def act(self, task: Task, hosts: Sequence[str]) -> None:
        """Do what a meta task says, for hosts that come to it together: it is announced."""
        if not task.implicit:
            self.announce(task, hosts[0])
        self.act_unseen(task, hosts, _said)

    def act_unseen(self, task: Task, hosts: Sequence[str], announce: Callable[[Task, str], None]) -> None:
        """Do what a meta task says; `announce` is called before hosts are shown to be skipped, or to fail."""
        if task.implicit:  # a flush point: the compiler's other marks are not walked
            self.batch.iterator.flush(hosts)
            return
        self.context.reporter.caught_up()
        meta.act(self.batch, self.results, task, hosts, announce)

    def limit(self, task: Task, host: str) -> int:
        """Give how many hosts may run `task` at a time: forks, or throttle where that is less."""
        if task.throttle is None:
            return self.forks
        throttle = self.batch.renderer.whole(task.throttle, "throttle", host, task)
        return min(self.forks, throttle) if throttle > 0 else self.forks

    def fail_task(self, task: Task, hosts: Sequence[str], error: AuthorError) -> None:
        """Let `task` fail on `hosts` because of a keyword that the controller could not evaluate."""
        for host in hosts:
            self.results.take(task, author_failure(task, host, error))

    def expand_includes(self, task: Task, *, keep: bool = False) -> None:
        """Load what hosts asked for in `task`, in the order of the batch."""
        asked, self.results.includes = self.results.includes, {}
        if asked:
            calls = {host: asked[host] for host in self.batch.hosts if host in asked} if len(asked) > 1 else asked
            self.includes.expand(task, calls, keep=keep)


def _said(_task: Task, _host: str) -> None:
    """Announce nothing: the task has been."""
