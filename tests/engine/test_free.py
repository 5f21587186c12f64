"""free and host_pinned: hosts go on without waiting for each other."""

from __future__ import annotations

from typing import Any

import pytest

from pyplay.engine import meta
from pyplay.source.options import RunOptions


@pytest.fixture
def apart(stage: Any) -> Any:
    """Give a stage whose hosts answer one by one."""
    stage.pool.one_by_one = True
    return stage


def test_free_gives_slots_to_the_host_that_waited_longest(apart: Any) -> None:
    apart.options = RunOptions(forks=2)
    apart.run(["one", "two"], "a b c", strategy="free")
    assert [h for _, h in apart.pool.order] == list("abcabc")
    assert apart.pool.peak == 2


def test_host_pinned_lets_a_host_finish_first(apart: Any) -> None:
    apart.options = RunOptions(forks=1)
    apart.run(["one", "two"], "a b", strategy="host_pinned")
    assert apart.pool.order == [("one", "a"), ("two", "a"), ("one", "b"), ("two", "b")]


def test_banners_come_before_each_result_of_another_task(apart: Any) -> None:
    apart.options = RunOptions(forks=1)
    apart.run(["one", "two"], "a b", strategy="host_pinned")
    assert apart.kept.events == [
        ("task", "one"),
        ("ok", "a"),
        ("task", "two"),
        ("ok", "a"),
        ("task", "one"),
        ("ok", "b"),
        ("task", "two"),
        ("ok", "b"),
    ]


def test_throttle_holds_hosts_back(apart: Any) -> None:
    seen: list[int] = []

    def script(host: str, task: Any) -> str:
        seen.append(1 + sum(t is task for _, t in apart.pool.waiting))
        return "ok"

    apart.run([apart.build.task("slow", throttle=1), "fast"], "a b c", script, strategy="free")
    assert sorted(apart.pool.order) == sorted((t, h) for t in ("slow", "fast") for h in "abc")
    assert max(n for n, (t, _) in zip(seen, apart.pool.order, strict=True) if t == "slow") == 1


def test_handlers_run_per_host_at_its_own_flush(apart: Any) -> None:
    b = apart.build
    apart.run(
        [b.task("x", notify=("h",)), b.meta("flush_handlers"), "after"],
        "a b",
        lambda h, t: "changed" if h == "a" else "ok",
        strategy="free",
        handlers=[b.handler("h")],
    )
    assert [t for t, h in apart.pool.order if h == "a"] == ["x", "h", "after"]
    assert [t for t, h in apart.pool.order if h == "b"] == ["x", "after"]


def test_hosts_that_come_one_by_one_share_what_is_included(apart: Any, include_call: Any) -> None:
    apart.write("x.yml", lambda: [apart.build.block("x1")])
    apart.run(
        [apart.build.include("inc"), "after"],
        "a b",
        lambda h, t: {"includes": (include_call("x.yml"),)} if t.name == "inc" else "ok",
        strategy="free",
    )
    assert apart.loader.loads == ["x.yml"]
    assert [t for t, h in apart.pool.order if h == "b"] == ["inc", "x1", "after"]


def test_what_needs_a_common_pace_is_warned_about_once(apart: Any) -> None:
    apart.run([apart.build.task("x", run_once=True), apart.build.task("y", run_once=True)], "a b", strategy="free")
    assert sorted(apart.pool.order) == [("x", "a"), ("x", "b"), ("y", "a"), ("y", "b")]
    assert apart.kept.events.count(("warning", "no-lock-step")) == 1


def test_end_play_lets_hosts_in_flight_finish_their_task(apart: Any) -> None:
    b = apart.build
    apart.run(["x", b.meta("end_play", when=["inventory_hostname == 'a'"]), "y"], "a b", strategy="free")
    assert apart.pool.order == [("x", "a"), ("x", "b")]


def test_a_lost_host_comes_back(apart: Any) -> None:
    b = apart.build
    apart.run(
        ["x", b.meta("clear_host_errors"), "y"],
        "a b",
        lambda h, t: "unreachable" if (h, t.name) == ("a", "x") else "ok",
        strategy="free",
    )
    assert [t for t, h in apart.pool.order if h == "a"] == ["x", "y"]
    assert not apart.batch.context.roll.unreachable


@pytest.mark.parametrize("strategy", ["free", "host_pinned"])
@pytest.mark.parametrize("what", ["flush_handlers", "end_play"])
def test_a_meta_task_has_a_banner_where_it_shows_something(apart: Any, strategy: str, what: str) -> None:
    b = apart.build
    skipped, failing = (b.meta(what, when=[f"inventory_hostname == {host}"]) for host in ("'z'", "undefined"))
    apart.run(["x", b.meta("noop"), skipped, failing], "a", strategy=strategy)
    assert apart.kept.events == [
        ("task", "x"),
        ("ok", "a"),
        ("meta", "noop", ("a",)),
        ("task", "meta"),
        ("skipped", "a"),
        ("task", "meta"),
        ("failed", "a"),
    ]


@pytest.mark.parametrize("strategy", ["free", "host_pinned"])
def test_a_throttle_that_cannot_be_told_is_a_fault_under_its_own_banner(apart: Any, strategy: str) -> None:
    apart.run(["x", apart.build.task("y", throttle="{{ undefined }}")], "a", strategy=strategy)
    assert apart.kept.events == [("task", "x"), ("ok", "a"), ("task", "y"), ("failed", "a")]


@pytest.mark.parametrize("strategy", ["linear", "free", "host_pinned"])
def test_what_was_said_is_shown_before_a_meta_task_acts(
    apart: Any, strategy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[int] = []

    def slow(*_about: Any) -> None:
        left.append(len(apart.kept.events) - apart.kept.shown)

    monkeypatch.setitem(meta.ONCE, "refresh_inventory", slow)
    apart.run(["x", apart.build.meta("refresh_inventory")], "a", strategy=strategy)
    assert left == [0]
