"""Where one host stands in a play, as a frozen value, and the pure functions that give the next one.

A state is a stack of frames, outermost first: each says which section of which block is being walked and which item
comes next. An entered block, an included file and a flush of handlers are further frames, so whatever a host has to
return to is what lies below. An empty stack is COMPLETE.

    TASKS ──end──────────────▶ ALWAYS ──end──▶ leave (fail further out where a failure is pending)
      │ failure, has rescue       ▲
      ├──────────▶ RESCUE ──end───┤  (the failure is cleared)
      │              │ failure    │
      └──────────────┴────────────┘  (the failure is pending until always has run)
    HANDLERS: one pass over the play's handlers, those not owed are passed over; a failure is one of the frame below.

Nothing here runs, prints or knows hosts. Hosts with equal states have equal futures, which is what makes peeking at
10,000 hosts cheap.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.dataclass import dataclass, replace
from pyplay.playbook.model import Block

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from pyplay.playbook.model import Role, Task

Position = tuple[int, ...]
"""Where a task stands in the order of the play: compares as the tasks were written, included ones after the include."""


class Phase(IntEnum):
    """What a host is walking. The order is that of the sections of a block."""

    TASKS = 0
    RESCUE = 1
    ALWAYS = 2
    HANDLERS = 3
    COMPLETE = 4


@dataclass(frozen=True, slots=True)
class Frame:
    """A place in one section of a block: `index` counts the items that have been entered.

    `route` lists the items to visit, where a host visits some of them only (the files of an include that several
    hosts made, each with its own choice); None visits all. `failed` tells that a failure is pending: it goes on
    outwards when this section ends.
    """

    block: Block
    phase: Phase = Phase.TASKS
    index: int = 0
    failed: bool = False
    route: tuple[int, ...] | None = None

    @property
    def items(self) -> Sequence[Task | Block]:
        """Give the items of the section, whether they are visited or not."""
        if self.phase is Phase.RESCUE:
            return self.block.rescue
        if self.phase is Phase.ALWAYS:
            return self.block.always
        return self.block.tasks

    @property
    def place(self) -> int:
        """Give the number of the last entered item among all items, counted from 1; 0 before the first."""
        if self.route is None or not self.index:
            return self.index
        return self.route[self.index - 1] + 1

    def next_item(self) -> Task | Block | None:
        """Give the item that comes next, None at the end of the section."""
        items, number = self.items, self.index
        if self.route is not None:
            if number >= len(self.route):
                return None
            number = self.route[number]
        return items[number] if number < len(items) else None


@dataclass(frozen=True, slots=True)
class HostState:
    """Where one host stands.

    `owed` are the handlers that it was notified of and has not run. `used` are identities of roles of which a task
    ran, `done` of those that it completed: further uses are passed over. `failed` tells that a failure ended the walk.
    """

    frames: tuple[Frame, ...] = ()
    owed: frozenset[Task] = frozenset()
    used: frozenset[Any] = frozenset()
    done: frozenset[Any] = frozenset()
    failed: bool = False

    @property
    def phase(self) -> Phase:
        """Give what the host is walking: the innermost frame says so."""
        return self.frames[-1].phase if self.frames else Phase.COMPLETE

    @property
    def in_handlers(self) -> bool:
        """Tell whether a flush of handlers is under way, at whatever depth."""
        return Phase.HANDLERS in [frame.phase for frame in self.frames]

    @property
    def guarded(self) -> bool:
        """Tell whether a failure now would end in a rescue, perhaps after the `always` of blocks further in."""
        return any(frame.phase is Phase.TASKS and frame.block.rescue for frame in self.frames)

    @property
    def position(self) -> Position:
        """Give the place of the task that was entered last."""
        numbers: list[int] = []
        for frame in self.frames:
            numbers += (frame.phase, frame.place)
        return tuple(numbers)


def begin(blocks: Iterable[Block]) -> HostState:
    """Give the state of a host before the first task of `blocks`."""
    return HostState((Frame(Block(tasks=list(blocks))),))


def step(state: HostState) -> tuple[HostState, Task | None]:
    """Give the next task, and the state of a host that has been given it; (COMPLETE, None) where there is none."""
    frames, done = list(state.frames), state.done
    while frames:
        top = frames[-1]
        item = top.next_item()
        if item is None:
            frames.pop()
            outcome = _leave(top)
            if outcome is not None:
                frames.append(outcome)
            elif top.failed:
                frames = list(_unwind(frames))
                if not frames:
                    return HostState((), state.owed, state.used, done, failed=True), None
            done = _completed(top, state.used, done)
            continue
        frames[-1] = Frame(top.block, top.phase, top.index + 1, top.failed, top.route)
        if isinstance(item, Block):
            frames.append(Frame(item))
        elif _wanted(item, frames, state.owed, done):
            return HostState(tuple(frames), state.owed, state.used, done, state.failed), item
    return HostState((), state.owed, state.used, done, state.failed), None


def _wanted(task: Task, frames: Sequence[Frame], owed: Collection[Task], done: Collection[Any]) -> bool:
    """Tell whether a host with these debts and completed roles gets `task` when it comes to it by `frames`.

    While handlers are flushed, it does not matter whether their role has been completed.
    """
    if frames[-1].phase is Phase.HANDLERS:
        return task in owed
    role = task.role
    if role is None or role.allow_duplicates or role.identity not in done:
        return True
    return any(frame.phase is Phase.HANDLERS for frame in frames)


def _leave(frame: Frame) -> Frame | None:
    """Give the frame that follows one whose section has ended without a new failure, None to go on further out."""
    if frame.phase in (Phase.TASKS, Phase.RESCUE) and frame.block.always:
        return Frame(frame.block, Phase.ALWAYS)
    return None


def _completed(frame: Frame, used: Collection[Any], done: frozenset[Any]) -> frozenset[Any]:
    """Give the completed roles once `frame` has ended: the last block of a role completes it where a task ran."""
    block = frame.block
    if not block.ends_role or block.role is None or frame.failed or frame.phase is Phase.HANDLERS:
        return done
    if frame.phase is not Phase.ALWAYS and block.always:
        return done
    return done | {block.role.identity} if block.role.identity in used else done


def _unwind(frames: Sequence[Frame]) -> Sequence[Frame]:
    """Give the frames after a failure in the innermost one: at a rescue or an always, none where nothing guards."""
    for depth in range(len(frames) - 1, -1, -1):
        frame = frames[depth]
        if frame.phase is Phase.TASKS and frame.block.rescue:
            return [*frames[:depth], Frame(frame.block, Phase.RESCUE)]
        if frame.phase in (Phase.TASKS, Phase.RESCUE) and frame.block.always:
            return [*frames[:depth], Frame(frame.block, Phase.ALWAYS, failed=True)]
    return ()


def fail(state: HostState) -> HostState:
    """Give the state of a host whose task has failed: at the nearest rescue or always, or COMPLETE and failed."""
    frames = tuple(_unwind(state.frames))
    return replace(state, frames=frames, failed=not frames)


def finish(state: HostState) -> HostState:
    """Give the state of a host that is let go (end_host, end_batch, end_play).

    Who leaves from an `always` that a failure led to has failed, unless a rescue further out would have taken it.
    Source: observed in ansible-core 2.21.
    """
    return replace(state, frames=(), failed=_lost(state.frames))


def _lost(frames: Iterable[Frame]) -> bool:
    """Tell whether a failure is pending that no rescue among `frames`, outermost first, would take."""
    guarded = lost = False
    for frame in frames:
        lost = lost or (frame.failed and not guarded)
        guarded = guarded or (frame.phase is Phase.TASKS and bool(frame.block.rescue))
    return lost


def abort(state: HostState) -> HostState:
    """Give the state of a host that has failed for good, whatever guards it (max_fail_percentage)."""
    return replace(state, frames=(), failed=True)


def forgive(state: HostState) -> HostState:
    """Return the state of a host whose failures are cleared: from an `always` that one led to it goes on."""
    if not any(frame.failed for frame in state.frames):
        return state
    return replace(state, frames=tuple(replace(frame, failed=False) for frame in state.frames))


def insert(state: HostState, block: Block, route: tuple[int, ...] | None = None) -> HostState:
    """Give the state of a host that walks `block` (or its items in `route`) before whatever came next."""
    return replace(state, frames=(*state.frames, Frame(block, route=route)))


def flush(state: HostState, handlers: Block) -> HostState:
    """Give the state of a host that makes a pass over `handlers` and then goes on where it was.

    A flush asked for by a handler is under way already: it changes nothing.
    """
    if not state.owed or state.in_handlers:
        return state
    return replace(state, frames=(*state.frames, Frame(handlers, Phase.HANDLERS)))


def notify(state: HostState, handlers: Iterable[Task]) -> HostState:
    """Give the state of a host that owes `handlers`, too."""
    owed = state.owed | frozenset(handlers)
    return state if len(owed) == len(state.owed) else replace(state, owed=owed)


def settle(state: HostState, handler: Task) -> HostState:
    """Give the state of a host that has been given `handler` and so owes it no more."""
    return replace(state, owed=state.owed - {handler}) if handler in state.owed else state


def use_role(state: HostState, role: Role) -> HostState:
    """Give the state of a host that ran a task of `role`."""
    return state if role.identity in state.used else replace(state, used=state.used | {role.identity})


def end_role(state: HostState, role: Role) -> HostState:
    """Give the state of a host that leaves out what remains of this use of `role`.

    A failure that led to the `always` that it leaves from goes on outwards, unless a rescue of the role would have
    taken it.
    """
    depth = next((n for n, frame in enumerate(state.frames) if frame.block.role is role), None)
    if not depth:
        return state
    if _lost(state.frames[depth:]):
        return fail(replace(state, frames=state.frames[:depth]))
    outer = state.frames[depth - 1]
    while isinstance(item := outer.next_item(), Block) and item.role is role:
        outer = replace(outer, index=outer.index + 1)
    done = state.done | {role.identity} if role.identity in state.used else state.done
    return replace(state, frames=(*state.frames[: depth - 1], outer), done=done)
