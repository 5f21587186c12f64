"""Traces of the linear strategy: which task ran on which hosts, in order."""

from __future__ import annotations

from typing import Any

import pytest

from pyplay.source.text import Trusted
from pyplay.workers.executor import WorkerLost
from pyplay.workers.messages import TaskResult


def failing(*pairs: str):
    """Give a script in which each `task:hosts` fails."""
    bad = {(name, host) for pair in pairs for name, _, hosts in [pair.partition(":")] for host in hosts}
    return lambda host, task: "failed" if (task.name, host) in bad else "ok"


def test_hosts_walk_in_lock_step(stage: Any) -> None:
    stage.run(["one", "two"], "a b c")
    assert stage.trace == ["one:abc", "two:abc"]


def test_a_failed_host_leaves_and_the_others_go_on(stage: Any) -> None:
    stage.run(["one", "two", "three"], "a b c", failing("two:b"))
    assert stage.trace == ["one:abc", "two:abc", "three:ac"]
    assert stage.figures("b") == "ok=1 failed=1"
    assert stage.batch.context.roll.exit_code == 2


def test_a_host_in_rescue_is_not_on_the_current_task(stage: Any) -> None:
    block = stage.build.block("try", "more", rescue=["mend"], always=["end"])
    stage.run([block, "after"], "a b", failing("try:a"))
    assert stage.trace == ["try:ab", "more:b", "mend:a", "end:ab", "after:ab"]
    assert stage.figures("a") == "ok=3 rescued=1"
    assert stage.batch.context.roll.exit_code == 0


def test_a_rescue_that_begins_with_a_block_counts_as_rescued(stage: Any) -> None:
    block = stage.build.block("try", rescue=[stage.build.block("inner")])
    stage.run([block], "a", failing("try:a"))
    assert stage.figures("a") == "ok=1 rescued=1"


def test_a_failure_passes_through_an_inner_always_to_an_outer_rescue(stage: Any) -> None:
    inner = stage.build.block("bad", always=["inner always"])
    outer = stage.build.block(inner, "mid", rescue=["mend", "worse"], always=["outer always"])
    stage.run([outer, "end"], "a b", failing("bad:a", "worse:a"))
    assert stage.trace == ["bad:ab", "inner always:ab", "mid:b", "mend:a", "worse:a", "outer always:ab", "end:b"]
    assert stage.figures("a") == "ok=3 failed=1 rescued=1"


def test_rescue_sees_what_failed(stage: Any) -> None:
    block = stage.build.block("try", rescue=["mend"])
    stage.run([block], "a", failing("try:a"))
    ((host, _, values),) = [d for d in stage.deltas.deltas if d[1] == "set_facts"]
    assert (host, values["ansible_failed_task"]["name"]) == ("a", "try")
    assert values["ansible_failed_result"] == {"failed": True}


def test_an_unreachable_host_is_set_aside(stage: Any) -> None:
    block = stage.build.block("try", rescue=["mend"])
    stage.run([block, "after"], "a b", lambda host, task: "unreachable" if (task.name, host) == ("try", "a") else "ok")
    assert stage.trace == ["try:ab", "after:b"]
    assert stage.figures("a") == "unreachable=1"
    assert stage.batch.context.roll.exit_code == 4


def test_ignored_failures_count_as_ok_and_ignored(stage: Any) -> None:
    stage.run(["one", "two"], "a", lambda host, task: "ignored" if task.name == "one" else "skipped")
    assert stage.figures("a") == "ok=1 skipped=1 ignored=1"


def test_forks_bound_the_hosts_in_flight(stage: Any) -> None:
    stage.options = stage.options.__class__(forks=2)
    stage.run(["one"], "a b c d e")
    assert stage.pool.peak == 2
    assert [host for _, host in stage.pool.order] == list("abcde")


