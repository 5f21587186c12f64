"""Warnings and deprecations, each once in a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from pyplay.diagnostics.deprecated import ONCE, PER_PLACE
from pyplay.diagnostics.late_modules import late_modules
from pyplay.diagnostics.model import Diagnostic, Severity
from pyplay.report.places import origin_at

with late_modules("pyplay.diagnostics.render"):
    from pyplay.diagnostics import render

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.report.output import Output


_LOOKS = {Severity.DEPRECATION: ("DEPRECATION WARNING", "deprecate"), Severity.NOTE: ("NOTE", "verbose")}
_HIDDEN = "warnings of this task are hidden by no_log"
_WARNING = ("WARNING", "warn")


def warning_text(diagnostic: Diagnostic) -> str:
    """Give a warning as it is shown: `[WARNING]: what`, then the place, notes and help."""
    head = _LOOKS.get(diagnostic.severity, _WARNING)[0]
    below = render.render_text(diagnostic).split("\n")[diagnostic.message.count("\n") + 1 :]
    return "\n".join([f"[{head}]: {diagnostic.message}", *below])


class Warner:
    """Writes warnings to standard error, once per message and place; see `ONCE` and `PER_PLACE` for exceptions."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._warned: set[tuple[str, str]] = set()

    def warn(self, diagnostic: Diagnostic) -> None:
        """Write a warning, unless it was written before, or the settings mute it."""
        what = diagnostic.code if diagnostic.code in PER_PLACE and diagnostic.origin else diagnostic.message
        key = (what, "" if diagnostic.code in ONCE else str(diagnostic.origin or ""))
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
            self.warn(_deprecation(entry, path))


def _deprecation(entry: Any, path: str) -> Diagnostic:
    """Give a deprecation of the result of the task at `path`; what was met while rendering knows its own place."""
    fields: Mapping[str, Any] = cast("Mapping[str, Any]", entry) if isinstance(entry, dict) else {"msg": entry}
    return Diagnostic(
        str(fields.get("code") or "task-deprecation"),
        str(fields.get("msg")),
        origin_at(str(fields.get("origin") or path)),
        help=str(fields.get("help") or ""),
        severity=Severity.DEPRECATION,
    )
