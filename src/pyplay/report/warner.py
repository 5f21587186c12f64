"""Warnings and deprecations, each once in a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.model import Diagnostic, Severity
from pyplay.diagnostics.render import render_text
from pyplay.report.places import origin_at

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.report.output import Output


_LOOKS = {Severity.DEPRECATION: ("DEPRECATION WARNING", "deprecate"), Severity.NOTE: ("NOTE", "verbose")}
_HIDDEN = "warnings of this task are hidden by no_log"
_WARNING = ("WARNING", "warn")


def warning_text(diagnostic: Diagnostic) -> str:
    """Give a warning as it is shown: `[WARNING]: what`, then the place, notes and help."""
    head = _LOOKS.get(diagnostic.severity, _WARNING)[0]
    below = render_text(diagnostic).split("\n")[diagnostic.message.count("\n") + 1 :]
    return "\n".join([f"[{head}]: {diagnostic.message}", *below])


class Warner:
    """Writes warnings to standard error, once per message and place."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._warned: set[tuple[str, str]] = set()

    def warn(self, diagnostic: Diagnostic) -> None:
        """Write a warning, unless it was written before, or the settings mute it."""
        key = (diagnostic.message, str(diagnostic.origin or ""))
        if key in self._warned or not self._output.muted.isdisjoint((diagnostic.code, diagnostic.severity.value)):
            return
        self._warned.add(key)
        colour = _LOOKS.get(diagnostic.severity, _WARNING)[1]
        self._output.error(self._output.safe_error(warning_text(diagnostic)), colour)

    def of_result(self, result: Mapping[str, Any], path: str, *, private: bool) -> None:
        """Write the warnings that came with the result of the task at `path`; of `private` ones only that there are."""
        if private:
            if result.get("warnings") or result.get("deprecations"):
                self.warn(Diagnostic("task-warning", _HIDDEN, origin_at(path), source="", severity=Severity.WARNING))
            return
        for text in result.get("warnings") or ():
            self.warn(Diagnostic("task-warning", str(text), origin_at(path), severity=Severity.WARNING))
        for entry in result.get("deprecations") or ():
            text = entry.get("msg") if isinstance(entry, dict) else entry  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]  # any JSON-like value
            self.warn(Diagnostic("task-deprecation", str(text), origin_at(path), severity=Severity.DEPRECATION))  # pyright: ignore[reportUnknownArgumentType]  # as above
