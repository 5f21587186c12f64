"""Sending items of a loop ahead: the next item's call goes to the host before the last one's result is back.

A hundred items are then not a hundred round trips. The host still runs them one after another, in their order (a
*lane* of the Runner), and results are taken in their order, so nothing is to be seen of it. It is done only where an
item cannot depend on what an earlier one brought, which is checked twice: by the task (`ahead_rules`), and while the
item is evaluated, where `NotAhead` is raised as soon as it reads the registered variable, calls a lookup, or goes to
another place than the items before it. Such an item, and all after it, run when their turn has come.
"""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from pyplay.connection.kinds import LOCAL_KINDS
from pyplay.playbook.builtin import short_name
from pyplay.shipping.turn import Turn
from pyplay.templating.marks import CLOCK
from pyplay.workers.ahead_rules import ACTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Coroutine, Generator, Iterable

    from pyplay.playbook.model import Task
    from pyplay.shipping.build import BuiltModule
    from pyplay.shipping.session import RunnerSession
    from pyplay.templating.scope import Scope
    from pyplay.templating.templar import Templar
    from pyplay.workers.connection_options import Destination

T = TypeVar("T")
_ITEM, _TASK = 1, 2  # what is evaluated ahead of its turn
_AHEAD: ContextVar[int] = ContextVar("ahead", default=0)


class NotAhead(BaseException):
    """The item cannot be evaluated before its turn. Not an Exception: no template may swallow it."""


def refuse_ahead() -> None:
    """Raise NotAhead if what runs now is an item that is evaluated before its turn."""
    if _AHEAD.get():
        raise NotAhead


def refuse_outside(what: str) -> None:
    """Raise NotAhead if `what` is to be looked at that will have changed when what is evaluated now has its turn.

    The disk (`marks.DISK`) may be changed by other tasks, the clock goes on from item to item.
    """
    ahead = _AHEAD.get()
    if ahead == _TASK or (ahead and what == CLOCK):
        raise NotAhead


def is_ahead() -> bool:
    """Tell whether what runs now is evaluated before its turn."""
    return bool(_AHEAD.get())


def count_ahead(*, ahead: bool, item: bool = False) -> None:
    """Count what this asyncio task does from now on as ahead of its turn, as an `item` or as a task, or no longer."""
    _AHEAD.set((_ITEM if item else _TASK) if ahead else 0)


@contextmanager
def counted_ahead() -> Generator[None]:
    """Count what is done inside as ahead of its turn."""
    before = _AHEAD.set(_TASK)
    try:
        yield
    finally:
        _AHEAD.reset(before)


def at_once(run: Coroutine[Any, Any, T]) -> T | None:
    """Give what `run` comes to without waiting; None, and it is ended, if it waits for something."""
    try:
        run.send(None)
    except StopIteration as end:
        return end.value
    run.close()
    return None


class CallTurn(Turn, Protocol):
    """A call's place in a lane, as workers see it: `ItemTurn` or `stretch.TaskTurn`."""

    def admit(self, module: BuiltModule, destination: Destination) -> None:
        """Raise NotAhead unless the call may go with those before it."""
        ...

    def watched(self, templar: Templar) -> Templar:
        """Give `templar` as it is to be used for what is evaluated ahead."""
        ...

    def made_of(self, path: str) -> None:
        """Take which local file the call was made of. Raises NotAhead where that cannot be."""
        ...

    async def due(self) -> None:
        """Wait until its turn has come."""
        ...


class ItemTurns(Protocol):
    """What gives the items of one loop their turns: a `Lane` of its own, or the turn of a task in a stretch."""

    def item_turn(self) -> ItemTurn:
        """Give the next item its turn."""
        ...

    def items_sent(self, *, whole: bool) -> None:
        """Hear that the last item is on its way, or (not `whole`) that one has to wait until it is due."""
        ...


class TaskCallTurn(CallTurn, ItemTurns, Protocol):
    """A task's place in a stretch, whether it has a loop or not."""


