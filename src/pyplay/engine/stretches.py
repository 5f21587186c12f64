"""Which tasks a host will surely be given next: they are named to its worker, which may send them ahead.

Asked only where lock-step cannot be observed. Nothing of the walk changes by it: each task is still peeked at,
committed and dispatched when the one before has ended, and a prediction that did not come true is dropped. It comes
true whenever every task before it ends well, since it goes no further than what only a failure could change: no meta
tasks, no flush, no handlers, no role that is used again (whether it is passed over depends on what ran of it).

Tasks whose outcome may not be plain, includes among them, are named as *held*: the worker goes past them only where
their conditions skip them, for then nothing comes of them. Further than what is sent ahead goes the plan over tasks of
which something may be told beforehand.
"""

from __future__ import annotations

from collections import deque
from dataclasses import field
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.dataclass import dataclass
from pyplay.playbook.model import TaskKind
from pyplay.workers.ahead_rules import FORESIGHT, WINDOW, may_be_foreseen, may_be_in_stretch, may_be_skipped_ahead

if TYPE_CHECKING:
    from pyplay.engine.batch import Batch
    from pyplay.engine.state import HostState
    from pyplay.playbook.model import Role, Task


@dataclass(frozen=True, slots=True)
class Ahead:
    """The ids of tasks that follow one, and of those among them, and that one, that are held."""

    tasks: tuple[int, ...] = ()
    held: tuple[int, ...] = ()


NOTHING = Ahead()
_INCLUDES = (TaskKind.INCLUDE_TASKS, TaskKind.INCLUDE_ROLE)


@dataclass(slots=True)
class _Plan:
    """What a host will be given, each with the state that it will be in, and the roles met since the plan was made.

    Whether another use of one of these is passed over depends on what runs of it.
    """

    steps: deque[tuple[HostState, Task]] = field(default_factory=deque["tuple[HostState, Task]"])
    roles: dict[Any, Role] = field(default_factory=dict[Any, "Role"])

    def meets(self, task: Task) -> bool:
        """Take note of the role of `task`; tell whether it is not another use of one that was met."""
        role = task.role
        return role is None or self.roles.setdefault(role.identity, role) is role or role.allow_duplicates


class Stretches:
    """What is ahead of the hosts of one batch. `allowed` says whether the strategy hides the order of hosts."""

    def __init__(self, batch: Batch, *, allowed: bool) -> None:
        context, files = batch.context, batch.vars_files
        self._batch = batch
        self._on = allowed and context.settings.send_ahead and not context.stepper.active
        self._on = self._on and not context.settings.enable_task_debugger and not (files and files.varying)
        self._plans: dict[str, _Plan] = {}
        self._held: dict[int, bool] = {}

    def after(self, task: Task, host: str) -> Ahead:
        """Give what `host` will be given after `task`, which it has just been given."""
        if not self._on:
            return NOTHING
        plan, state = self._plans.get(host), self._batch.iterator.state(host)
        if plan and plan.steps and self._is_next(plan, task, state):
            plan.steps.popleft()
        else:
            plan = self._plans[host] = _Plan()
            plan.meets(task)
        if self._batch.context.pool.foretells(host, task.id):
            return NOTHING  # nothing will be sent
        if task.kind not in _INCLUDES:
            self._extend(plan, task, state)
        if not plan.steps:
            return NOTHING
        ids = tuple([following.id for _, following in plan.steps])
        return Ahead(ids, tuple([number for number in (task.id, *ids) if self._held.get(number)]))

    @staticmethod
    def _is_next(plan: _Plan, task: Task, state: HostState) -> bool:
        """Tell whether all went as planned: to the same task of an `always` a failure may have led, too."""
        planned, following = plan.steps[0]
        return following is task and planned.frames == state.frames

    def _extend(self, plan: _Plan, task: Task, state: HostState) -> None:
        if state.in_handlers or not self._knows(task):
            return
        step, steps = self._batch.iterator.step, plan.steps
        after = steps[-1][0] if steps else state
        while len(steps) < FORESIGHT:
            after, following = step(after)
            if following is None or not self._knows(following):
                return
            if (len(steps) >= WINDOW and not may_be_foreseen(following)) or not plan.meets(following):
                return
            steps.append((after, following))

    def _knows(self, task: Task) -> bool:
        """Tell whether `task` may be part of a stretch, and remember whether it is held."""
        if task.id not in self._held:
            settings = self._batch.context.settings
            sure = may_be_in_stretch(task, settings) and all(self._batch.handlers.knows(name) for name in task.notify)
            if not sure and not may_be_skipped_ahead(task):
                return False
            self._held[task.id] = not sure
        return True
