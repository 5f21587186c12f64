"""The task debugger: looking, changing, running again."""

from __future__ import annotations

from typing import Any

import pytest

from pyplay.engine.debugger import QuitRun


def once_failed(stage: Any) -> Any:
    return lambda host, task: "failed" if len(stage.pool.rounds) == 1 else "ok"


def test_redo_runs_the_task_again_and_forgets_the_failure(stage: Any) -> None:
    stage.terminal.answers = ["r"]
    stage.run(["one", "two"], "a", once_failed(stage), strategy="debug")
    assert stage.trace == ["one:a", "one:a", "two:a"]
    assert stage.figures("a") == "ok=2"


def test_changed_arguments_are_used(stage: Any) -> None:
    stage.terminal.answers = [
        "task.args['msg'] = 'new'",
        "p task.args",
        "p 1 + 1",
        "p undefined_name",
        "nonsense",
        "redo",
    ]
    stage.run([stage.build.task("one", args={"msg": "old"}, debugger="on_failed")], "a", once_failed(stage))
    assert stage.pool.tasks[stage.pool.rounds[-1].task_id].args == {"msg": "new"}
    assert "{'msg': 'new'}" in stage.terminal.shown
    assert "2" in stage.terminal.shown


@pytest.mark.parametrize(
    ("debugger", "answer", "stops"),
    [
        ("always", "ok", 1),
        ("never", "failed", 0),
        ("on_failed", "failed", 1),
        ("on_failed", "ok", 0),
        ("on_unreachable", "unreachable", 1),
        ("on_skipped", "skipped", 1),
        ("on_skipped", "ok", 0),
    ],
)
def test_the_keyword_says_when(stage: Any, debugger: str, answer: str, stops: int) -> None:
    stage.terminal.answers = ["c"]
    stage.run([stage.build.task("one", debugger=debugger)], "a", lambda h, t: answer)
    assert len(stage.terminal.shown) == stops


def test_continue_keeps_the_failure(stage: Any) -> None:
    stage.terminal.answers = ["c"]
    stage.run(["one", "two"], "a", lambda h, t: "failed", strategy="debug")
    assert stage.figures("a") == "failed=1"
    assert [e for e in stage.kept.events if e[0] == "failed"] == [("failed", "a")]


def test_without_a_terminal_the_run_goes_on(stage: Any) -> None:
    stage.run(["one"], "a", lambda h, t: "failed", strategy="debug")
    assert stage.figures("a") == "failed=1"


def test_quit_ends_the_run(stage: Any) -> None:
    stage.terminal.answers = ["q"]
    with pytest.raises(QuitRun):
        stage.run(["one"], "a", lambda h, t: "failed", strategy="debug")
