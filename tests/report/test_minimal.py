"""The reporter of ad-hoc commands."""

from __future__ import annotations

from typing import Any

import pytest

from pyplay.report.minimal import MinimalReporter
from pyplay.report.output import Output
from pyplay.workers.messages import TaskResult


def result(value: dict[str, Any], **more: Any) -> TaskResult:
    flags: dict[str, Any] = {name: bool(value.get(name)) for name in ("failed", "changed", "skipped", "unreachable")}
    return TaskResult(host="h1", task_id=1, result=value, **(flags | more))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param(
            {"changed": True, "rc": 0, "stdout": "hi", "stderr": ""}, "h1 | CHANGED | rc=0 >>\nhi\n", id="command"
        ),
        pytest.param(
            {"failed": True, "rc": 3, "stdout": "hi\n", "stderr": "", "msg": "bad"},
            "h1 | FAILED | rc=3 >>\nhi\nbad\n",
            id="failed command",
        ),
        pytest.param(
            {"changed": True, "rc": 0, "stdout": "hi", "ansible_job_id": "j1.2"},
            'h1 | CHANGED => {\n    "ansible_job_id": "j1.2",\n    "changed": true,\n    "rc": 0,\n    "stdout": "hi"\n}\n',
            id="command in the background",
        ),
    ],
)
def test_adhoc_commands(given: dict[str, Any], expected: str) -> None:
    out: list[str] = []
    MinimalReporter(Output(out.append, out.append)).host_ended(result(given), action="ansible.builtin.command")
    assert "".join(out) == expected


def test_adhoc_modules() -> None:
    out: list[str] = []
    adhoc = MinimalReporter(Output(out.append, out.append))
    adhoc.host_ended(result({"ping": "pong", "changed": False}), action="ansible.builtin.ping")
    adhoc.host_ended(result({"unreachable": True, "msg": "no", "changed": False}), action="ansible.builtin.ping")
    assert out == [
        'h1 | SUCCESS => {\n    "changed": false,\n    "ping": "pong"\n}\n',
        'h1 | UNREACHABLE! => {\n    "changed": false,\n    "msg": "no",\n    "unreachable": true\n}\n',
    ]
