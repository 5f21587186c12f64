"""Reporters with short lines: dense and unixy."""

from __future__ import annotations

from typing import Any

import pytest

from pyplay.report.dense import DenseReporter
from pyplay.report.events import HostStats, PlayStart, Reporter, TaskStart
from pyplay.report.look import Look
from pyplay.report.output import Output
from pyplay.report.text import TextReporter
from pyplay.report.unixy import UnixyReporter
from pyplay.workers.messages import TaskResult


def written(kind: Any, *more: Any, **output: Any) -> list[str]:
    out: list[str] = []
    reporter: Reporter = kind(Output(out.append, lambda _: None, **output), *more)
    reporter.run_started(["/x/site.yml"])
    reporter.play_started(PlayStart(name="First", hosts=("a", "b")))
    reporter.task_started(TaskStart(name="r : one", id=1))
    reporter.host_ended(TaskResult(host="a", task_id=1, result={"stdout": "hi"}, changed=True), action="command")
    reporter.host_ended(TaskResult(host="b", task_id=1, result={"msg": "no"}, failed=True), action="command")
    reporter.task_started(TaskStart(name="two", id=2))
    reporter.host_ended(TaskResult(host="a", task_id=2, result={}, skipped=True), action="command")
    reporter.task_started(TaskStart(name="three", id=3, handler=True))
    reporter.host_ended(TaskResult(host="a", task_id=3, result={"stdout": "s3cret"}, private=True), action="command")
    reporter.task_started(TaskStart(name="four", id=4))
    reporter.included("/x/inc.yml", ["a"], None)
    reporter.run_ended({"a": HostStats(ok=3), "b": HostStats(failed=1)}, {})
    return "".join(out).splitlines()


def test_dense_has_a_line_per_task() -> None:
    assert written(DenseReporter) == [
        "PLAY 1: FIRST",
        "task 1 (r : one): a* b!",
        "handler 1: a",
        "task 3: a",
        "FAILED: b",
    ]


def test_dense_marks_with_colours_where_there_are_some() -> None:
    lines = written(DenseReporter, colour=True)
    assert lines[1] == "task 1 (r : one): \x1b[0;33ma\x1b[0m \x1b[0;31mb\x1b[0m"


def test_unixy_has_outputs_and_messages_behind_hosts() -> None:
    assert written(UnixyReporter)[:12] == [
        "Executing playbook site.yml",
        "",
        "- First on hosts: a, b -",
        "one...",
        "  a done | stdout: hi",
        "  b failed | msg: no",
        "two...",
        "  a skipped",
        "three (via handler)...",
        "  a ok | (censored due to no_log)",
        "four...",
        "included: /x/inc.yml for a",
    ]


def test_unixy_leaves_out_what_settings_hide() -> None:
    text = "\n".join(written(UnixyReporter, Look(skipped=False, ok=False, included=False)))
    assert "skipped\n" not in text
    assert "a ok |" not in text
    assert "included" not in text


def shown_of_odd_names(kind: Any, *, exact: bool) -> str:
    out: list[str] = []
    reporter = kind(Output(out.append, out.append, exact=exact))
    reporter.play_started(PlayStart(name="\x1b[2J", hosts=("\x07",)))
    reporter.task_started(TaskStart(name="\x1b[2J", path="<x>"))
    reporter.host_ended(TaskResult(host="\x07", task_id=0, result={"msg": "\x1b"}, failed=True), action="x")
    reporter.run_ended({"\x07": HostStats(failed=1)}, {})
    return "".join(out)


@pytest.mark.parametrize("kind", [DenseReporter, UnixyReporter, TextReporter])
def test_hosts_cannot_steer_the_terminal(kind: Any) -> None:
    assert not set(shown_of_odd_names(kind, exact=False)) & set("\x1b\x07")


@pytest.mark.parametrize("kind", [DenseReporter, UnixyReporter, TextReporter])
def test_pipes_take_what_hosts_sent(kind: Any) -> None:
    text = shown_of_odd_names(kind, exact=True)
    assert {"\x1b", "\x07"} <= set(text)
    assert "\\x" not in text
