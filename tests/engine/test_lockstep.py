"""Properties of whole batches: each host goes its own way through the play, and all go in lock-step."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pyplay.playbook.model import Block
from pyplay.workers.messages import TaskResult

if TYPE_CHECKING:
    from pathlib import Path

HOSTS = "abc"


class _Failure(Exception):  # noqa: N818  # plays the failure of a host
    pass


def reference(items: list[Any], bad: set[str], seen: list[str]) -> None:
    """Run `items` as Python would run try statements."""
    for item in items:
        if isinstance(item, str):
            seen.append(item)
            if item in bad:
                raise _Failure
            continue
        tasks, rescue, always = item
        try:
            try:
                reference(tasks, bad, seen)
            except _Failure:
                if not rescue:
                    raise
                reference(rescue, bad, seen)
        finally:
            reference(always, bad, seen)


def numbered(items: list[Any], counter: list[int]) -> list[Any]:
    """Give the tree with a name for each leaf, without blocks that hold nothing (tags leave those out)."""
    found: list[Any] = []
    for item in items:
        if item is None:
            counter[0] += 1
            found.append(f"t{counter[0]}")
        else:
            parts = tuple(numbered(part, counter) for part in item)
            if any(parts):
                found.append(parts)
    return found


def names_of(items: list[Any]) -> list[str]:
    return [
        n for item in items for n in ([item] if isinstance(item, str) else [x for part in item for x in names_of(part)])
    ]


def blocks_of(build: Any, items: list[Any]) -> list[Any]:
    return [
        build.task(item)
        if isinstance(item, str)
        else Block(**dict(zip(("tasks", "rescue", "always"), (blocks_of(build, p) for p in item), strict=True)))
        for item in items
    ]


tree = st.lists(
    st.recursive(
        st.none(), lambda inner: st.tuples(*(st.lists(inner, max_size=size) for size in (3, 2, 2))), max_leaves=12
    ),
    min_size=1,
    max_size=4,
)


@pytest.mark.parametrize("strategy", ["linear", "free", "host_pinned"])
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(shape=tree, data=st.data())
def test_every_host_visits_what_the_reference_visits(
    stage_maker: Any, strategy: str, shape: list[Any], data: st.DataObject
) -> None:
    items = numbered(shape, [0])
    names = names_of(items)
    pairs = [(name, host) for name in names for host in HOSTS]
    bad = data.draw(st.sets(st.sampled_from(pairs), max_size=6)) if pairs else set[tuple[str, str]]()
    stage = stage_maker()
    stage.pool.one_by_one = strategy != "linear"
    stage.run(
        [Block(tasks=blocks_of(stage.build, items))],
        " ".join(HOSTS),
        lambda host, task: "failed" if (task.name, host) in bad else "ok",
        strategy=strategy,
    )
    for host in HOSTS:
        expected: list[str] = []
        failed = False
        try:
            reference(items, {name for name, where in bad if where == host}, expected)
        except _Failure:
            failed = True
        assert [name for name, where in stage.pool.order if where == host] == expected
        assert (host in stage.batch.context.roll.failed) == failed
    if strategy == "linear":
        rounds = [work.task_id for work in stage.pool.rounds]
        assert len(rounds) == len(set(rounds)), "all hosts of a task are in one round"
        assert rounds == sorted(rounds, key=list(stage.pool.tasks).index), "in the order written"


@pytest.fixture
def stage_maker(tmp_path: Path, stage: Any) -> Any:
    """Give a function that makes fresh stages, for properties that need many."""
    return lambda: type(stage)(tmp_path)


class _Silent:
    def __getattr__(self, name: str) -> Any:
        return lambda *_args, **_more: None


@pytest.mark.parametrize(("hosts", "tasks"), [(10_000, 20), (10, 10_000)])
def test_a_host_task_costs_the_controller_little(stage: Any, hosts: int, tasks: int) -> None:
    """The mark is 0.1 ms; a slow machine is given that much, this takes about 0.005 ms."""
    stage.kept = _Silent()
    stage.options = stage.options.__class__(forks=10_000)
    answers: list[TaskResult] = []
    stage.pool.dispatch = lambda work: answers.extend(
        TaskResult(host=h, task_id=work.task_id, result={}) for h in work.hosts
    )

    def receive(timeout: float | None = None) -> list[TaskResult]:
        given, answers[:] = list(answers), []
        return given

    stage.pool.receive = receive
    began = time.process_time()
    stage.run([f"t{n}" for n in range(tasks)], " ".join(f"h{n}" for n in range(hosts)))
    assert (time.process_time() - began) / (hosts * tasks) < 0.0001
    assert stage.figures("h3") == f"ok={tasks}"
