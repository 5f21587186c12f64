"""Sending tasks ahead: the next tasks of a host go down its channel before the result of this one is back.

The invariant: what a task sent ahead does, and what comes of it, is what would have been without.
- The engine names only tasks that it will dispatch next if those before them end well (`engine.stretches`).
- A task is evaluated ahead without what may change by then: `NotAhead` is raised as soon as it reads a name that one
  before it registers, `hostvars`, all variables, a lookup, or a local file that changed since the stretch began.
- The Runner starts a call only after those before it in the lane have ended well; else it bars it (`CallHeld`).
- What is evaluated after the answer waits until the engine has dispatched the task, and so reads what it always read.
A task that could not go ahead, or failed before its call was sent, is forgotten and runs anew when its turn comes.
"""

from __future__ import annotations

import asyncio
import pickle
import time
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pyplay.connection.kinds import LOCAL_KINDS
from pyplay.diagnostics.dataclass import dataclass
from pyplay.diagnostics.errors import AuthorError
from pyplay.playbook.builtin import short_name
from pyplay.workers.ahead import ItemTurn, NotAhead, at_once, count_ahead, counted_ahead, is_ahead, stamp, watching
from pyplay.workers.ahead_rules import ACTIONS, WINDOW, computes, may_be_foreseen
from pyplay.workers.task_run import TaskRun

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from pyplay.playbook.model import Task
    from pyplay.shipping.build import BuiltModule
    from pyplay.shipping.session import RunnerSession
    from pyplay.templating.scope import Scope
    from pyplay.templating.templar import Templar
    from pyplay.workers.connection_options import Destination
    from pyplay.workers.context import TaskContext
    from pyplay.workers.messages import TaskResult

UNSURE = frozenset({"hostvars"})
"""Variables that show what hosts registered and set, under whatever name."""

DISCOVERED = "discovered_interpreter_python"
SHOW_DISCOVERED = frozenset({"ansible_facts", DISCOVERED, f"ansible_{DISCOVERED}"})
"""Variables that show which Python was found: a fact that the first task brings."""

PATIENCE = 0.1
"""Seconds of computing for which a result that is there may be kept back to tell of those after it, too."""


