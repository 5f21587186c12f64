"""The reporter `null`: nothing of the run but warnings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyplay.report.events import Reporter
from pyplay.report.warner import Warner

if TYPE_CHECKING:
    from pyplay.diagnostics.model import Diagnostic
    from pyplay.report.events import TaskStart
    from pyplay.report.output import Output
    from pyplay.workers.messages import TaskResult


class QuietReporter(Reporter):
    """Writes warnings to standard error, those that came with results included."""

    def __init__(self, output: Output) -> None:
        self.output = output
        self._warner = Warner(output)
        self._path = ""

    def task_started(self, task: TaskStart) -> None:
        """Take where the task stands, for its warnings."""
        self._path = task.path

    def host_ended(self, result: TaskResult, *, action: str) -> None:
        """Write the warnings that came with the result."""
        del action
        self._warner.of_result(result.result, self._path, private=result.private)

    def warn(self, diagnostic: Diagnostic) -> None:
        """Write a warning to standard error, once per message and place."""
        self._warner.warn(diagnostic)