class Lane:
    """The items of one loop on one host that were sent ahead. `number` tells the Runner which calls belong together."""

    def __init__(self, number: int, task: Task) -> None:
        self.number = number
        name = short_name(task.resolved_action)
        self._module = ACTIONS.get(name, name)
        self._destination: Destination | None = None

    def item_turn(self) -> ItemTurn:
        """Give the next item its turn."""
        return ItemTurn(self.number, self.admit)

    def items_sent(self, *, whole: bool) -> None:
        """Hear that the last item is on its way: nothing comes after it."""

    def admit(self, module: BuiltModule, destination: Destination) -> None:
        """Raise NotAhead unless the call goes the way of those before it, to a module of ours, over a network."""
        if not _AHEAD.get():
            return
        if self._destination is None:
            self._destination = destination
        near = destination.connection.kind in LOCAL_KINDS  # a controller's files may be what the next item reads
        if near or not module.ours or module.name != self._module or destination != self._destination:
            raise NotAhead


class ItemTurn:
    """One item's turn in the lane of that number. Implements `CallTurn`; `admit` is what the lane says of a call."""

    def __init__(self, number: int, admit: Callable[[BuiltModule, Destination], None]) -> None:
        self._number, self._admit = number, admit
        self._moved: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @property
    def lane(self) -> int:
        """The number of the lane."""
        return self._number

    @property
    def group(self) -> int:
        """All items of a lane are of one task."""
        return 0

    def admit(self, module: BuiltModule, destination: Destination) -> None:
        """Raise NotAhead unless the call may go with those of the items before it."""
        self._admit(module, destination)

    @property
    def follows(self) -> list[list[object]] | None:
        """An item starts whatever became of those before it."""
        return None

    def goes(self, way: RunnerSession) -> bool:  # noqa: ARG002  # the protocol's
        """It goes to whatever Runner there is."""
        return True

    def watched(self, templar: Templar) -> Templar:
        """Give what reads where the call goes: `admit` compares the outcome."""
        return templar

    def made_of(self, path: str) -> None:
        """Take which local file the call was made of."""

    async def due(self) -> None:
        """Its turn has come when its answer has: the loop takes items in their order."""

    def begin(self) -> None:
        """Count what this asyncio task does as ahead of its turn, until its call is sent."""
        count_ahead(ahead=True, item=True)

    def sent(self) -> None:
        """Let the next item go."""
        _AHEAD.set(0)
        if not self._moved.done():
            self._moved.set_result(None)

    def withdrawn(self) -> None:
        """Have the next item wait until this one is sent again."""
        if self._moved.done():
            self._moved = asyncio.get_running_loop().create_future()

    async def moved(self) -> None:
        """Wait until the call is sent, or will not be."""
        while not self._moved.done():
            await asyncio.shield(self._moved)

    def ended(self, _task: asyncio.Task[Any]) -> None:
        """Hear that the item is through, with or without a call."""
        if not self._moved.done():
            self._moved.set_result(None)


def watching(base: Templar, names: Container[str]) -> Templar:
    """Give `base` for what is evaluated ahead: reading one of `names`, what those before it register, is refused."""
    return type(base)(
        base.environment, _WatchedScope(base.scope, names), search_path=base.search_path, basedir=base.basedir
    )


class _WatchedScope:
    """A scope in which some names must not be read ahead."""

    __slots__ = ("_base", "_names")

    def __init__(self, base: Scope, names: Container[str]) -> None:
        self._base, self._names = base, names

    def get(self, name: str, /) -> Any:
        """Give the raw value of `name`, or MISSING."""
        if name in self._names:
            refuse_ahead()
        return self._base.get(name)

    def names(self) -> Iterable[str]:
        """Give all names: who asks for all reads those, too."""
        refuse_ahead()
        return self._base.names()

    def is_injected(self, name: str, /) -> bool:
        """Tell whether `name` is a fact that stands among the variables."""
        return self._base.is_injected(name)

    def __getattr__(self, name: str) -> Any:
        """Give what the scope itself has beside variables."""
        return getattr(self._base, name)
