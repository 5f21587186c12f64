"""Results in one line each."""

from __future__ import annotations

from typing import Any

import pytest

from pyplay.report.oneline import OneLineReporter
from pyplay.report.output import Output
from pyplay.workers.messages import TaskResult


def result(value: dict[str, Any], **more: Any) -> TaskResult:
    flags: dict[str, Any] = {name: bool(value.get(name)) for name in ("failed", "changed", "skipped", "unreachable")}
    return TaskResult(host="h1", task_id=1, result=value, **(flags | more))


@pytest.mark.parametrize(
    ("given", "action", "expected"),
    [
        ({"changed": True, "rc": 0, "stdout": "a\nb", "stderr": ""}, "shell", "h1 | CHANGED | rc=0 | (stdout) a\\nb\n"),
        (
            {"failed": True, "rc": 3, "stdout": "a", "stderr": "e", "msg": "bad"}, "command",
            "h1 | FAILED | rc=3 | (stdout) a (stderr) e\n",
        ),
        ({"ping": "pong", "changed": False}, "ping", 'h1 | SUCCESS => {"changed": false,"ping": "pong"}\n'),
    ],
)  # fmt: skip
def test_adhoc_results_in_one_line(given: dict[str, Any], action: str, expected: str) -> None:
    out: list[str] = []
    OneLineReporter(Output(out.append, out.append)).host_ended(result(given), action=f"ansible.builtin.{action}")
    assert "".join(out) == expected
