"""The reporter `dense`: one line per play and task, in which the hosts' colours say how it went."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.report.blame import Blame
from pyplay.report.quiet import QuietReporter

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyplay.report.events import HostStats, PlayStart, TaskStart
    from pyplay.report.output import Output
    from pyplay.workers.messages import TaskResult


class DenseReporter(QuietReporter):
    """Writes `task 3: web1 web2!`, the name of a task that changed or failed, and where a failing one stands.

    Where there are no colours, `*` marks a change, `!` a failure; hosts that skip the task are not named.
    """

    def __init__(self, output: Output) -> None:
        super().__init__(output)
        self._blame = Blame(output.safe)
        self._plays = self._tasks = self._handlers = 0
        self._label = self._name = ""
        self._hosts: list[str] = []
        self._eventful = False

    def play_started(self, play: PlayStart) -> None:
        """Write the play's line."""
        self._finish()
        self._plays += 1
        self._tasks = self._handlers = 0
        self.output.line(self.output.safe(f"PLAY {self._plays}: {play.name.upper()}"), "highlight")

    def task_started(self, task: TaskStart) -> None:
        """Write the line of the task before, and count this one."""
        super().task_started(task)
        self._finish()
        self._blame.start(task.path)
        if task.handler:
            self._handlers += 1
            self._label = f"handler {self._handlers}"
        else:
            self._tasks += 1
            self._label = f"task {self._tasks}"
        self._name = task.name

    def included(self, path: str, hosts: Sequence[str], label: Any) -> None:
        """Name the hosts for which a file was included."""
        del path, label
        self._hosts += [self.output.painted(self.output.safe(host), "ok") for host in hosts]

    def host_ended(self, result: TaskResult, *, action: str) -> None:
        """Take how the task went on a host."""
        super().host_ended(result, action=action)
        bad = result.failed or result.unreachable
        if bad:
            text = self._blame.text(result.result, private=result.private)
            if text:
                self.output.line(text, "error")
        elif result.skipped:
            return
        mark, colour = ("!", "error") if bad else ("*", "changed") if result.changed else ("", "ok")
        self._eventful = self._eventful or bool(mark)
        shown = self.output.safe(result.host)
        self._hosts.append(self.output.painted(shown, colour) if self.output.colour else shown + mark)

    def run_ended(self, stats: Mapping[str, HostStats], custom: Mapping[str, Any]) -> None:
        """Write the line of the last task, and the hosts that failed."""
        del custom
        self._finish()
        bad = [host for host, s in sorted(stats.items()) if s.failed or s.unreachable]
        if bad:
            self.output.line(self.output.safe(f"FAILED: {' '.join(bad)}"), "error")

    def _finish(self) -> None:
        if self._hosts:
            name = f" ({self.output.safe(self._name)})" if self._eventful else ""
            self.output.line(f"{self._label}{name}: {' '.join(self._hosts)}")
        self._hosts, self._eventful = [], False
