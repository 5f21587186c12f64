"""The reporter `unixy`: short lines, outputs and messages behind the host."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from pyplay.report.blame import Blame
from pyplay.report.dump import dump
from pyplay.report.look import Look
from pyplay.report.quiet import QuietReporter
from pyplay.report.recap import recap_line
from pyplay.report.shown import CENSORED_ITEM, clean, is_verbose

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyplay.report.events import HostStats, PlayStart, TaskStart
    from pyplay.report.output import Output
    from pyplay.workers.messages import TaskResult

_NAMED = 4  # so many hosts of a play are named


class UnixyReporter(QuietReporter):
    """Writes `task...`, and `  host ok|done|skipped|failed | msg: … | stdout: …` below it."""

    def __init__(self, output: Output, look: Look = Look()) -> None:  # noqa: B008  # a frozen value
        super().__init__(output)
        self._look, self._blame = look, Blame(output.safe)

    def run_started(self, playbooks: Sequence[str]) -> None:
        """Name the playbooks."""
        for playbook in playbooks:
            self.output.line(self.output.safe(f"Executing playbook {os.path.basename(playbook)}"))  # noqa: PTH119  # plain text

    def play_started(self, play: PlayStart) -> None:
        """Write the play's line."""
        hosts = ", ".join(play.hosts) if len(play.hosts) <= _NAMED else f"{len(play.hosts)} of them"
        self.output.line(self.output.safe(f"\n- {play.name} on hosts: {hosts} -"))

    def no_hosts_matched(self) -> None:
        """Say that the play is skipped."""
        self.output.line("  no hosts matched", "skip")

    def task_started(self, task: TaskStart) -> None:
        """Write the task's line."""
        super().task_started(task)
        self._blame.start(task.path)
        via = " (via handler)" if task.handler else ""
        mode = " (check mode)" if task.check_mode and self._look.check_mode_markers else ""
        self.output.line(self.output.safe(f"{task.name.rpartition(' : ')[2]}{via}{mode}..."))

    def included(self, path: str, hosts: Sequence[str], label: Any) -> None:
        """Name the included file and its hosts."""
        del label
        if self._look.included:
            self.output.line(self.output.safe(f"included: {path} for {', '.join(hosts)}"), "skip")

    def host_ended(self, result: TaskResult, *, action: str) -> None:
        """Write the host's line."""
        super().host_ended(result, action=action)
        if result.failed or result.unreachable:
            text = self._blame.text(result.result, private=result.private)
            if text:
                self.output.line(text, "error")
        elif result.skipped:
            if self._look.skipped:
                self._line(result.host, "skipped", "", "skip")
            return
        elif result.diff and result.changed and not result.private and self._look.diffs:
            self.output.out(self.output.mask(self.output.diff(result.result.get("diff"))))
        word, colour = _word(result)
        if word != "ok" or self._look.ok:
            self._line(result.host, word, self._details(result, action), colour)

    def _line(self, host: str, word: str, details: str, colour: str) -> None:
        self.output.line(self.output.safe(f"  {host} {word}{details}"), colour)

    def _details(self, result: TaskResult, action: str) -> str:
        if result.private:
            return f" | {CENSORED_ITEM}"
        if is_verbose(result.result) and not result.failed:
            return f": {dump(clean(result.result, action=action), indent=self._look.format.indent)}"
        names = ("msg", "stdout", "stderr") if result.failed or result.unreachable else ("stdout", "stderr")
        return "".join(f" | {name}: {result.result[name]}" for name in names if result.result.get(name))

    def run_ended(self, stats: Mapping[str, HostStats], custom: Mapping[str, Any]) -> None:
        """Write the recap."""
        del custom
        self.output.line("\n- Play recap -")
        for host in sorted(stats):
            self.output.line(f"  {recap_line(host, stats[host], self.output)}")


def _word(result: TaskResult) -> tuple[str, str]:
    if result.unreachable:
        return "unreachable", "unreachable"
    if result.failed:
        return "failed", "error"
    return ("done", "changed") if result.changed else ("ok", "ok")