def test_throttle_bounds_one_task(stage: Any) -> None:
    stage.run([stage.build.task("slow", throttle=1), "fast"], "a b c")
    assert stage.trace == ["slow:a", "slow:b", "slow:c", "fast:abc"]


def test_all_hosts_of_a_round_read_the_same_position(stage: Any) -> None:
    stage.options = stage.options.__class__(forks=1)
    stage.run([stage.build.task("one", register="r"), "two"], "a b")
    assert [work.position for work in stage.pool.rounds] == [1, 1, 3, 3]


class TestRunOnce:
    def test_the_first_live_host_runs_and_all_get_the_register(self, stage: Any) -> None:
        stage.run([stage.build.task("once", run_once=True, register="r"), "all"], "a b", lambda h, t: "changed")
        assert stage.trace == ["once:a", "all:ab"]
        assert [(d[0], d[1]) for d in stage.deltas.deltas if d[1] == "set_facts"] == [
            ("a", "set_facts"),
            ("b", "set_facts"),
        ]
        assert (stage.figures("a"), stage.figures("b")) == ("ok=2 changed=2", "ok=1 changed=1")

    def test_its_failure_is_one_of_all(self, stage: Any) -> None:
        stage.run([stage.build.task("once", run_once=True), "never"], "a b", failing("once:a"))
        assert stage.trace == ["once:a"]
        assert stage.batch.context.roll.failed == {"a", "b"}

    def test_every_host_rescues_its_failure(self, stage: Any) -> None:
        block = stage.build.block(stage.build.task("once", run_once=True), rescue=["mend"])
        stage.run([block, "after"], "a b", failing("once:a"))
        assert stage.trace == ["once:a", "mend:ab", "after:ab"]
        told = {d[0]: d[2]["ansible_failed_task"]["name"] for d in stage.deltas.deltas if d[1] == "set_facts"}
        assert told == {"a": "once", "b": "once"}

    def test_an_ignored_failure_is_nobodys(self, stage: Any) -> None:
        stage.run([stage.build.task("once", run_once=True), "after"], "a b", lambda h, t: "ignored")
        assert stage.trace == ["once:a", "after:ab"]

    @pytest.mark.parametrize("action", ["add_host", "pause"])
    def test_some_actions_run_once_anyway(self, stage: Any, action: str) -> None:
        stage.run([stage.build.task("x", action=action)], "a b")
        assert stage.trace == ["x:a"]

    def test_one_that_cannot_be_evaluated_fails_the_task(self, stage: Any) -> None:
        stage.run([stage.build.task("x", run_once=stage_text("{{ undefined }}")), "y"], "a b")
        assert stage.trace == []
        assert stage.figures("a") == "failed=1"


def stage_text(text: str) -> Any:
    return Trusted(text)


class TestAnyErrorsFatal:
    def test_one_failure_fails_all(self, stage: Any) -> None:
        stage.run([stage.build.task("t", any_errors_fatal=True), "never"], "a b c", failing("t:b"))
        assert stage.trace == ["t:abc"]
        assert stage.batch.context.roll.failed == {"a", "b", "c"}
        assert stage.figures("a") == "ok=1"

    def test_all_go_to_the_rescue(self, stage: Any) -> None:
        block = stage.build.block(stage.build.task("t", any_errors_fatal=True), "not", rescue=["mend"], always=["end"])
        stage.run([block, "after"], "a b", failing("t:a"))
        assert stage.trace == ["t:ab", "mend:ab", "end:ab", "after:ab"]
        assert (stage.figures("a"), stage.figures("b")) == ("ok=3 rescued=1", "ok=4")

    def test_always_runs_for_all(self, stage: Any) -> None:
        block = stage.build.block(stage.build.task("t", any_errors_fatal=True), always=["end"])
        stage.run([block, "never"], "a b", failing("t:a"))
        assert stage.trace == ["t:ab", "end:ab"]
        assert stage.batch.context.roll.failed == {"a", "b"}

    def test_an_unreachable_host_is_fatal_too(self, stage: Any) -> None:
        stage.run(
            [stage.build.task("t", any_errors_fatal=True), "never"],
            "a b",
            lambda h, t: "unreachable" if h == "a" else "ok",
        )
        assert stage.trace == ["t:ab"]


