"""The reporter `tree`: each host's last result in a file of its name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pyplay.diagnostics.model import Diagnostic, Severity
from pyplay.report.dump import dump
from pyplay.report.events import Reporter
from pyplay.report.shown import censored, clean

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyplay.report.output import Output
    from pyplay.workers.messages import TaskResult


class TreeReporter(Reporter):
    """Writes results as JSON into files in `directory`, which is made.

    What cannot be written is told once to `warn`, and the run goes on.
    """

    def __init__(self, output: Output, directory: str, warn: Callable[[Diagnostic], None]) -> None:
        self._output, self._directory, self._warn = output, Path(directory).expanduser(), warn
        self._broken = False

    def host_ended(self, result: TaskResult, *, action: str) -> None:
        """Write the result of a host."""
        if self._broken:
            return
        shown = clean(censored(result.result, private=result.private), action=action)
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            (self._directory / result.host.replace("/", "_")).write_text(self._output.mask(dump(shown)), "utf-8")
        except OSError as error:
            self._broken = True
            text = f"results are not written into {self._directory}: {error.strerror or error}"
            self._warn(Diagnostic("tree", text, severity=Severity.WARNING, help="name a directory that can be written"))
