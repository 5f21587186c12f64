"""Which tasks a host will surely be given next: they are named to its worker, which may send them ahead.

Asked only where lock-step cannot be observed. Nothing of the walk changes by it: each task is still peeked at,
committed and dispatched when the one before has ended, and a prediction that did not come true is dropped. It comes
true whenever every task before it ends well, since it goes no further than what only a failure could change: no meta
tasks, no flush, no handlers, no role that is used again (whether it is passed over depends on what ran of it).

Tasks whose outcome may not be plain, includes among them, are named as *held*: the worker goes past them only where
their conditions skip them, for then nothing comes of them.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from pyplay.engine import state as states
from pyplay.playbook.model import TaskKind
from pyplay.workers.ahead_rules import WINDOW, may_be_in_stretch, may_be_skipped_ahead

if TYPE_CHECKING:
    from pyplay.engine.batch import Batch
    from pyplay.engine.state import HostState
    from pyplay.playbook.model import Task


class Ahead(NamedTuple):
    """The ids of tasks that follow one, and of those among them, and that one, that are held."""

    tasks: tuple[int, ...] = ()
    held: tuple[int, ...] = ()


NOTHING = Ahead()
_INCLUDES = (TaskKind.INCLUDE_TASKS, TaskKind.INCLUDE_ROLE)


class Stretches:
    """What is ahead of the hosts of one batch. `allowed` says whether the strategy hides the order of hosts."""

    def __init__(self, batch: Batch, *, allowed: bool) -> None:
        context, files = batch.context, batch.vars_files
        self._batch = batch
        self._on = allowed and context.settings.send_ahead and not context.stepper.active
        self._on = self._on and not context.settings.enable_task_debugger and not (files and files.varying)
        self._plans: dict[str, deque[tuple[HostState, Task]]] = {}
        self._held: dict[int, bool] = {}

    def after(self, task: Task, host: str) -> Ahead:
        """Give what `host` will be given after `task`, which it has just been given."""
        if not self._on:
            return NOTHING
        plan, state = self._plans.get(host), self._batch.iterator.state(host)
        if plan and plan[0][1] is task and plan[0][0].frames == state.frames:  # `always` is come to by failures, too
            plan.popleft()
        else:
            plan = self._plans[host] = deque()
        if len(plan) <= WINDOW // 2 and task.kind not in _INCLUDES:
            self._extend(plan, task, state)
        if not plan:
            return NOTHING
        ids = tuple([following.id for _, following in plan])
        return Ahead(ids, tuple([number for number in (task.id, *ids) if self._held.get(number)]))

    def _extend(self, plan: deque[tuple[HostState, Task]], task: Task, state: HostState) -> None:
        if state.in_handlers or not self._knows(task):
            return
        after = plan[-1][0] if plan else state
        if task.role is not None:
            after = states.use_role(after, task.role)  # further uses of it are passed over
        while len(plan) < WINDOW:
            after, following = states.step(after)
            if following is None or following.role is not task.role or not self._knows(following):
                return
            plan.append((after, following))

    def _knows(self, task: Task) -> bool:
        """Tell whether `task` may be part of a stretch, and remember whether it is held."""
        if task.id not in self._held:
            settings = self._batch.context.settings
            sure = may_be_in_stretch(task, settings) and all(self._batch.handlers.knows(name) for name in task.notify)
            if not sure and not may_be_skipped_ahead(task):
                return False
            self._held[task.id] = not sure
        return True