class TaskLane:
    """The tasks of one host that go ahead together. The first of them, the head, is not ahead and opens the way."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.open = True  # whether more may be sent
        self.near = False  # whether the host is this machine: nothing to be gained
        self.destination: Destination | None = None
        self.way: RunnerSession | None = None  # the one that the head went by
        self.began = time.time_ns()
        self.names = set(UNSURE)  # what must not be read by the next task

    def takes(self, way: RunnerSession) -> bool:
        """Tell whether what is ahead may be sent by `way`."""
        return self.open and self.way is way

    def take(self, task: Task) -> None:
        """Let tasks from now on come after `task`."""
        if task.register is not None:
            self.names.add(str(task.register))

    def take_values(self, result: TaskResult) -> bool:
        """Let tasks from now on come after what `result` sets; False: they cannot be seen from here."""
        if result.store.keys() - {"set_facts"}:
            return False
        names = {name for values in result.store.get("set_facts", {}).values() for name in values}
        self.names |= names
        return not any(name.startswith("ansible_") for name in names)


class TaskTurn:
    """One task's turn in a lane, `ahead` or as its head. Implements `ahead.TaskCallTurn`."""

    def __init__(self, of: TaskLane, task: Task, *, ahead: bool) -> None:
        self.of, self._task, self._ahead = of, task, ahead
        self.was_sent = self.item_was_sent = False
        self.on_sent: Callable[[], None] = _nothing
        self._scope: Scope | None = None
        self._stamps: list[list[object]] = []
        self._names = frozenset(of.names)
        of.take(task)

    @cached_property
    def _moved(self) -> asyncio.Event:
        """Set when the call is sent, or will not be. Of most turns nobody asks, since their tasks are foreseen."""
        return asyncio.Event()

    @cached_property
    def _due(self) -> asyncio.Event:
        """Set when the engine has dispatched the task."""
        return asyncio.Event()

    @property
    def lane(self) -> int:
        """The number of the lane; none where nothing follows: several calls of a task go side by side."""
        return self.of.number if self.of.open else 0

    @property
    def follows(self) -> list[list[object]] | None:
        """The stamps of the local files that it was made of, None for the head."""
        return self._stamps if self._ahead else None

    @property
    def group(self) -> int:
        """Its number: the calls of one task do not bar each other."""
        return self._task.id

    @property
    def opens(self) -> bool:
        """The first call of the head is what the others go by."""
        return not self._ahead

    def item_turn(self) -> ItemTurn:
        """Give the next item of its loop its turn."""
        return StretchItem(self)

    def items_sent(self, *, whole: bool) -> None:
        """Let the next task go once all items are on their way; none does where an item has to wait.

        Raises NotAhead where nothing went at all: as a head, the task may send its items.
        """
        if whole:
            self.sent()
            return
        self.of.open = False
        if self.waits and not self.item_was_sent:
            raise NotAhead

    @property
    def waits(self) -> bool:
        """Whether the engine has not dispatched the task yet."""
        return self._ahead and not self._due.is_set()

    def admit(self, module: BuiltModule, destination: Destination) -> None:
        """Let the head's call decide on the lane; raise NotAhead for another's that does not fit in."""
        self.admit_call(module, destination, opens=not self._ahead, again=self.was_sent)

    def admit_call(self, module: BuiltModule, destination: Destination, *, opens: bool, again: bool) -> None:
        """Let a call that `opens` the lane decide on it; raise NotAhead for another one that does not fit in.

        `again`: its task or item has sent a call before.
        """
        lane, name = self.of, short_name(self._task.resolved_action)
        fits = module.ours and module.name == ACTIONS.get(name, name) and not again
        if opens:
            lane.near = destination.connection.kind in LOCAL_KINDS
            lane.destination = destination
            lane.open = lane.open and fits and not lane.near
        elif not (fits and lane.open and destination == lane.destination):
            raise NotAhead

    def made_of(self, path: str) -> None:
        """Note how a local file looks. Raises NotAhead if it changed of late."""
        if self._ahead:
            self._stamps.append(stamp(path, self.of.began))

    def watched(self, templar: Templar) -> Templar:
        """Give `templar`, reading from which is refused where it may depend on those before."""
        self._scope = templar.scope
        return watching(templar, self._names) if self._ahead else templar

    def goes(self, way: RunnerSession) -> bool:
        """Tell whether the call may be sent by `way`: only after the head's, by the same."""
        if not self._ahead:
            self.of.way = way
            if way.interpreter.discovered and not self._knows_interpreter():
                self.of.names |= SHOW_DISCOVERED
            return True
        return self.of.takes(way)

    def _knows_interpreter(self) -> bool:
        facts = self._scope.get("ansible_facts") if self._scope is not None else None
        return isinstance(facts, Mapping) and DISCOVERED in facts

    def sent(self) -> None:
        """Let the next task go."""
        again, self.was_sent = self.was_sent, True
        count_ahead(ahead=False)
        self.ended()
        if not again:
            self.on_sent()

    def withdrawn(self) -> None:
        """Let nothing more go: the Runner is a new one."""
        self.of.open = False

    def ended(self) -> None:
        """Hear that nothing more will be sent for the task."""
        self._moved.set()

    async def moved(self) -> None:
        """Wait until the call is sent, or will not be."""
        await self._moved.wait()

    def come(self) -> None:
        """Hear that the engine has dispatched the task."""
        self._due.set()

    async def due(self) -> None:
        """Wait until the engine has dispatched the task; what is done from then on is not ahead."""
        if self._ahead:
            await self._due.wait()
            count_ahead(ahead=False)


