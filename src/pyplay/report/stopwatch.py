"""How long the tasks of a run take, one after another."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_DAY_TIME = "%A %d %B %Y  %H:%M:%S %z"


class Stopwatch:
    """Counts seconds for what runs now, by name; the same name may come again. `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began = self._last = clock()
        self._key: str | None = None
        self.seconds: dict[str, float] = {}

    def lap(self, key: str | None) -> tuple[float, float]:
        """Let the time count for `key` from now on; gives the seconds since the last lap, and of all laps."""
        now = self._clock()
        passed = now - self._last
        if self._key is not None:
            self.seconds[self._key] = self.seconds.get(self._key, 0.0) + passed
        self._key, self._last = key, now
        if key is not None:
            self.seconds.setdefault(key, 0.0)
        return passed, now - self._began

    def restart(self) -> None:
        """Begin anew."""
        self._began = self._last = self._clock()


def time_line(passed: float, total: float, day_time: str = _DAY_TIME, width: int = 79) -> str:
    """Give the line with the time of day, and the durations of the last task and of the run."""
    now = time.strftime(day_time)
    text = f"{now} ({_duration(passed)})       {_duration(total)}"
    return f"{text} {'*' * max(3, width - len(text) - 1)} "


def _duration(seconds: float) -> str:
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(int(minutes), 60)
    return f"{hours}:{minutes:02}:{rest:06.3f}"


def ranked_line(name: str, seconds: float, width: int = 79) -> str:
    """Give the line of one name in the list of durations."""
    figure = f" {seconds:.02f}s"
    return f"{name} {'-' * max(3, width - len(name) - len(figure) - 1)}{figure}"
