"""The reporter `profile_tasks`: how long each task took, and which took longest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.dataclass import dataclass
from pyplay.report.events import Reporter
from pyplay.report.places import line_of
from pyplay.report.stopwatch import Stopwatch, ranked_line, time_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyplay.report.events import HostStats, TaskStart
    from pyplay.report.output import Output


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileOptions:
    """How tasks are listed. `limit` is how many at the most, None for all; `order` is descending, ascending or none."""

    day_time: str
    limit: int | None = 20
    order: str = "descending"
    summary_only: bool = False


class ProfileTasksReporter(Reporter):
    """Writes a line with the time when a task begins, and the list of durations at the end."""

    def __init__(self, output: Output, options: ProfileOptions, watch: Stopwatch | None = None) -> None:
        self._output, self._options = output, options
        self._watch = watch or Stopwatch()
        self._names: dict[str, str] = {}

    def run_started(self, playbooks: Sequence[str]) -> None:
        """Take the time."""
        del playbooks
        self._watch.restart()

    def task_started(self, task: TaskStart) -> None:
        """Write the time; it counts for this task from now on."""
        key = f"{task.id}:{task.path}"
        shown = f"{task.name} ({line_of(task.path)})" if self._output.verbosity >= 2 and task.path else task.name
        self._names[key] = self._output.safe(shown)
        self._tell(*self._watch.lap(key), early=True)

    def run_ended(self, stats: Mapping[str, HostStats], custom: Mapping[str, Any]) -> None:
        """Write the list."""
        del stats, custom
        passed = self._watch.lap(None)
        self._output.banner("TASKS RECAP")
        self._tell(*passed, early=False)
        self._output.line("=" * self._output.width + " ")
        ranked = list(self._watch.seconds.items())
        if self._options.order != "none":
            ranked.sort(key=lambda entry: entry[1], reverse=self._options.order == "descending")
        for key, seconds in ranked[: self._options.limit]:
            self._output.line(ranked_line(self._names[key], seconds, self._output.width))

    def _tell(self, passed: float, total: float, *, early: bool) -> None:
        if not (early and self._options.summary_only):
            self._output.line(time_line(passed, total, self._options.day_time, self._output.width))
