"""A run as one JSON document, with the keys that parsers of Ansible's look for."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pyplay.report.events import HostStats, PlayStart, TaskStart
from pyplay.report.json_document import JsonReporter
from pyplay.report.output import Output
from pyplay.workers.messages import TaskResult


def document(*, custom: bool = False, indent: int = 4, **output: Any) -> Any:
    out: list[str] = []
    report = JsonReporter(Output(out.append, out.append, **output), indent=indent, custom_stats=custom)
    report.play_started(PlayStart(name="First", hosts=("a", "b"), path="site.yml:1:3"))
    report.task_started(TaskStart(name="r : one", id=7, action="command", path="site.yml:5:7"))
    report.task_started(TaskStart(name="r : two", id=8, action="debug", path="site.yml:6:7"))
    values = {"changed": True, "failed": False, "stdout": "x\ny", "invocation": {}, "_ansible_verbose_always": True}
    report.host_ended(TaskResult(host="b", task_id=7, result=values), action="ansible.builtin.command")
    hidden = {"changed": True, "stdout": "s3cret"}
    report.host_ended(TaskResult(host="a", task_id=7, result=hidden, private=True), action="ansible.builtin.command")
    loop = {"changed": False, "results": [{"item": 1, "failed": True, "invocation": {}, "_ansible_item_label": 1}]}
    report.host_ended(TaskResult(host="a", task_id=8, result=loop), action="ansible.builtin.debug")
    report.included("inc.yml", ["b"], None)
    report.play_started(PlayStart(name="Second", path="site.yml:9:3"))
    report.run_ended({"b": HostStats(ok=2), "a": HostStats(failed=1)}, {"_run": {"n": 1}, "a": {"m": 2}})
    text = "".join(out)
    assert text == json.dumps(json.loads(text), indent=indent, sort_keys=True) + "\n"
    return json.loads(text)


@pytest.mark.parametrize("indent", [1, 4])
def test_plays_hold_tasks_and_tasks_hold_hosts(indent: int) -> None:
    found = document(indent=indent)
    assert set(found) == {"custom_stats", "global_custom_stats", "plays", "stats"}
    first, second = found["plays"]
    assert first["play"]["name"] == "First"
    assert first["play"]["path"] == "site.yml:1"
    assert set(first["play"]["duration"]) == {"start", "end"}
    assert second["tasks"] == []
    assert set(second["play"]["duration"]) == {"start"}
    one, two = first["tasks"]
    assert (one["task"]["name"], one["task"]["path"]) == ("r : one", "site.yml:5")
    assert one["task"]["id"] != two["task"]["id"]
    assert one["hosts"]["b"] == {"action": "command", "changed": True, "stdout": "x\ny"}
    assert two["hosts"]["a"]["results"] == [{"item": 1, "failed": True}]
    assert two["hosts"]["b"] == {"action": "debug", "changed": False}


def test_no_log_hides_the_result() -> None:
    assert "s3cret" not in json.dumps(document())
    assert document()["plays"][0]["tasks"][0]["hosts"]["a"]["changed"] is True


def test_figures_have_the_names_of_ansible() -> None:
    stats = document()["stats"]
    assert stats["a"] == dict.fromkeys(["changed", "ignored", "ok", "rescued", "skipped", "unreachable"], 0) | {
        "failures": 1
    }
    assert list(stats) == ["a", "b"]


@pytest.mark.parametrize("custom", [True, False])
def test_custom_figures_are_there_when_wanted(*, custom: bool) -> None:
    found = document(custom=custom)
    assert found["custom_stats"] == ({"a": {"m": 2}} if custom else {})
    assert found["global_custom_stats"] == ({"n": 1} if custom else {})


def test_secrets_are_masked() -> None:
    found = document(mask=lambda text: text.replace("x\\ny", "****"))
    assert found["plays"][0]["tasks"][0]["hosts"]["b"]["stdout"] == "****"


def test_a_run_without_plays_is_a_document() -> None:
    out: list[str] = []
    JsonReporter(Output(out.append, out.append)).run_ended({}, {})
    assert json.loads("".join(out)) == {"custom_stats": {}, "global_custom_stats": {}, "plays": [], "stats": {}}
