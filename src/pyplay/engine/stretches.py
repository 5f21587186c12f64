"""Which tasks a host will surely be given next: they are named to its worker, which may send them ahead.

Asked only where lock-step cannot be observed. Nothing of the walk changes by it: each task is still peeked at,
committed and dispatched when the one before has ended, and a prediction that did not come true is dropped. It comes
true whenever every task before it ends well, since it goes no further than what only a failure could change: no
includes, no meta tasks, no flush, no handlers, no other role (whether one is passed over depends on what ran of it).
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from pyplay.engine import state as states
from pyplay.workers.ahead_rules import WINDOW, may_be_in_stretch

if TYPE_CHECKING:
    from pyplay.engine.batch import Batch
    from pyplay.engine.state import HostState
    from pyplay.playbook.model import Task


class Stretches:
    """What is ahead of the hosts of one batch. `allowed` says whether the strategy hides the order of hosts."""

    def __init__(self, batch: Batch, *, allowed: bool) -> None:
        context, files = batch.context, batch.vars_files
        self._batch = batch
        self._on = allowed and context.settings.send_ahead and not context.stepper.active
        self._on = self._on and not context.settings.enable_task_debugger and not (files and files.varying)
        self._plans: dict[str, deque[tuple[HostState, Task]]] = {}
        self._fit: dict[int, bool] = {}

    def after(self, task: Task, host: str) -> tuple[int, ...]:
        """Give the ids of what `host` will be given after `task`, which it has just been given."""
        if not self._on:
            return ()
        plan = self._plans.get(host)
        if plan and plan[0][1] is task:
            plan.popleft()
        else:
            plan = self._plans[host] = deque()
        if len(plan) <= WINDOW // 2 and self._fits(task):
            self._extend(plan, task, self._batch.iterator.state(host))
        return tuple(following.id for _, following in plan)

    def _extend(self, plan: deque[tuple[HostState, Task]], task: Task, state: HostState) -> None:
        if state.in_handlers:
            return
        after = plan[-1][0] if plan else state
        if task.role is not None:
            after = states.use_role(after, task.role)  # further uses of it are passed over
        while len(plan) < WINDOW:
            after, following = states.step(after)
            if following is None or following.role is not task.role:
                return
            if not self._fits(following):
                return
            plan.append((after, following))

    def _fits(self, task: Task) -> bool:
        fits = self._fit.get(task.id)
        if fits is None:
            fits = may_be_in_stretch(task, self._batch.context.settings)
            fits = self._fit[task.id] = fits and all(self._batch.handlers.knows(name) for name in task.notify)
        return fits
