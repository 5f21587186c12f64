"""Which items and tasks may be sent ahead of their turn, as far as the task itself says so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pyplay.actions.registry import find_action
from pyplay.playbook.builtin import is_builtin, short_name
from pyplay.playbook.model import TaskKind
from pyplay.templating.syntax import is_template
from pyplay.workers.loops import has_loop
from pyplay.workers.projections import reads_own_result

if TYPE_CHECKING:
    from pyplay.playbook.model import Task
    from pyplay.source.settings import Settings

WINDOW = 16
"""Items, or tasks, under way at once: enough for 20 ms of round trip, and few whose contents wait in memory."""

FORESIGHT = 64
"""Tasks that a worker looks at beforehand: what it can tell of them at once travels together."""

ACTIONS = {"copy": "copy", "template": "copy", "shell": "command"}
"""Actions that call one module once, and that module. Modules without an action are called once, too."""

SETS_FACTS = frozenset({
    "async_status", "gather_facts", "getent", "hostname", "mount_facts", "package_facts", "service_facts", "setup",
})  # fmt: skip
"""Modules whose results hold facts, which later items see, or that wait for something."""

AT_ONCE = frozenset({"assert", "debug", "set_fact"})
"""Actions that only compute: what comes of them is known as soon as they are evaluated."""

_KINDS = (TaskKind.TASK, TaskKind.HANDLER)


def may_go_ahead(task: Task, settings: Settings) -> bool:
    """Tell whether the task calls one module once, and nothing that it says forbids to send its items ahead."""
    name = short_name(task.resolved_action)
    return _says_nothing_against(task, name, settings) and _calls_once(name)


def computes(task: Task) -> bool:
    """Tell whether what comes of `task` is known as soon as it is evaluated."""
    return short_name(task.resolved_action) in AT_ONCE and not is_template(task.action)


def may_be_foreseen(task: Task) -> bool:
    """Tell whether what comes of `task` may be known ahead of its turn: its conditions skip it, or it only computes."""
    return bool(task.when) or computes(task)


def may_be_done_at_once(task: Task, settings: Settings) -> bool:
    """Tell whether `task` only computes, once, and waits for nothing but for lookups."""
    name = short_name(task.resolved_action)
    return computes(task) and not has_loop(task) and _says_nothing_against(task, name, settings)


def may_be_in_stretch(task: Task, settings: Settings) -> bool:
    """Tell whether nothing that `task` says forbids to send it ahead, or others ahead of its end.

    What it says of its outcome must be plain words: nothing after the Runner's verdict may turn it into a failure.
    """
    if not _keeps_step(task):
        return False
    if task.ignore_unreachable is not None or any(word is not False for word in task.failed_when):
        return False
    if task.changed_when and any(not isinstance(word, bool) for word in task.changed_when):
        return False
    if task.notify and any(map(is_template, task.notify)):
        return False
    name = short_name(task.resolved_action)
    at_once = name in AT_ONCE and not has_loop(task)
    return _says_nothing_against(task, name, settings) and (at_once or _calls_once(name))


def may_be_skipped_ahead(task: Task) -> bool:
    """Tell whether nothing that `task` says forbids to see ahead of its turn that its conditions skip it."""
    return not has_loop(task) and _keeps_step(task)


def _keeps_step(task: Task) -> bool:
    """Tell whether the task runs on each host by itself, and registers what no connection depends on."""
    if task.run_once or task.throttle is not None or task.debugger is not None:
        return False
    name = task.register
    if isinstance(name, Mapping) or reads_own_result(task):
        return False
    return task.kind != TaskKind.META and (name is None or not (is_template(name) or str(name).startswith("ansible_")))


def _calls_once(name: str) -> bool:
    """Tell whether the module or action `name` calls one module, once."""
    return name in ACTIONS or find_action(name) is None


def _says_nothing_against(task: Task, name: str, settings: Settings) -> bool:
    """Tell whether no keyword of the task makes it wait, goes elsewhere, or leaves open what is called.

    `name` is the short name of its action.
    """
    control = task.loop_control
    if control is not None and (control.pause or control.break_when):
        return False
    if isinstance(task.register, Mapping) or reads_own_result(task):
        return False
    waits = task.until or task.retries is not None or task.timeout is not None or settings.task_timeout
    if waits or task.delegate_to is not None or task.async_seconds is not None or task.kind not in _KINDS:
        return False
    return name not in SETS_FACTS and is_builtin(name) and not is_template(task.action)
