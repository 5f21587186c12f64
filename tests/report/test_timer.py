"""How long a run took."""

from __future__ import annotations

import pytest

from pyplay.report.output import Output
from pyplay.report.timer import TimerReporter


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (0.9, "0 days, 0 hours, 0 minutes, 0 seconds"),
        (3661, "0 days, 1 hours, 1 minutes, 1 seconds"),
        (90000, "1 days, 1 hours, 0 minutes, 0 seconds"),
    ],
)
def test_the_duration_stands_after_the_recap(seconds: float, expected: str) -> None:
    out: list[str] = []
    times = iter([0.0, 5.0, 5.0 + seconds])
    timer = TimerReporter(Output(out.append, out.append), clock=lambda: next(times))
    timer.run_started(["site.yml"])
    timer.run_ended({}, {})
    assert f"Playbook run took {expected}\n" in "".join(out)
