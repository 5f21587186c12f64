"""The reporter `profile_roles`: how long roles took, and modules outside of roles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.report.events import Reporter
from pyplay.report.stopwatch import Stopwatch, ranked_line, time_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyplay.report.events import HostStats, TaskStart
    from pyplay.report.output import Output


class ProfileRolesReporter(Reporter):
    """Writes a line with the time when a task begins, and the list of durations at the end."""

    def __init__(self, output: Output, *, summary_only: bool = False, watch: Stopwatch | None = None) -> None:
        self._output, self._summary_only = output, summary_only
        self._watch = watch or Stopwatch()

    def run_started(self, playbooks: Sequence[str]) -> None:
        """Take the time."""
        del playbooks
        self._watch.restart()

    def task_started(self, task: TaskStart) -> None:
        """Write the time; it counts for the task's role from now on."""
        passed = self._watch.lap(self._output.safe(task.role or task.action.rpartition(".")[2]))
        if not self._summary_only:
            self._output.line(time_line(*passed, width=self._output.width))

    def run_ended(self, stats: Mapping[str, HostStats], custom: Mapping[str, Any]) -> None:
        """Write the list, longest first."""
        del stats, custom
        passed, width = self._watch.lap(None), self._output.width
        self._output.banner("ROLES RECAP")
        self._output.line(time_line(*passed, width=width))
        self._output.line("=" * width + " ")
        for name, seconds in sorted(self._watch.seconds.items(), key=lambda entry: -entry[1]):
            self._output.line(ranked_line(name, seconds, width))
        self._output.line("~" * width + " ")
        self._output.line(ranked_line("total", sum(self._watch.seconds.values()), width))
