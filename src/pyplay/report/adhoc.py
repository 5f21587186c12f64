"""The reporter of `pyplay adhoc`: one entry per host, in the forms of the `ansible` command."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.report.diffs import diff_text
from pyplay.report.dump import dump
from pyplay.report.shown import censored, clean, printable
from pyplay.report.text import TextReporter

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyplay.report.events import HostStats
    from pyplay.workers.messages import ItemResult, TaskResult

_COMMANDS = frozenset({"command", "shell", "raw", "script"})


class AdhocReporter(TextReporter):
    """Writes `host | STATE => {...}`, or `host | STATE | rc=N >>` and the output for commands."""

    one_line = False

    def play_started(self, name: str, hosts: Sequence[str]) -> None:
        """Write nothing: there is only one play."""

    def task_started(self, name: str, *, handler: bool, path: str, check_mode: bool) -> None:
        """Write nothing: there is only one task."""

    def item_ended(self, item: ItemResult, *, action: str) -> None:
        """Write nothing: items stand in the host's result."""

    def run_ended(self, stats: Mapping[str, HostStats], custom: Mapping[str, Any]) -> None:
        """Write nothing: each host has had its entry."""

    def host_ended(self, result: TaskResult, *, action: str) -> None:
        """Write the host's entry."""
        self._warner.of_result(result.result, self._task_path)
        if result.diff and not result.private:
            text = diff_text(result.result.get("diff"), colour=self._output.colour)
            if text:
                self._output.out(self._output.mask(text))
        state, colour = _state(result)
        if _is_command(result, action):
            state = state.rstrip("!")
        shown = censored(result.result, private=result.private)
        self._output.line(printable(f"{result.host} | {state}{self._body(shown, result, action)}"), colour)

    def _body(self, shown: Mapping[str, Any], result: TaskResult, action: str) -> str:
        if _is_command(result, action) and not result.private:
            output = f"{shown.get('stdout') or ''}{shown.get('stderr') or ''}"
            if result.failed:
                output += str(shown.get("msg") or "")
            if self.one_line:
                escaped = str(shown.get("stdout") or "").replace("\n", "\\n").replace("\r", "\\r")
                errors = str(shown.get("stderr") or "").replace("\n", "\\n").replace("\r", "\\r")
                return f" | rc={shown['rc']} | (stdout) {escaped}" + (f" (stderr) {errors}" if errors else "")
            return f" | rc={shown['rc']} >>\n{output.rstrip(chr(10)) if output.endswith(chr(10)) else output}"
        cleaned = clean(shown, verbosity=self._output.verbosity, action=action)
        return f" => {dump(cleaned, indent=None if self.one_line else 4)}"


class OneLineReporter(AdhocReporter):
    """Writes one line per host, `host | STATE | rc=N | (stdout) …` for commands."""

    one_line = True


def _is_command(result: TaskResult, action: str) -> bool:
    shown = result.result
    return (
        action.rpartition(".")[2] in _COMMANDS
        and "rc" in shown
        and "module_stdout" not in shown
        and not result.unreachable
    )


def _state(result: TaskResult) -> tuple[str, str]:
    if result.unreachable:
        return "UNREACHABLE!", "unreachable"
    if result.failed:
        return "FAILED!", "error"
    if result.skipped:
        return "SKIPPED", "skip"
    return ("CHANGED", "changed") if result.changed else ("SUCCESS", "ok")
