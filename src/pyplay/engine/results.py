"""What a result changes: figures, variables, the host's way through the play, and what others are told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.engine.outcome import failure
from pyplay.source.text import origin_of
from pyplay.workers.outcome import public

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pyplay.diagnostics.model import Origin
    from pyplay.engine.batch import Batch
    from pyplay.playbook.model import Task
    from pyplay.workers.executor import WorkerLost
    from pyplay.workers.messages import IncludeCall, TaskResult


class Results:
    """Takes the results of one batch as they come; what must wait for the barrier is kept until `settle`.

    `includes` are the files that hosts asked for, `fatal` the hosts whose failure is one of all.
    """

    def __init__(self, batch: Batch) -> None:
        self._batch, self._context = batch, batch.context
        self.includes: dict[str, Sequence[IncludeCall]] = {}
        self.fatal: set[str] = set()
        self._notified: dict[tuple[Task, ...], list[str]] = {}
        self._told: dict[str, None] = {}  # hosts with new values, which may decide on other vars_files

    def take(
        self, task: Task, result: TaskResult, sharers: Iterable[str] = (), *, shown: bool = False, counts: bool = False
    ) -> None:
        """Take one result. `sharers` get its values, too (run_once); one that is `shown` already is not told.

        A failure that `counts` is one in the recap even where it is rescued.
        """
        hosts = (result.host, *(host for host in sharers if host != result.host))
        self._context.changes.take(task, result, hosts)
        self._record(result, hosts)
        if (
            self._batch.vars_files is not None
            and self._batch.vars_files.varying
            and (result.store or result.register or result.projected)
        ):
            self._told.update(dict.fromkeys(hosts))
        self._count(task, result, hosts, counts=counts)
        if not result.skipped and not result.unreachable and task.role is not None:
            self._batch.iterator.use_role((result.host,), task.role)
        if result.changed and not result.failed:
            for name in result.notify:
                self._notify(task, result.host, name)
        if result.includes and not result.failed:
            self.includes[result.host] = result.includes
        if not shown and (not result.includes or result.failed):
            self._context.reporter.host_ended(result, action=result.action or task.resolved_action)

    def lost(self, task: Task, lost: WorkerLost, host: str, sharers: Iterable[str] = ()) -> None:
        """Take that the worker of `host` died while it ran `task`."""
        self.take(task, failure(task, host, f"the worker process of this host died: {lost.reason}"), sharers)

    def _count(self, task: Task, result: TaskResult, hosts: Sequence[str], *, counts: bool) -> None:
        stats, host = self._context.stats, result.host
        if result.ignored and (result.failed or result.unreachable):
            stats.ignored(host, changed=result.changed)
        elif result.unreachable:
            stats.unreachable(host)
            self._batch.set_aside(host)
            self._mark_fatal(task, result)
        elif result.failed:
            self._failed(task, result, hosts, counts=counts)
        elif result.skipped:
            stats.skipped(host)
        elif not result.includes:
            stats.ok(host, changed=result.changed)

    def _failed(self, task: Task, result: TaskResult, hosts: Sequence[str], *, counts: bool) -> None:
        """Take a failure; the rescue of all `hosts`, which share the task, may ask what failed."""
        host = result.host
        if self._batch.fail(host):
            (self._context.stats.failed if counts else self._context.stats.rescued)(host)
            values = {"ansible_failed_task": described(task, result), "ansible_failed_result": public(result.result)}
            self._context.recorder.write_all(hosts, "set_facts", values)
        else:
            self._context.stats.failed(host)
        self._mark_fatal(task, result)

    def _mark_fatal(self, task: Task, result: TaskResult) -> None:
        raw = task.any_errors_fatal
        if raw is None:
            raw = self._context.settings.any_errors_fatal
        if result.any_errors_fatal or raw is True:
            self.fatal.add(result.host)

    def _record(self, result: TaskResult, hosts: Sequence[str]) -> None:
        """Write what the result leaves behind: facts, set facts, included vars, the register, figures of their own."""
        recorder = self._context.recorder
        for layer, by_host in result.store.items():
            for host, values in by_host.items():
                recorder.write_all(hosts if host == result.host else (host,), layer, values)
        if result.register:
            recorder.write_all(hosts, "set_facts", {result.register: public(result.result)})
        if result.projected:
            recorder.write_all(hosts, "set_facts", result.projected)
        for call in result.stats:
            self._context.stats.add_custom(result.host, call)

    def _notify(self, task: Task, host: str, name: str) -> None:
        handlers = self._batch.handlers.find(name)
        if handlers:
            self._notified.setdefault(handlers, []).append(host)
            return
        error = self._batch.handlers.unknown(name, notify_origin(task, name))
        if self._context.settings.error_on_missing_handler:
            raise error
        for diagnostic in error.diagnostics:
            self._context.reporter.warn(diagnostic)

    def settle(self) -> None:
        """Let the notifications of the round reach their hosts, and files that new values name be read."""
        for handlers, hosts in self._notified.items():
            self._batch.iterator.notify(hosts, handlers)
        self._notified.clear()
        if self._told and self._batch.vars_files is not None:
            self._batch.vars_files.read(self._told)
            self._told.clear()


def notify_origin(task: Task, name: str) -> Origin:
    """Give where `task` notifies `name`; the task's own place where that is not known."""
    return origin_of(name) or next((o for raw in task.notify if raw == name and (o := origin_of(raw))), task.origin)


def described(task: Task, result: TaskResult) -> dict[str, Any]:
    """Give what rescue sections see as `ansible_failed_task`: the task's keywords as written, its name rendered."""
    return {name: listed(getattr(task, name)) for name in _KEYWORDS} | {
        "name": result.name or task.name or "",
        "action": task.action,
        "resolved_action": result.action or task.resolved_action,
        "args": dict(task.args),
        "vars": dict(task.vars),
        "role": task.role.name if task.role else None,
        "path": f"{task.origin.path}:{task.origin.line}",
    }


def listed(value: Any) -> Any:
    """Give a tuple as the list that a playbook would hold, anything else as it is."""
    return list[Any](value) if isinstance(value, tuple) else value  # pyright: ignore[reportUnknownArgumentType]  # any


_KEYWORDS = (
    *("any_errors_fatal", "become", "become_exe", "become_flags", "become_method", "become_user", "changed_when"),
    *("check_mode", "collections", "connection", "debugger", "delay", "delegate_facts", "delegate_to", "diff"),
    *("environment", "failed_when", "ignore_errors", "ignore_unreachable", "listen", "loop", "loop_with"),
    *("module_defaults", "no_log", "notify", "poll", "port", "register", "remote_user", "retries", "run_once"),
    *("tags", "throttle", "timeout", "until", "when"),
)
