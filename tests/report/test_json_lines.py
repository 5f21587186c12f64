"""A run as lines of JSON."""

from __future__ import annotations

import json

from pyplay.report.events import HostStats, PlayStart, TaskStart
from pyplay.report.json_lines import JsonLinesReporter
from pyplay.report.output import Output
from pyplay.workers.messages import TaskResult


def test_each_event_is_a_line() -> None:
    out: list[str] = []
    report = JsonLinesReporter(Output(out.append, out.append))
    report.play_started(PlayStart(name="First", path="site.yml:1:3"))
    report.task_started(TaskStart(name="one", id=7, action="ping"))
    for word in ("unreachable", "failed", "skipped", "changed"):
        result = TaskResult(host="h", task_id=7, result={word: True}, **{word: True})  # pyright: ignore[reportArgumentType]
        report.host_ended(result, action="ansible.builtin.ping")
    report.task_started(TaskStart(name="two", id=8, action="include_tasks", handler=True))
    report.included("x.yml", ["h"], None)
    report.run_ended({"h": HostStats(ok=1)}, {})
    assert all(line.endswith("\n") and line.count("\n") == 1 for line in out)
    events = [json.loads(line) for line in out]
    assert [event["_event"].removeprefix("v2_") for event in events] == [
        "playbook_on_play_start",
        "playbook_on_task_start",
        "runner_on_unreachable",
        "runner_on_failed",
        "runner_on_skipped",
        "runner_on_ok",
        "playbook_on_handler_task_start",
        "runner_on_ok",
        "playbook_on_stats",
    ]
    assert all("_timestamp" in event for event in events)
    assert events[3]["hosts"] == {"h": {"action": "ping", "failed": True}}
    assert set(events[3]["task"]["duration"]) == {"start", "end"}
    assert events[7]["hosts"] == {"h": {"action": "include_tasks", "changed": False}}