class StretchItem(ItemTurn):
    """The turn of one item of a task in a stretch: in the stretch's lane, among the calls of its task."""

    def __init__(self, of: TaskTurn) -> None:
        super().__init__(of.of.began)
        self._turn = of

    @property
    def lane(self) -> int:
        """The number of the lane."""
        return self._turn.lane

    def admit(self, module: BuiltModule, destination: Destination) -> None:
        """Let the head's first call decide on the lane; raise NotAhead for another's that does not fit in."""
        opens = self._turn.opens and not is_ahead()
        self._turn.admit_call(module, destination, opens=opens, again=self.was_sent)

    @property
    def group(self) -> int:
        """The number of its task."""
        return self._turn.group

    def goes(self, way: RunnerSession) -> bool:
        """Tell whether the call may be sent by `way`."""
        return self._turn.goes(way) if self.follows is None else self._turn.of.takes(way)

    def watched(self, templar: Templar) -> Templar:
        """Give `templar`, reading from which is refused where it may depend on the tasks before."""
        return self._turn.watched(templar)

    def begin(self) -> None:
        """Count what this asyncio task does as ahead of its turn, until its call is sent."""
        super().begin()
        count_ahead(ahead=True, item=not self._turn.waits)

    def sent(self) -> None:
        """Let the next item go."""
        self._turn.item_was_sent = True
        super().sent()

    async def due(self) -> None:
        """Wait until the engine has dispatched the task."""
        await self._turn.due()


@dataclass(slots=True)
class _Flying:
    """A task that was begun ahead of its turn, and perhaps is over: `foretold` is what came of it."""

    task: Task
    turn: TaskTurn
    running: asyncio.Task[TaskResult] | None = None
    foretold: TaskResult | None = None