class TestMaxFailPercentage:
    def test_at_most_so_many_may_fail(self, stage: Any) -> None:
        stage.run(["f", "after"], "a b c", failing("f:a"), max_fail_percentage=40)
        assert stage.trace == ["f:abc", "after:bc"]

    def test_more_end_the_play_without_rescue(self, stage: Any) -> None:
        block = stage.build.block("f", "rest", always=["end"])
        stage.run(["g", block], "a b c", failing("g:a"), max_fail_percentage=30)
        assert stage.trace == ["g:abc"]
        assert ("no hosts remaining",) in stage.kept.events
        assert stage.batch.context.roll.failed == {"a", "b", "c"}

    def test_rescued_failures_do_not_count(self, stage: Any) -> None:
        stage.run([stage.build.block("f", rescue=["mend"]), "after"], "a b", failing("f:a"), max_fail_percentage=0)
        assert stage.trace == ["f:ab", "mend:a", "after:ab"]


def test_a_lost_worker_fails_its_hosts_and_the_others_go_on(stage: Any) -> None:
    def script(host: str, task: Any) -> Any:
        if (task.name, host) == ("one", "b"):
            return [WorkerLost((("b", task.id),), "killed by signal 9")]
        return "ok"

    stage.run(["one", "two"], "a b c", script)
    assert stage.trace == ["one:abc", "two:ac"]
    assert stage.figures("b") == "failed=1"


def test_play_hosts_are_told_when_a_host_is_out(stage: Any) -> None:
    stage.run(["one", "two"], "a b", failing("one:a"))
    told = [d[2]["ansible_play_hosts"] for d in stage.deltas.deltas if d[1] == "play"]
    assert told == [["a", "b"], ["b"]]


def test_step_leaves_out_what_is_not_wanted(stage: Any) -> None:
    stage.options = stage.options.__class__(step=True)
    stage.terminal.answers = ["n", "y", "c"]
    stage.run(["one", "two", "three", "four"], "a")
    assert stage.trace == ["two:a", "three:a", "four:a"]


@pytest.mark.parametrize("lost", [False, True], ids=["all answer", "a worker dies"])
def test_groups_are_made_in_the_order_of_hosts_whoever_answers_first(stage: Any, *, lost: bool) -> None:
    def answer(host: str, task: Any) -> TaskResult:
        return TaskResult(host=host, task_id=task.id, result={}, add_groups=({"add_group": "k", "parent_groups": []},))

    def script(host: str, task: Any) -> Any:
        if task.name != "group":
            return "ok"
        if host != "c":
            return []
        first = WorkerLost(hosts=(("a", task.id),), reason="killed") if lost else answer("a", task)
        return [answer("c", task), answer("b", task), first]

    stage.run([stage.build.task("group", action="group_by"), "after"], "a b c", script)
    made = [d[2]["add_group"]["host"] for d in stage.deltas.deltas if d[1] == "inventory"]
    assert made == (["b", "c"] if lost else ["a", "b", "c"])
    assert stage.trace == ["group:abc", "after:bc" if lost else "after:abc"]


def test_what_is_told_is_shown_before_the_next_answers_are_waited_for(stage: Any) -> None:
    left: list[int] = []
    receive = stage.pool.receive

    def waiting(timeout: float | None = None) -> list[Any]:
        left.append(len(stage.kept.events) - stage.kept.shown)
        return receive(timeout)

    stage.pool.receive, stage.pool.one_by_one = waiting, True
    stage.run(["one", stage.build.meta("noop"), "two"], "a b")
    assert left == [0] * 4
