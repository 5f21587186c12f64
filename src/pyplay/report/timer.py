"""The reporter `timer`: how long the run took."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from pyplay.report.events import Reporter

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pyplay.report.events import HostStats
    from pyplay.report.output import Output


class TimerReporter(Reporter):
    """Writes the duration of the run after its recap. `clock` gives seconds."""

    def __init__(self, output: Output, clock: Callable[[], float] = time.monotonic) -> None:
        self._output, self._clock = output, clock
        self._began = clock()

    def run_started(self, playbooks: Sequence[str]) -> None:
        """Take the time."""
        del playbooks
        self._began = self._clock()

    def run_ended(self, stats: Mapping[str, HostStats], custom: Mapping[str, Any]) -> None:
        """Write how much of it has passed."""
        del stats, custom
        minutes, seconds = divmod(int(self._clock() - self._began), 60)
        hours, minutes = divmod(minutes, 60)
        days, hours = divmod(hours, 24)
        self._output.banner("PLAYBOOK RECAP")
        took = f"{days} days, {hours} hours, {minutes} minutes, {seconds} seconds"
        self._output.line(f"Playbook run took {took}\n")
