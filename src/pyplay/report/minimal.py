"""The reporter `minimal`, which ad-hoc commands use: one entry per host and task."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.report.blame import Blame
from pyplay.report.events import Reporter
from pyplay.report.look import Look
from pyplay.report.result_text import result_text
from pyplay.report.shown import censored
from pyplay.report.warner import Warner

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.diagnostics.model import Diagnostic
    from pyplay.report.events import TaskStart
    from pyplay.report.output import Output
    from pyplay.workers.messages import TaskResult

_COMMANDS = frozenset({"command", "shell", "raw", "script"})


class MinimalReporter(Reporter):
    """Writes `host | STATE => {...}`, or `host | STATE | rc=N >>` and the output for commands."""

    def __init__(self, output: Output, look: Look = Look()) -> None:  # noqa: B008  # a frozen value
        self._output, self._look = output, look
        self._warner, self._blame = Warner(output), Blame(output.safe)
        self._path = ""

    def task_started(self, task: TaskStart) -> None:
        """Take which task the results are of."""
        self._path = task.path
        self._blame.start(task.path)

    def warn(self, diagnostic: Diagnostic) -> None:
        """Write a warning to standard error, once per message and place."""
        self._warner.warn(diagnostic)

    def host_ended(self, result: TaskResult, *, action: str) -> None:
        """Write the host's entry."""
        self._warner.of_result(result.result, self._path, private=result.private)
        if result.diff and not result.private:
            text = self._output.diff(result.result.get("diff"))
            if text:
                self._output.out(self._output.mask(text))
        state, colour = host_state(result)
        self._output.line(self._output.safe(f"{result.host} | {self.entry(result, state, action)}"), colour)

    def entry(self, result: TaskResult, state: str, action: str) -> str:
        """Give what stands behind the host: the state, and the result or the output."""
        if result.skipped:
            return state
        if is_command(result, action):
            return f"{state.rstrip('!')} | rc={result.result['rc']} >>\n{_outputs(result)}"
        return f"{state} => {self._values(result, action)}"

    def _values(self, result: TaskResult, action: str) -> str:
        shown = censored(result.result, private=result.private)
        return result_text(shown, action, self._look.format, verbosity=self._output.verbosity, pretty=True)


def _outputs(result: TaskResult) -> str:
    shown: Mapping[str, Any] = result.result
    text = f"{shown.get('stdout') or ''}{shown.get('stderr') or ''}"
    if result.failed:
        text += str(shown.get("msg") or "")
    return text.removesuffix("\n")


def is_command(result: TaskResult, action: str) -> bool:
    """Tell whether a result is the one of a program that ran: shown by its output."""
    shown = result.result
    return (
        action.rpartition(".")[2] in _COMMANDS
        and "rc" in shown
        and "module_stdout" not in shown
        and "ansible_job_id" not in shown  # what ran in the background is shown whole
        and not result.unreachable
        and not result.private
    )


def host_state(result: TaskResult) -> tuple[str, str]:
    """Give the word for how a task ended on a host, and its colour."""
    if result.unreachable:
        return "UNREACHABLE!", "unreachable"
    if result.failed:
        return "FAILED!", "error"
    if result.skipped:
        return "SKIPPED", "skip"
    return ("CHANGED", "changed") if result.changed else ("SUCCESS", "ok")
