"""Which items and tasks may be sent ahead of their turn, as far as the task itself says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyplay.actions.registry import find_action
from pyplay.playbook.builtin import is_builtin, short_name
from pyplay.playbook.model import TaskKind
from pyplay.templating.syntax import is_template
from pyplay.workers.loops import has_loop

if TYPE_CHECKING:
    from pyplay.playbook.model import Task
    from pyplay.source.settings import Settings

WINDOW = 16
"""Items under way at once: enough for 20 ms of round trip, and few whose contents wait in memory."""

ACTIONS = {"copy": "copy", "template": "copy", "shell": "command"}
"""Actions that call one module once, and that module. Modules without an action are called once, too."""

SETS_FACTS = frozenset({
    "async_status", "gather_facts", "getent", "hostname", "mount_facts", "package_facts", "service_facts", "setup",
})  # fmt: skip
"""Modules whose results hold facts, which later items see, or that wait for something."""

_KINDS = (TaskKind.TASK, TaskKind.HANDLER)


def may_go_ahead(task: Task, settings: Settings) -> bool:
    """Tell whether nothing that the task says forbids to send its items ahead."""
    control = task.loop_control
    if control is not None and (control.pause or control.break_when):
        return False
    waits = task.until or task.retries is not None or task.timeout is not None or settings.task_timeout
    if waits or task.delegate_to is not None or task.async_seconds is not None or task.kind not in _KINDS:
        return False
    name = short_name(task.resolved_action)
    if is_template(task.action) or not is_builtin(task.resolved_action) or name in SETS_FACTS:
        return False
    return name in ACTIONS or find_action(name) is None


def may_be_in_stretch(task: Task, settings: Settings) -> bool:
    """Tell whether nothing that `task` says forbids to send it ahead, or others ahead of its end.

    What it says of its outcome must be plain words: nothing after the Runner's verdict may turn it into a failure.
    """
    if has_loop(task) or task.run_once or task.throttle is not None or task.debugger is not None:
        return False
    if task.ignore_unreachable is not None or any(word is not False for word in task.failed_when):
        return False
    if any(not isinstance(word, bool) for word in task.changed_when) or any(is_template(n) for n in task.notify):
        return False
    name = task.register
    if name is not None and (is_template(name) or str(name).startswith("ansible_")):
        return False
    return may_go_ahead(task, settings)
