"""Transitions of HostState: tables, and a property against a plain recursive interpreter."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyplay.diagnostics.model import Origin
from pyplay.engine import state as states
from pyplay.engine.state import Frame, HostState, Phase
from pyplay.playbook.model import Block, Role, Task

_NUMBERS = iter(range(1, 10**9))


def some_task(name: str = "t", role: Role | None = None) -> Task:
    return Task(
        id=next(_NUMBERS),
        play_id=1,
        action="debug",
        resolved_action="ansible.builtin.debug",
        origin=Origin("x", 1),
        name=name,
        role=role,
    )


T, R, A = some_task("t"), some_task("r"), some_task("a")
GUARDED = Block(tasks=[T], rescue=[R], always=[A])
RESCUED_ONLY = Block(tasks=[T], rescue=[R])
ALWAYS_ONLY = Block(tasks=[T], always=[A])
PLAIN = Block(tasks=[T])


def at(block: Block, phase: Phase, index: int = 1, *, failed: bool = False) -> HostState:
    return HostState((Frame(block, phase, index, failed=failed),))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(at(GUARDED, Phase.TASKS), at(GUARDED, Phase.RESCUE, 0), id="tasks fail into rescue"),
        pytest.param(
            at(GUARDED, Phase.RESCUE), at(GUARDED, Phase.ALWAYS, 0, failed=True), id="rescue fails into always"
        ),
        pytest.param(at(GUARDED, Phase.ALWAYS), HostState(failed=True), id="always fails out"),
        pytest.param(at(RESCUED_ONLY, Phase.RESCUE), HostState(failed=True), id="rescue without always fails out"),
        pytest.param(
            at(ALWAYS_ONLY, Phase.TASKS), at(ALWAYS_ONLY, Phase.ALWAYS, 0, failed=True), id="tasks fail into always"
        ),
        pytest.param(at(PLAIN, Phase.TASKS), HostState(failed=True), id="nothing guards"),
    ],
)
def test_fail(before: HostState, after: HostState) -> None:
    assert states.fail(before) == after


@pytest.mark.parametrize(
    ("before", "task", "after"),
    [
        pytest.param(at(GUARDED, Phase.TASKS, 0), T, at(GUARDED, Phase.TASKS), id="first task"),
        pytest.param(at(GUARDED, Phase.TASKS), A, at(GUARDED, Phase.ALWAYS), id="tasks done, always next"),
        pytest.param(at(GUARDED, Phase.RESCUE), A, at(GUARDED, Phase.ALWAYS), id="rescued, always without failure"),
        pytest.param(at(GUARDED, Phase.ALWAYS), None, HostState(), id="done"),
        pytest.param(
            at(GUARDED, Phase.ALWAYS, failed=True), None, HostState(failed=True), id="pending failure goes out"
        ),
        pytest.param(HostState(), None, HostState(), id="complete stays complete"),
    ],
)
def test_step(before: HostState, task: Task | None, after: HostState) -> None:
    assert states.step(before) == (after, task)


def test_stepping_changes_nothing() -> None:
    state = states.begin([GUARDED])
    assert states.step(state) == states.step(state)


def test_a_handler_that_is_not_owed_is_passed_over() -> None:
    one, two, three = some_task("1"), some_task("2"), some_task("3")
    handlers = Block(tasks=[one, two, three])
    state = states.notify(states.begin([PLAIN]), [one, three])
    flushing = states.flush(state, handlers)
    assert flushing.phase is Phase.HANDLERS
    after, task = states.step(flushing)
    assert task is one
    after, task = states.step(states.settle(after, one))
    assert task is three
    after, task = states.step(states.settle(after, three))
    assert task is T
    assert after.phase is Phase.TASKS


def test_a_failing_handler_fails_what_flushed_and_is_owed_no_more() -> None:
    one, two = some_task("1"), some_task("2")
    block = Block(tasks=[T, T], rescue=[R])
    state, _ = states.step(states.begin([block]))
    flushing = states.flush(states.notify(state, [one, two]), Block(tasks=[one, two]))
    after, _ = states.step(flushing)
    failed = states.fail(states.settle(after, one))
    assert failed.phase is Phase.RESCUE
    assert failed.owed == {two}


@pytest.mark.parametrize(
    ("frames", "failed"),
    [
        pytest.param((Frame(ALWAYS_ONLY, Phase.TASKS),), False, id="nothing failed"),
        pytest.param((Frame(ALWAYS_ONLY, Phase.ALWAYS, failed=True),), True, id="a failure led to this always"),
        pytest.param(
            (Frame(GUARDED, Phase.TASKS), Frame(ALWAYS_ONLY, Phase.ALWAYS, failed=True)),
            False,
            id="rescued further out",
        ),
        pytest.param(
            (Frame(GUARDED, Phase.RESCUE), Frame(ALWAYS_ONLY, Phase.ALWAYS, failed=True)), True, id="in that rescue"
        ),
    ],
)
def test_who_is_let_go_may_have_failed(frames: tuple[Frame, ...], *, failed: bool) -> None:
    assert states.finish(HostState(frames)) == HostState((), failed=failed)


def test_flushing_nothing_changes_nothing() -> None:
    state = states.begin([PLAIN])
    assert states.flush(state, Block(tasks=[T])) is state


def test_inserted_blocks_come_before_what_was_next() -> None:
    inner = [Block(tasks=[some_task(n)]) for n in "xyz"]
    state, _ = states.step(states.begin([Block(tasks=[T, A])]))
    state = states.insert(state, Block(tasks=list(inner)), (0, 2))
    names: list[str | None] = []
    while True:
        state, task = states.step(state)
        if task is None:
            break
        names.append(task.name)
    assert names == ["x", "z", "a"]


def test_positions_follow_the_order_written() -> None:
    inner = Block(tasks=[Block(tasks=[some_task("x")]), Block(tasks=[some_task("y")])])
    state, _ = states.step(states.begin([Block(tasks=[T, A])]))
    x = states.step(states.insert(state, inner, (0,)))[0]
    y = states.step(states.insert(state, inner, (1,)))[0]
    after = states.step(state)[0]
    assert state.position < x.position < y.position < after.position


class TestRoles:
    def role(self, **keywords: Any) -> Role:
        return Role(id=next(_NUMBERS), name="r", fqcn="r", path="/r", identity="r", **keywords)

    def use(self, role: Role) -> list[Block]:
        return [Block(tasks=[some_task("in role", role)], role=role), Block(role=role, ends_role=True)]

    @pytest.mark.parametrize(("ran", "duplicates", "times"), [(True, False, 1), (False, False, 2), (True, True, 2)])
    def test_a_completed_role_is_passed_over(self, ran: Any, duplicates: Any, times: int) -> None:
        first, second = self.role(allow_duplicates=duplicates), self.role(allow_duplicates=duplicates)
        state, seen = states.begin([*self.use(first), *self.use(second)]), 0
        while True:
            state, task = states.step(state)
            if task is None:
                break
            seen += 1
            if ran and task.role is not None:
                state = states.use_role(state, task.role)
        assert seen == times

    def test_end_role_leaves_out_the_rest_of_the_role(self) -> None:
        role = self.role()
        inner = Block(tasks=[some_task("1", role), Block(tasks=[some_task("2", role)])], role=role)
        state = states.begin(
            [inner, Block(tasks=[some_task("3", role)], role=role), Block(role=role, ends_role=True), PLAIN]
        )
        state, _ = states.step(state)
        state, _ = states.step(states.use_role(state, role))
        state, task = states.step(states.end_role(state, role))
        assert task is T
        assert state.done == {"r"}

    @pytest.mark.parametrize(
        ("guard", "within", "after"),
        [
            pytest.param(ALWAYS_ONLY, False, A, id="an always further out"),
            pytest.param(RESCUED_ONLY, False, R, id="a rescue further out"),
            pytest.param(RESCUED_ONLY, True, T, id="a rescue of the role would have taken it"),
            pytest.param(PLAIN, False, None, id="nothing guards"),
        ],
    )
    def test_end_role_keeps_a_failure_that_is_pending(self, guard: Block, *, within: bool, after: Task | None) -> None:
        """ansible-core 2.21 ends with a traceback here; end_host, end_batch and end_play keep the failure."""
        role = self.role()
        inner = Frame(ALWAYS_ONLY, Phase.ALWAYS, 1, failed=True)
        play, of_role = Frame(Block(tasks=[PLAIN])), Frame(replace(PLAIN, role=role), index=1)
        outer = Frame(guard, index=1)
        frames = (play, of_role, outer, inner) if within else (play, outer, of_role, inner)
        state, task = states.step(states.end_role(HostState(frames), role))
        assert (task, state.failed) == (after, after is None)


# -- the property

tasks_strategy = st.builds(some_task)
blocks_strategy = st.recursive(
    tasks_strategy,
    lambda inner: st.builds(
        Block, tasks=st.lists(inner, max_size=3), rescue=st.lists(inner, max_size=2), always=st.lists(inner, max_size=2)
    ),
    max_leaves=25,
)


class _Failed(Exception):  # noqa: N818  # plays the failure of a host
    pass


def interpret(items: list[Any], bad: set[int], seen: list[int]) -> None:
    """Run `items` as Python would: blocks are try statements."""
    for item in items:
        if not isinstance(item, Block):
            seen.append(item.id)
            if item.id in bad:
                raise _Failed
            continue
        try:
            try:
                interpret(item.tasks, bad, seen)
            except _Failed:
                if not item.rescue:
                    raise
                interpret(item.rescue, bad, seen)
        finally:
            interpret(item.always, bad, seen)


def flat(items: list[Any]) -> list[Task]:
    found: list[Task] = []
    for item in items:
        found += [item] if not isinstance(item, Block) else flat([*item.tasks, *item.rescue, *item.always])
    return found


@given(items=st.lists(blocks_strategy, max_size=4), data=st.data())
def test_the_iterator_visits_what_a_recursive_interpreter_visits(items: list[Any], data: st.DataObject) -> None:
    ids = [task.id for task in flat(items)]
    bad = data.draw(st.sets(st.sampled_from(ids))) if ids else set[int]()
    expected: list[int] = []
    failed = False
    try:
        interpret(items, bad, expected)
    except _Failed:
        failed = True
    state, seen = states.begin([Block(tasks=items)]), []
    positions: list[states.Position] = []
    while True:
        state, task = states.step(state)
        if task is None:
            break
        seen.append(task.id)
        positions.append(state.position)
        if task.id in bad:
            state = states.fail(state)
    assert (seen, state.failed) == (expected, failed)
    assert positions == sorted(set(positions))


@given(items=st.lists(blocks_strategy, max_size=4))
def test_equal_ways_give_equal_states(items: list[Any]) -> None:
    one = other = states.begin([Block(tasks=items)])
    other = HostState(one.frames)
    for _ in range(50):
        (one, task), (other, same) = states.step(one), states.step(other)
        assert (one, task) == (other, same)
        assert hash(one) == hash(other)
