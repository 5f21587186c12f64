"""The reporter `jsonl`: each event as one line of JSON, when it happens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.report.clock import utc_now
from pyplay.report.dump import document
from pyplay.report.quiet import QuietReporter
from pyplay.report.records import custom_records, play_record, result_record, stats_record, task_record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyplay.report.events import HostStats, PlayStart, TaskStart
    from pyplay.report.output import Output
    from pyplay.workers.messages import TaskResult


class JsonLinesReporter(QuietReporter):
    """Writes events under the names and with the keys of Ansible's callback `jsonl`."""

    def __init__(self, output: Output, *, custom_stats: bool = False) -> None:
        super().__init__(output)
        self._custom_stats = custom_stats
        self._plays = 0
        self._tasks: dict[int, tuple[TaskStart, str]] = {}
        self._task_id = 0

    def play_started(self, play: PlayStart) -> None:
        """Write that a play begins."""
        self._plays += 1
        self._tasks.clear()
        record = play_record(play, self._plays, {"start": utc_now()})
        self._write("v2_playbook_on_play_start", {"play": record, "tasks": []})

    def task_started(self, task: TaskStart) -> None:
        """Write that a task begins."""
        super().task_started(task)
        started = utc_now()
        self._tasks[task.id], self._task_id = (task, started), task.id
        name = "handler_task" if task.handler else "task"
        self._write(f"v2_playbook_on_{name}_start", {"task": task_record(task, {"start": started}), "hosts": {}})

    def host_ended(self, result: TaskResult, *, action: str) -> None:
        """Write how the task ended on a host."""
        super().host_ended(result, action=action)
        word = "unreachable" if result.unreachable else "failed" if result.failed else "skipped"
        self._result(word if result.unreachable or result.failed or result.skipped else "ok", result.task_id,
                     result.host, result.result, private=result.private)  # fmt: skip

    def included(self, path: str, hosts: Sequence[str], label: Any) -> None:
        """Write that the task was done on the hosts for which it included a file."""
        del path, label
        for host in hosts:
            self._result("ok", self._task_id, host, {"changed": False}, private=False)

    def _result(self, word: str, task_id: int, host: str, result: Mapping[str, Any], *, private: bool) -> None:
        task, started = self._tasks.get(task_id) or self._tasks[self._task_id]
        record = result_record(result, task.action, private=private, verbosity=self.output.verbosity)
        ended = task_record(task, {"start": started, "end": utc_now()})
        self._write(f"v2_runner_on_{word}", {"hosts": {host: record}, "task": ended})

    def run_ended(self, stats: Mapping[str, HostStats], custom: Mapping[str, Any]) -> None:
        """Write the figures."""
        self._write(
            "v2_playbook_on_stats",
            {**custom_records(custom, shown=self._custom_stats), "stats": stats_record(stats)},
        )

    def _write(self, event: str, values: Mapping[str, Any]) -> None:
        line = {"_event": event, "_timestamp": utc_now(), **values}
        self.output.line(document(line, separators=(",", ":")))
