"""The default reporter: what an `ansible-playbook` user knows, line for line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.report.arguments import arguments_text
from pyplay.report.blame import Blame
from pyplay.report.events import Reporter, TaskStart
from pyplay.report.lines import has_failed_items, host_and_delegate, item_label, without_item
from pyplay.report.look import Look
from pyplay.report.meta_lines import meta_lines
from pyplay.report.output import banner
from pyplay.report.places import line_of
from pyplay.report.recap import custom_lines, recap_line
from pyplay.report.result_text import result_text
from pyplay.report.shown import censored, is_debug, is_gathered, is_verbose
from pyplay.report.warner import Warner
from pyplay.workers.messages import JobState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyplay.diagnostics.model import Diagnostic
    from pyplay.report.events import HostStats, PlayStart
    from pyplay.report.output import Output
    from pyplay.workers.messages import ItemResult, JobReport, TaskResult


class TextReporter(Reporter):
    """Writes the run as text to `output`, in the forms that `look` says."""

    def __init__(self, output: Output, look: Look = Look()) -> None:  # noqa: B008  # a frozen value
        self._output, self._look = output, look
        self._warner = Warner(output)
        self._blame = Blame(output.safe_error if look.failed_stderr else output.safe)
        self._task = TaskStart(name="")
        self._pending = ""
        self._items_shown: set[str] = set()  # hosts with a line for an item of the task that they are at

    # -- the run -------------------------------------------------------------------------------------------------

    def run_started(self, playbooks: Sequence[str]) -> None:
        """Name the playbooks at -vv."""
        if self._look.dry_run:
            self._line(f"\n{banner('DRY RUN', self._output.width)}")
        if self._output.verbosity >= 2:
            for playbook in playbooks:
                self._line(f"\n{banner(self._output.safe(f'PLAYBOOK: {playbook}'), self._output.width)}")

    def play_started(self, play: PlayStart) -> None:
        """Write the play's banner; that of a task of which nothing was shown is not wanted any more."""
        self._pending = ""
        title = self._output.safe(f"PLAY [{play.name}]") if play.name else "PLAY"
        self._line(f"\n{banner(title + self._marker(play), self._output.width)}")

    def no_hosts_matched(self) -> None:
        """Say that the play is skipped."""
        self._line("skipping: no hosts matched", "skip")

    def no_hosts_remaining(self) -> None:
        """Say that no host is left."""
        self._line(f"\n{banner('NO MORE HOSTS LEFT', self._output.width)}")

    def task_started(self, task: TaskStart) -> None:
        """Prepare the task's banner; it is written with the first line that follows."""
        self._task = task
        self._blame.start(task.path)
        kind = "RUNNING HANDLER" if task.handler else "TASK"
        arguments = (
            f" {arguments_text(task)}" if self._look.arguments and not task.private else ""
        )  # as core, even if none
        title = self._output.safe(f"{kind} [{task.name}{arguments}]") + self._marker(task)
        self._pending = f"\n{banner(title, self._output.width)}"
        if self._output.verbosity >= 2 and task.path:
            self._pending += f"\ntask path: {line_of(task.path)}"
        if self._look.skipped and self._look.ok:
            self._flush_banner()

    def host_started(self, host: str) -> None:
        """Name the host, where that is wanted."""
        if self._look.host_start:
            kind = "HANDLER" if self._task.handler else "TASK"
            self._line(self._output.safe(f" [started {kind}: {self._task.name} on {host}]"))

    def included(self, path: str, hosts: Sequence[str], label: Any) -> None:
        """Name the included file and its hosts."""
        if self._look.included:
            text = self._output.safe(f"included: {path} for {', '.join(hosts)}")
            self._line(f"{text} => (item={self._output.safe(str(label))})" if label is not None else text, "skip")

    def meta_acted(self, action: str, hosts: Sequence[str]) -> None:
        """Write what a meta action did, from -vv on."""
        if self._output.verbosity >= 2:
            for line in meta_lines(action, hosts):
                self._line(self._output.safe(line), "verbose")

    def run_ended(self, stats: Mapping[str, HostStats], custom: Mapping[str, Any]) -> None:
        """Write the recap, one line per host in order of name."""
        self._pending = ""
        self._line(f"\n{banner('PLAY RECAP', self._output.width)}")
        for host in sorted(stats):
            self._line(recap_line(host, stats[host], self._output))
        self._line("")
        if custom and self._look.custom_stats:
            self._line(f"{banner('CUSTOM STATS:', self._output.width)}")
            for line in custom_lines(custom, self._output.safe):
                self._line(line)
            self._line("")
        if self._look.dry_run:
            self._line(f"\n{banner('DRY RUN', self._output.width)}")

    # -- results -------------------------------------------------------------------------------------------------

    def item_ended(self, item: ItemResult, *, action: str) -> None:
        """Write the line of a loop item, or of an `until` attempt that failed."""
        host = host_and_delegate(item, self._output.safe)
        result = item.result
        if item.retry:
            left = int(result.get("retries") or 0) - int(result.get("attempts") or 0)
            text = f"FAILED - RETRYING: [{host}]: {self._task.name} ({left} retries left)."
            self._line(text + self._attempted(item), "verbose")
            return
        self._items_shown.add(item.host)
        self._warner.of_result(result, self._task.path, private=item.private)
        label = item_label(item, self._output.safe)
        shown = without_item(result) if item.label is not None and not self._output.verbosity else result
        shown = censored(result, private=True) if item.private else shown
        if result.get("unreachable"):
            self._blame_task(result, private=item.private)
            self._failure(
                f"fatal: [{host}]: UNREACHABLE! => (item={label}) => {self._values(shown, action)}", "unreachable"
            )
        elif result.get("failed"):
            self._blame_task(result, private=item.private)
            self._failure(f"failed: [{host}] (item={label}) => {self._values(shown, action)}", "error")
        elif result.get("skipped"):
            if self._look.skipped:
                self._line(f"skipping: [{host}] => (item={label}) {self._dumped(shown, action, always=False)}", "skip")
        else:
            if item.diff:
                self._show_diff(result, private=item.private)
            word = "changed" if result.get("changed") else "ok"
            if word == "changed" or self._look.ok:
                always = not item.private and is_verbose(result)
                self._line(f"{word}: [{host}] => (item={label}){self._dumped(shown, action, always=always)}", word)

    def _attempted(self, item: ItemResult) -> str:
        """Give what came of an attempt, where that is shown: of debug and its like always, else from -vvv on."""
        result = item.result
        if self._output.verbosity < 3 and (item.private or not is_verbose(result)):
            return ""
        if item.private:
            kept = {key: result[key] for key in ("attempts", "retries") if key in result}
            result = {**kept, **censored(result, private=True)}
        return f"Result was: {self._values(result, '', pretty=True)}"

    def job_asked(self, report: JobReport) -> None:
        """Write how a task in the background stands."""
        line = f"ASYNC {report.state.name} on {self._output.safe(report.host)}: jid={self._output.safe(report.job)}"
        if report.state is JobState.POLL:
            line += f" started={report.started} finished={report.finished}"
        self._line(line, "verbose" if report.state is not JobState.FAILED else "error")

    def host_ended(self, result: TaskResult, *, action: str) -> None:
        """Write the line of a host's result; of a loop only what its items did not say."""
        host = host_and_delegate(result, self._output.safe)
        shown = censored(result.result, private=result.private)
        items_said_it = result.looped and result.host in self._items_shown
        self._items_shown.discard(result.host)  # not sooner: between them, other hosts may show other tasks
        if not items_said_it:
            self._warner.of_result(result.result, self._task.path, private=result.private)
        if result.unreachable and not items_said_it:
            self._blame_task(result.result, private=result.private)
            self._failure(f"fatal: [{host}]: UNREACHABLE! => {self._values(shown, action)}", "unreachable")
        elif result.failed:
            if items_said_it and has_failed_items(result.result) and is_debug(action) and not result.private:
                self._failure(f"fatal: [{host}]: FAILED! => {self._values(shown, action)}", "error")  # as core
            elif not items_said_it or not has_failed_items(result.result):
                self._blame_task(result.result, private=result.private)
                self._failure(f"fatal: [{host}]: FAILED! => {self._values(shown, action)}", "error")
        elif result.skipped:
            if self._look.skipped:
                rest = {key: value for key, value in shown.items() if key != "results"} if result.looped else shown
                self._line(f"skipping: [{host}]{self._dumped(rest, action, always=False)}", "skip")
        elif not items_said_it and not result.includes:
            self._ok(host, result, shown, action)
        if result.ignored:
            self._line("...ignoring", "skip")

    def _ok(self, host: str, result: TaskResult, shown: Mapping[str, Any], action: str) -> None:
        if result.diff:
            self._show_diff(result.result, private=result.private)
        word = "changed" if result.changed else "ok"
        if word == "changed" or self._look.ok:
            always = not result.private and is_verbose(result.result)
            self._line(f"{word}: [{host}]{self._dumped(shown, action, always=always)}", word)

    def warn(self, diagnostic: Diagnostic) -> None:
        """Write a warning to standard error, once per message and place."""
        self._warner.warn(diagnostic)

    # -- pieces --------------------------------------------------------------------------------------------------

    def _marker(self, begun: PlayStart | TaskStart) -> str:
        return " [CHECK MODE]" if self._look.check_mode_markers and begun.check_mode else ""

    def _blame_task(self, result: Mapping[str, Any], *, private: bool) -> None:
        text = self._blame.text(result, private=private)
        if text:
            self._failure_line(text, "error")

    def _failure(self, text: str, colour: str) -> None:
        """Write the line of a failure, and before it where the task stands if that is wanted."""
        if self._look.task_path_on_failure and self._output.verbosity < 2 and self._task.path:
            self._line(f"task path: {line_of(self._task.path)}", "error")
        self._failure_line(text, colour)

    def _failure_line(self, text: str, colour: str) -> None:
        if self._look.failed_stderr:
            self._flush_banner()
            self._output.error(text, colour)
        else:
            self._line(text, colour)

    def _show_diff(self, result: Mapping[str, Any], *, private: bool) -> None:
        if private or not self._look.diffs or not result.get("diff") or not result.get("changed"):
            return
        text = self._output.diff(result["diff"])
        if text:
            self._flush_banner()
            self._output.out(self._output.mask(text))

    def _dumped(self, result: Mapping[str, Any], action: str, *, always: bool) -> str:
        if (not always and self._output.verbosity < 1) or is_gathered(result, action):
            return ""
        return f" => {self._values(result, action, pretty=always)}"

    def _values(self, result: Mapping[str, Any], action: str, *, pretty: bool | None = None) -> str:
        values = result_text(result, action, self._look.format, verbosity=self._output.verbosity, pretty=pretty)
        return self._output.safe(values)

    def _flush_banner(self) -> None:
        if self._pending:
            self._output.line(self._pending)
            self._pending = ""

    def _line(self, text: str, colour: str = "") -> None:
        self._flush_banner()
        self._output.line(text, colour)
