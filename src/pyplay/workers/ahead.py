"""Sending items of a loop ahead: the next item's call goes to the host before the last one's result is back.

A hundred items are then not a hundred round trips. The host still runs them one after another, in their order (a
*lane* of the Runner), and results are taken in their order, so nothing is to be seen of it. It is done only where an
item cannot depend on what an earlier one brought, which is checked twice: by the task (`ahead_rules`), and while the
item is evaluated, where `NotAhead` is raised as soon as it reads the registered variable, calls a lookup, or goes to
another place than the items before it. Such an item, and all after it, run when their turn has come.
"""

from __future__ import annotations

import asyncio
import os
import time
from abc import ABC, abstractmethod
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from pyplay.connection.kinds import LOCAL_KINDS
from pyplay.playbook.builtin import short_name
from pyplay.shipping.turn import Turn
from pyplay.templating.marks import CLOCK
from pyplay.workers.ahead_rules import ACTIONS

if TYPE_CHECKING:
    from collections.abc import Container, Coroutine, Generator, Iterable

    from pyplay.playbook.model import Task
    from pyplay.shipping.build import BuiltModule
    from pyplay.shipping.session import RunnerSession
    from pyplay.templating.scope import Scope
    from pyplay.templating.templar import Templar
    from pyplay.workers.connection_options import Destination

T = TypeVar("T")
LAG = 50_000_000
"""Nanoseconds by which the time of a file may lag behind the clock."""

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


def stamp(path: str, began: int) -> list[object]:
    """Give how a local file looks, of which a call is made that is sent ahead.

    Raises NotAhead if it is not there, or has changed since `began` (nanoseconds), and so may change again.
    """
    try:
        found = os.stat(path)  # noqa: PTH116  # a plain string
    except OSError:
        raise NotAhead from None
    if found.st_ctime_ns >= began - LAG:
        raise NotAhead
    return [path, found.st_ctime_ns, found.st_size, found.st_ino]


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

    @property
    def opens(self) -> bool:
        """Whether the first call has to be through before others are sent."""
        ...

    def item_turn(self) -> ItemTurn:
        """Give the next item its turn."""
        ...

    def items_sent(self, *, whole: bool) -> None:
        """Hear that the last item is on its way, or (not `whole`) that one has to wait until it is due.

        Raises NotAhead where the whole task should rather be run anew then.
        """
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
        self._way: RunnerSession | None = None
        self.began = time.time_ns()

    @property
    def opens(self) -> bool:
        """The first call makes the connection, and finds the Python."""
        return True

    def item_turn(self) -> ItemTurn:
        """Give the next item its turn."""
        return _LaneItem(self)

    def items_sent(self, *, whole: bool) -> None:
        """Hear that the last item is on its way: nothing comes after it."""

    def admit(self, module: BuiltModule, destination: Destination) -> None:
        """Raise NotAhead unless the call goes where those before it went, to a module of ours, over a network."""
        if self._destination is None:
            self._destination = destination
        if not _AHEAD.get():
            return
        near = destination.connection.kind in LOCAL_KINDS  # a controller's files may be what the next item reads
        if near or not module.ours or module.name != self._module or destination != self._destination:
            raise NotAhead

    def goes(self, way: RunnerSession, *, ahead: bool) -> bool:
        """Tell whether a call may be sent by `way`: if `ahead`, only by the Runner that those before it went to."""
        if not ahead:
            self._way = way
        return self._way is way


class ItemTurn(ABC):
    """One item's turn in a lane that `began` at that time (ns). Implements `CallTurn`."""

    def __init__(self, began: int) -> None:
        self._began = began
        self._stamps: list[list[object]] | None = None  # of local files, if it is sent ahead
        self.was_sent = False
        self._moved = asyncio.Event()

    @property
    @abstractmethod
    def lane(self) -> int:
        """The number of the lane."""

    @property
    @abstractmethod
    def group(self) -> int:
        """The number of its task."""

    @property
    def follows(self) -> list[list[object]] | None:
        """The stamps of the local files that it was made of, None for one that is not ahead."""
        return self._stamps

    @abstractmethod
    def admit(self, module: BuiltModule, destination: Destination) -> None:
        """Raise NotAhead unless the call may go with those of the items before it."""

    @abstractmethod
    def goes(self, way: RunnerSession) -> bool:
        """Tell whether the call may be sent by `way`: only where those before it went."""

    @abstractmethod
    def watched(self, templar: Templar) -> Templar:
        """Give `templar` as it is to be used for where the call goes."""

    def made_of(self, path: str) -> None:
        """Note how a local file looks. Raises NotAhead if it changed of late."""
        if self._stamps is not None:
            self._stamps.append(stamp(path, self._began))

    @abstractmethod
    async def due(self) -> None:
        """Wait until its task's turn has come. Its own has when its answer has: the loop takes items in their order."""

    def begin(self) -> None:
        """Count what this asyncio task does as ahead of its turn, until its call is sent."""
        self._stamps = []
        count_ahead(ahead=True, item=True)

    def sent(self) -> None:
        """Let the next item go."""
        self.was_sent = True
        count_ahead(ahead=False)
        self._moved.set()

    def withdrawn(self) -> None:
        """Have the next item wait until this one is sent again."""
        self._moved.clear()

    async def moved(self) -> None:
        """Wait until the call is sent, or will not be."""
        await self._moved.wait()

    def ended(self, _task: asyncio.Task[Any]) -> None:
        """Hear that the item is through, with or without a call."""
        self._moved.set()


class _LaneItem(ItemTurn):
    """The turn of one item in a lane of its loop's own."""

    def __init__(self, of: Lane) -> None:
        super().__init__(of.began)
        self._of = of

    @property
    def lane(self) -> int:
        """The number of the lane; none for the first item: the others wait for its end, its calls go side by side."""
        return 0 if self.follows is None else self._of.number

    @property
    def group(self) -> int:
        """All items of a lane are of one task."""
        return 0

    def admit(self, module: BuiltModule, destination: Destination) -> None:
        """Raise NotAhead unless the call may go with those of the items before it."""
        self._of.admit(module, destination)

    def goes(self, way: RunnerSession) -> bool:
        """Tell whether the call may be sent by `way`."""
        return self._of.goes(way, ahead=self.follows is not None)

    def watched(self, templar: Templar) -> Templar:
        """Give what reads where the call goes: `admit` compares the outcome."""
        return templar

    async def due(self) -> None:
        """Its task's turn has come."""


def watching(base: Templar, names: Container[str]) -> Templar:
    """Give `base` for what is evaluated ahead: reading one of `names`, what those before it register, is refused."""
    return type(base)(
        base.environment,
        _WatchedScope(base.scope, names),
        search_path=base.search_path,
        basedir=base.basedir,
        subdir=base.subdir,
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

    def is_fact(self, name: str, /) -> bool:
        """Whether the value of `name` is a fact."""
        return self._base.is_fact(name)

    def __getattr__(self, name: str) -> Any:
        """Give what the scope itself has beside variables."""
        return getattr(self._base, name)
