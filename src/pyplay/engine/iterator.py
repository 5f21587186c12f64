"""PlayIterator: one frozen HostState per host of a batch, and the cursor that keeps hosts in lock-step.

Peeking never changes anything; committing does. Hosts that went the same way share one state object, so a peek at
the whole batch costs one look per distinct state, not per host.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyplay.diagnostics.dataclass import dataclass
from pyplay.engine import state as states

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence

    from pyplay.engine.state import HostState
    from pyplay.playbook.model import Block, Role, Task


_KEPT = 50_000  # remembered steps and changes; strategies without rounds do not clear them
_KEPT_BY_ROUNDS = 256  # steps: those that were worked out beforehand are met within a few rounds


@dataclass(frozen=True, slots=True)
class Lockstep:
    """What the cursor has come to: the task and the hosts on it, each with the state to commit when it is given it.

    `ended` are the hosts that have no task left, with their last state. Without a task, nobody has one.
    """

    task: Task | None
    hosts: dict[str, HostState]
    ended: dict[str, HostState]


class PlayIterator:
    """Walks hosts through `blocks`. `handlers` is the play's list of handlers, which flushes walk."""

    def __init__(self, blocks: Iterable[Block], hosts: Iterable[str], handlers: Block) -> None:
        self.start = states.begin(blocks)
        self._states: dict[str, HostState] = dict.fromkeys(hosts, self.start)
        self._handlers = handlers
        self._cursor: HostState = self.start  # as it is behind the task that the cursor is at
        # What was worked out for a state object, by its id; the object is kept beside so that the id stays its own.
        self._steps: dict[int, tuple[HostState, HostState, Task | None]] = {}
        self._changes: dict[tuple[int, Hashable], tuple[HostState, HostState]] = {}

    def state(self, host: str) -> HostState:
        """Give where `host` stands."""
        return self._states[host]

    def peek(self, host: str) -> tuple[HostState, Task | None]:
        """Give the next task of `host` and the state to commit when it is given to it."""
        return self.step(self._states[host])

    def step(self, state: HostState) -> tuple[HostState, Task | None]:
        """Give what `states.step` does. Hosts that come to `state` will find it worked out."""
        known = self._steps.get(id(state))
        if known is None:
            if len(self._steps) > _KEPT:
                self._steps.clear()
            known = self._steps[id(state)] = state, *states.step(state)
        return known[1], known[2]

    def commit(self, host: str, state: HostState) -> None:
        """Put `host` at `state`."""
        self._states[host] = state

    def commit_all(self, states: Mapping[str, HostState]) -> None:
        """Put each host at its state."""
        self._states.update(states)

    def next_round(self, hosts: Collection[str]) -> Lockstep:
        """Give the task that the cursor comes to next, and which of `hosts` are on it. Only the cursor moves.

        The cursor goes to the nearest task after its place that some host is on; hosts that were brought back behind
        it (clear_host_errors) are met when it starts over.
        """
        if len(self._steps) > _KEPT_BY_ROUNDS:
            self._steps.clear()
        self._changes.clear()
        now = [*map(self._states.__getitem__, hosts)]
        if len(set(map(id, now))) == 1:  # all together, as thousands mostly are
            after, task = self.step(now[0])
            if task is None:
                return Lockstep(None, {}, dict.fromkeys(hosts, after))
            self._steps.pop(id(now[0]))  # nobody comes by there any more
            self._cursor = after
            return Lockstep(task, dict.fromkeys(hosts, after), {})
        places = dict(zip(map(id, now), now, strict=True))
        peeks = {key: self.step(state) for key, state in places.items()}
        distinct = {id(after): (after, task) for after, task in peeks.values() if task is not None}
        task = self._advance_cursor(list(distinct.values())) if distinct else None
        found: dict[str, HostState] = {}
        ended: dict[str, HostState] = {}
        for host, state in zip(hosts, now, strict=True):
            after, candidate = peeks[id(state)]
            if candidate is None:
                ended[host] = after
            elif candidate is task:
                found[host] = after
        return Lockstep(task, found, ended)

    def _advance_cursor(self, peeks: Sequence[tuple[HostState, Task]]) -> Task:
        """Move the cursor to the nearest of these places and give the task there."""
        at, places = self._cursor.position, [(after.position, number) for number, (after, _) in enumerate(peeks)]
        ahead = [place for place in places if place[0] > at]
        self._cursor, task = peeks[min(ahead or places)[1]]
        return task

    def _change(self, hosts: Iterable[str], key: Hashable, change: Callable[[HostState], HostState]) -> None:
        """Give each host its changed state. Hosts that shared a state share the next one: `key` names the change."""
        changes = self._changes
        if len(changes) > _KEPT:
            changes.clear()
        known: tuple[HostState, HostState] | None = None
        for host in hosts:
            state = self._states[host]
            if known is None or known[0] is not state:  # most hosts stand where the one before stands
                known = changes.get((id(state), key))
                if known is None:
                    known = changes[id(state), key] = state, change(state)
            self._states[host] = known[1]

    def mark_failed(self, host: str) -> bool:
        """Let the host's task have failed. Gives whether a rescue will take it, now or after an `always`."""
        rescued = self._states[host].guarded
        self.fail_all((host,))
        return rescued

    def fail_all(self, hosts: Iterable[str]) -> None:
        """Let the tasks of all `hosts` have failed (any_errors_fatal, run_once)."""
        self._change(hosts, "fail", states.fail)

    def finish(self, hosts: Iterable[str]) -> None:
        """Let `hosts` go, failed if a failure is pending."""
        self._change(hosts, "finish", states.finish)

    def forgive(self, hosts: Iterable[str]) -> None:
        """Forget the failures that are pending for `hosts` (clear_host_errors)."""
        self._change(hosts, "forgive", states.forgive)

    def abort(self, hosts: Iterable[str]) -> None:
        """Let `hosts` fail for good, whatever guards them (max_fail_percentage)."""
        self._change(hosts, "abort", states.abort)

    def insert(self, block: Block, routes: Mapping[str, tuple[int, ...]]) -> None:
        """Let hosts walk the items of `block` that `routes` gives for each, before what came next for them."""
        for host, route in routes.items():
            self._change((host,), (block, route), lambda state, route=route: states.insert(state, block, route))

    def flush(self, hosts: Iterable[str]) -> None:
        """Let `hosts` run the handlers that they owe before what comes next."""
        self._change(hosts, "flush", lambda state: states.flush(state, self._handlers))

    def notify(self, hosts: Iterable[str], handlers: tuple[Task, ...]) -> None:
        """Let `hosts` owe `handlers`."""
        self._change(hosts, ("notify", handlers), lambda state: states.notify(state, handlers))

    def settle(self, hosts: Iterable[str], handler: Task) -> None:
        """Let `hosts` owe `handler` no more: they have been given it."""
        self._change(hosts, ("settle", handler), lambda state: states.settle(state, handler))

    def use_role(self, hosts: Iterable[str], role: Role) -> None:
        """Note that a task of `role` ran on `hosts`."""
        self._change(hosts, ("use", role), lambda state: states.use_role(state, role))

    def end_role(self, hosts: Iterable[str], role: Role) -> None:
        """Let `hosts` leave out what remains of this use of `role`."""
        self._change(hosts, ("end", role), lambda state: states.end_role(state, role))

    def failed(self, host: str) -> bool:
        """Tell whether a failure ended the walk of `host`."""
        return self._states[host].failed

    def start_at(self, wanted: Callable[[Task], bool]) -> bool:
        """Put every host before the first task that is `wanted`; False (and nothing changes) if there is none."""
        state = self.start
        while True:
            after, task = states.step(state)
            if task is None:
                return False
            if not task.implicit and wanted(task):
                self._states = dict.fromkeys(self._states, state)
                return True
            state = after