class Stretch:
    """The tasks of one host that are under way: the one whose turn it is, and those ahead of theirs."""

    def __init__(self, context: TaskContext, host: str) -> None:
        self._context, self._host = context, host
        self._lane = TaskLane(0)
        self._flying: deque[_Flying] = deque()
        self._coming: deque[Task] = deque()
        self._held: Collection[int] = ()
        self._launcher: asyncio.Task[None] | None = None
        self._spent = 0.0  # seconds of computing ahead since a result was given

    async def run(self, task: Task, ahead: Sequence[Task], held: Collection[int] = ()) -> list[TaskResult]:
        """Give the result of `task`, whose turn it is, and those of tasks after it that are known by then.

        `ahead` are those that will surely follow if all goes well, as far as the conditions of those in `held`, by id,
        skip them. What has been told of is forgotten here.
        """
        self._held = held
        began = time.monotonic()
        result = await self._adopted(task, ahead)
        if result is None:
            result = await self._as_head(task, ahead)
        if result.failed or result.unreachable:
            self.end()
            return [result]
        told = [result]
        while self._flying and (foretold := self._flying[0].foretold) is not None:
            self._flying.popleft()
            told.append(foretold)
        if not self._flying and (result.skipped or task.id not in held):
            if result.skipped or computes(task):  # others wait, while other hosts compute
                self._spent += time.monotonic() - began
            told += self._foresee(task, told, ahead)
        self._spent = 0.0
        return told

    def end(self) -> None:
        """Forget what is ahead of its turn."""
        self._spent = 0.0
        self._lane.open = False
        self._coming.clear()
        for one in self._flying:
            if one.running is not None:
                one.running.cancel()
        self._flying.clear()
        if self._launcher is not None:
            self._launcher.cancel()
            self._launcher = None

    async def _adopted(self, task: Task, ahead: Sequence[Task]) -> TaskResult | None:
        """Give the result of `task` if it went ahead, else None."""
        if not self._flying or self._flying[0].task is not task:
            return None
        first = self._flying.popleft()
        last = self._flying[-1].turn if self._flying else first.turn
        self._launch(last, ahead)
        first.turn.come()
        if first.running is None:
            return first.foretold
        try:
            return await first.running
        except NotAhead:
            return None

    async def _as_head(self, task: Task, ahead: Sequence[Task]) -> TaskResult:
        self.end()
        if not ahead or self._lane.near or task.id in self._held:
            return await TaskRun(self._context, task, self._host).run()
        self._lane = TaskLane(next(self._context.lanes))
        turn = TaskTurn(self._lane, task, ahead=False)
        turn.on_sent = lambda: self._launch(turn, ahead)
        return await TaskRun(self._context, task, self._host, turn).run()

    def _launch(self, last: TaskTurn, ahead: Sequence[Task]) -> None:
        """Begin what of `ahead` is not under way yet, behind `last`."""
        known = len(self._flying)
        fits = all(one.task is task for one, task in zip(self._flying, ahead, strict=False))
        self._coming = deque(ahead[known:WINDOW] if fits else ())
        if self._coming and self._lane.open and (self._launcher is None or self._launcher.done()):
            self._launcher = asyncio.get_running_loop().create_task(self._launch_all(self._lane, last))

    async def _launch_all(self, lane: TaskLane, last: TaskTurn) -> None:
        count_ahead(ahead=True)
        while True:
            await last.moved()
            if not lane.open or not self._coming or self._spent > PATIENCE:
                return
            began = time.monotonic()
            task = self._coming.popleft()
            last = TaskTurn(lane, task, ahead=True)
            try:
                self._flying.append(self._begun(task, last))
            except NotAhead:
                lane.open = False
            self._spent += time.monotonic() - began

    def _begun(self, task: Task, turn: TaskTurn) -> _Flying:
        """Begin a task ahead of its turn. Raises NotAhead if that cannot be: then none after it goes ahead either."""
        run = self._run_of(task, turn)
        foretold = self._foreseen(run, task, turn)
        if foretold is not None:
            turn.ended()
            return _Flying(task, turn, foretold=foretold)
        if task.id in self._held or computes(task):
            raise NotAhead
        running = asyncio.get_running_loop().create_task(self._fly(run, turn))
        running.add_done_callback(_heard)
        return _Flying(task, turn, running)

    def _run_of(self, task: Task, turn: TaskTurn) -> TaskRun:
        try:
            return TaskRun(self._context, task, self._host, turn)
        except AuthorError:  # a file of the host's variables that cannot be read
            raise NotAhead from None

    async def _fly(self, run: TaskRun, turn: TaskTurn) -> TaskResult:
        """Run a task ahead. Raises NotAhead if that cannot be: then no task after it goes ahead either."""
        try:
            result = await run.run()
        except NotAhead:
            turn.of.open = False
            raise
        finally:
            turn.ended()
        if is_ahead() and (result.failed or result.unreachable):
            turn.of.open = False
            raise NotAhead
        return result

    def _foresee(self, task: Task, told: Sequence[TaskResult], ahead: Sequence[Task]) -> list[TaskResult]:
        """Give the results of tasks of `ahead`, behind those `told` of, the first of `task`, as far as they are known.

        All before them is over, but the controller has not heard of it yet: no more is computed than there is
        PATIENCE for.
        """
        lane = TaskLane(0)
        found: list[TaskResult] = []
        for known, result in zip((task, *ahead), told, strict=False):
            lane.take(known)
            if not lane.take_values(result):
                return found
        until = time.monotonic() + PATIENCE - self._spent
        with counted_ahead(), suppress(NotAhead):
            for following in ahead[len(told) - 1 :]:
                if not may_be_foreseen(following) or time.monotonic() > until:
                    break
                turn = TaskTurn(lane, following, ahead=True)
                result = self._foreseen(self._run_of(following, turn), following, turn)
                if result is None:
                    break
                found.append(result)
        return found

    def _foreseen(self, run: TaskRun, task: Task, turn: TaskTurn) -> TaskResult | None:
        """Give what comes of a task, ahead of its turn: it is skipped, or only computes. None for others.

        Raises NotAhead for what would fail, or may be changed by those before it.
        """
        found = run.skipped()
        if found is not None:
            return found
        if task.id in self._held or not computes(task):
            return None
        found = at_once(run.run())
        if found is None or found.failed or found.unreachable or not turn.of.take_values(found):
            raise NotAhead
        try:
            pickle.dumps(found.result)
        except Exception:  # noqa: BLE001  # values come from plugins: what cannot travel is a failure
            raise NotAhead from None
        return found


def _nothing() -> None:
    """Do nothing."""


def _heard(running: asyncio.Task[Any]) -> None:
    """Take note of how a task ended that nobody may ask any more."""
    if not running.cancelled():
        running.exception()
