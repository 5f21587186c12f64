"""What is named as coming next does come next, as long as all goes well; and naming it changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pyplay.playbook.model import Block
from pyplay.source.options import RunOptions
from pyplay.source.settings import Settings
from pyplay.source.text import Trusted
from pyplay.workers.ahead_rules import FORESIGHT, WINDOW, may_be_foreseen

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from pyplay.playbook.model import Task
    from pyplay.workers.messages import Round

ANSWERS = ("ok", "changed", "skipped", "failed", "ignored", "unreachable")
leaf = st.sampled_from(["plain", "plain", "plain", "notify", "debug", "include", "flush", "register", "judged"])
tree = st.recursive(
    leaf,
    lambda inner: st.tuples(
        st.sampled_from(["block", "role r", "role r", "role s"]),
        st.lists(inner, min_size=1, max_size=4),
        st.lists(inner, max_size=2),
        st.lists(inner, max_size=2),
    ),
    max_leaves=14,
)


class Play:
    """A play made of a shape: `plain` tasks may go ahead, the other words may not or end what may."""

    def __init__(self, stage: Any, shape: Sequence[Any]) -> None:
        self._stage, self._build = stage, stage.build
        self.handlers = [self._module(Trusted("heard"), kind="handler")]
        self.blocks = [self._made(item, None) for item in shape]

    def _module(self, name: str, *, role: Any = None, kind: str = "task", **keywords: Any) -> Task:
        make = self._build.handler if kind == "handler" else self._build.task
        return make(name, action="file", role=role, **keywords)

    def _made(self, item: Any, role: Any) -> Any:
        if isinstance(item, str):
            return self._leaf(item, role)
        kind, tasks, rescue, always = item
        inner = role if kind == "block" else self._build.role(kind.removeprefix("role "))  # each is a use of its own
        block = Block(role=inner if inner is not role else None, ends_role=inner is not role)
        for name, items in (("tasks", tasks), ("rescue", rescue), ("always", always)):
            setattr(block, name, [self._made(each, inner) for each in items])
        return block

    def _leaf(self, word: str, role: Any) -> Any:
        name = f"{word} {len(self._build.tasks)}"
        if word == "notify":
            return self._module(name, role=role, notify=("heard",))
        if word == "register":
            return self._module(name, role=role, register="found")
        if word == "judged":
            return self._module(name, role=role, failed_when=(Trusted("false"),))
        if word == "debug":
            return self._build.task(name, role=role)
        if word == "include":
            return self._build.include(name, role=role)
        return self._build.meta("flush_handlers", role=role) if word == "flush" else self._module(name, role=role)


def walked(stage: Any, shape: Sequence[Any], strategy: str, answers: list[str], *, on: bool) -> tuple[Any, ...]:
    """Run a play of this shape; give its rounds, what was answered to each, and what was shown and counted."""
    told: dict[tuple[str, int], str] = {}
    hosts = "a" if strategy == "linear" else "a b"

    def script(host: str, task: Any) -> Any:
        word = answers[(task.id * 7 + ord(host)) % len(answers)]
        told[host, task.id] = word
        return word

    stage.settings = Settings() if on else Settings(send_ahead=False)
    stage.pool.one_by_one = True
    stage.options = RunOptions(forks=1 if strategy == "host_pinned" else 5)
    play = Play(stage, shape)
    stage.run(play.blocks, hosts, script, strategy=strategy, handlers=play.handlers)
    seen = (stage.pool.order, stage.kept.events, [stage.figures(host) for host in hosts.split()])
    return stage.pool.rounds, told, seen


@pytest.fixture
def stages(tmp_path: Path, stage: Any) -> Callable[[], Any]:
    """Give a function that makes fresh stages."""
    return lambda: type(stage)(tmp_path)


@pytest.mark.parametrize("strategy", ["linear", "free", "host_pinned"])
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(shape=st.lists(tree, min_size=1, max_size=5), answers=st.lists(st.sampled_from(ANSWERS), min_size=1))
def test_what_is_named_comes(stages: Any, strategy: str, shape: list[Any], answers: list[str]) -> None:
    rounds, told, seen = walked(stages(), shape, strategy, answers, on=True)
    plain, _, without = walked(stages(), shape, strategy, answers, on=False)
    assert seen == without
    assert not any(work.ahead for work in plain)
    for host in {host for work in rounds for host in work.hosts}:
        mine: list[Round] = [work for work in rounds if host in work.hosts]
        for work, following in zip(mine, [*mine[1:], None], strict=True):
            assert len(work.ahead) <= FORESIGHT
            words = ("skipped",) if work.task_id in work.held else ("ok", "changed", "skipped")
            if work.ahead and told[host, work.task_id] in words:
                assert following is not None
                assert following.task_id == work.ahead[0]
                assert following.ahead[: len(work.ahead) - 1] == work.ahead[1:]


def names_ahead(stage: Any) -> list[str]:
    """Give for each round which tasks it named as following."""
    return [" ".join(stage.pool.tasks[n].name for n in work.ahead) for work in stage.pool.rounds]


def plain(stage: Any, *names: str) -> list[Any]:
    return [stage.build.task(name, action="file") for name in names]


def test_one_host_is_told_what_follows(stage: Any) -> None:
    stage.run([*plain(stage, "one", "two", "three"), "debug", *plain(stage, "four", "five")], "a")
    whole = ["two", "three", "debug", "four", "five"]
    assert names_ahead(stage) == [" ".join(whole[number:]) for number in range(6)]


def test_further_than_what_is_sent_ahead_only_what_may_be_foreseen_is_named(stage: Any) -> None:
    guarded = [stage.build.task(f"g{n}", action="file", when=(Trusted("x"),)) for n in range(2 * FORESIGHT)]
    stage.run([*plain(stage, "p"), *guarded, *plain(stage, *(f"q{n}" for n in range(2 * WINDOW)))], "a")
    tasks = stage.pool.tasks
    for work in stage.pool.rounds:
        assert len(work.ahead) <= FORESIGHT
        assert all(may_be_foreseen(tasks[number]) for number in work.ahead[WINDOW:])
    assert len(stage.pool.rounds[0].ahead) == FORESIGHT
    assert len(stage.pool.rounds[-2 * WINDOW].ahead) == WINDOW


def test_what_only_a_failure_leads_to_is_no_part_of_the_plan(stage: Any) -> None:
    block = Block(tasks=plain(stage, "one"), always=plain(stage, "two"))
    stage.run([block, *plain(stage, "three")], "a", lambda _host, task: "failed" if task.name == "one" else "ok")
    assert names_ahead(stage) == ["two three", ""]  # "two" is come to, but "three" is not


@pytest.mark.parametrize(
    ("hosts", "strategy", "forks"),
    [("a b", "linear", 5), ("a b c", "free", 2), ("a", "debug", 5)],
    ids=["lock-step", "a slot is another's", "somebody looks"],
)
def test_where_it_could_be_seen_nothing_is_named(stage: Any, hosts: str, strategy: str, forks: int) -> None:
    stage.options = RunOptions(forks=forks)
    stage.run(plain(stage, "one", "two"), hosts, strategy=strategy)
    assert not any(names_ahead(stage))


def test_nothing_is_named_where_somebody_is_asked_before_each_task(stage: Any) -> None:
    stage.options = RunOptions(step=True)
    stage.terminal.answers = ["y", "y"]
    stage.run(plain(stage, "one", "two"), "a")
    assert not any(names_ahead(stage))


def test_a_notification_that_nobody_hears_ends_the_stretch(stage: Any) -> None:
    stage.run([stage.build.task("one", action="file", notify=("nobody",)), *plain(stage, "two")], "a")
    assert [work.held for work in stage.pool.rounds] == [(1,), ()]
