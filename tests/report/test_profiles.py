"""How long tasks and roles took."""

from __future__ import annotations

from typing import Any

import pytest

from pyplay.report.events import Reporter, TaskStart
from pyplay.report.output import Output
from pyplay.report.profile_roles import ProfileRolesReporter
from pyplay.report.profile_tasks import ProfileOptions, ProfileTasksReporter
from pyplay.report.stopwatch import Stopwatch

TASKS = [
    TaskStart(name="r : one", id=1, role="r", action="command"),
    TaskStart(name="two", id=2, action="ansible.builtin.copy"),
    TaskStart(name="r : three", id=3, role="r", action="command"),
    TaskStart(name="two", id=2, action="ansible.builtin.copy"),
]
TIMES = [0.0, 0.0, 0.5, 1.5, 4.5, 5.0, 7.25]
"""made, started, the tasks, ended"""


def watch() -> Stopwatch:
    times = iter(TIMES)
    return Stopwatch(lambda: next(times))


def ran(reporter: Reporter) -> None:
    reporter.run_started(["site.yml"])
    for task in TASKS:
        reporter.task_started(task)
    reporter.run_ended({}, {})


def profile(**options: Any) -> list[str]:
    out: list[str] = []
    ran(ProfileTasksReporter(Output(out.append, out.append), ProfileOptions(day_time="DAY", **options), watch()))
    return "".join(out).splitlines()


def test_tasks_are_timed_and_ranked() -> None:
    lines = profile()
    assert lines[1] == "DAY (0:00:01.000)       0:00:01.500 " + "*" * 43 + " "
    assert lines[4:] == [
        "",
        "TASKS RECAP " + "*" * 68,
        "DAY (0:00:02.250)       0:00:07.250 " + "*" * 43 + " ",
        "=" * 79 + " ",
        "two " + "-" * 69 + " 5.25s",
        "r : one " + "-" * 65 + " 1.00s",
        "r : three " + "-" * 63 + " 0.50s",
    ]


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"limit": 1}, ["two"]),
        ({"order": "ascending"}, ["r : three", "r : one", "two"]),
        ({"order": "none"}, ["r : one", "two", "r : three"]),
    ],
)
def test_the_list_may_be_short_and_in_another_order(options: dict[str, Any], names: list[str]) -> None:
    lines = profile(summary_only=True, **options)
    assert lines[0] == ""
    assert [line.split(" --")[0] for line in lines[4:]] == names


def test_roles_and_modules_outside_of_them() -> None:
    out: list[str] = []
    ran(ProfileRolesReporter(Output(out.append, out.append), summary_only=True, watch=watch()))
    lines = "".join(out).splitlines()
    assert lines[1] == "ROLES RECAP " + "*" * 68
    assert lines[4:] == [
        "copy " + "-" * 68 + " 5.25s",
        "r " + "-" * 71 + " 1.50s",
        "~" * 79 + " ",
        "total " + "-" * 67 + " 6.75s",
    ]
