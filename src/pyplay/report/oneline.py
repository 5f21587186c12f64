"""The reporter `oneline`: one line per host and task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyplay.report.dump import dump
from pyplay.report.minimal import MinimalReporter, is_command
from pyplay.report.shown import censored, clean

if TYPE_CHECKING:
    from pyplay.workers.messages import TaskResult


class OneLineReporter(MinimalReporter):
    """Writes `host | STATE | rc=N | (stdout) …` for commands, `host | STATE => {...}` for others."""

    def entry(self, result: TaskResult, state: str, action: str) -> str:
        """Give what stands behind the host."""
        shown = result.result
        if result.skipped:
            return state
        if is_command(result, action):
            output, errors = _one_line(shown.get("stdout")), _one_line(shown.get("stderr"))
            tail = f" (stderr) {errors}" if errors else ""
            return f"{state.rstrip('!')} | rc={shown['rc']} | (stdout) {output}{tail}"
        values = clean(censored(shown, private=result.private), verbosity=self._output.verbosity, action=action)
        if result.unreachable:
            return f"{state}: {_one_line(values.get('msg') or dump(values))}"
        return f"{state} => {dump(values, separators=(',', ': '))}"


def _one_line(text: object) -> str:
    return str(text or "").replace("\n", "\\n").replace("\r", "\\r")
