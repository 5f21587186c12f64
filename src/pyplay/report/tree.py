"""The reporter `tree`: each host's last result in a file of its name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.model import Diagnostic, Severity
from pyplay.report.dump import dump
from pyplay.report.events import Reporter
from pyplay.report.shown import censored, clean

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pyplay.report.events import HostStats
    from pyplay.report.output import Output
    from pyplay.workers.messages import TaskResult


class TreeReporter(Reporter):
    """Writes results as JSON into files in `directory`, which is made, when the run ends: only the last one stays.

    What cannot be written is told to `warn`.
    """

    def __init__(self, output: Output, directory: str, warn: Callable[[Diagnostic], None]) -> None:
        self._output, self._directory, self._warn = output, Path(directory).expanduser(), warn
        self._last: dict[str, str] = {}

    def host_ended(self, result: TaskResult, *, action: str) -> None:
        """Keep the result of a host."""
        shown = clean(censored(result.result, private=result.private), action=action)
        self._last[result.host] = dump(shown)

    def run_ended(self, stats: Mapping[str, HostStats], custom: Mapping[str, Any]) -> None:
        """Write what is kept."""
        del stats, custom
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            for host, text in self._last.items():
                (self._directory / host.replace("/", "_")).write_text(self._output.mask(text), "utf-8")
        except OSError as error:
            text = f"results are not written into {self._directory}: {error.strerror or error}"
            self._warn(Diagnostic("tree", text, severity=Severity.WARNING, help="name a directory that can be written"))
