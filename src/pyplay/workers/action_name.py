"""Tasks that name their module by a template: `action: "{{ ansible_facts.pkg_mgr }} name=x"`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyplay.actions.registry import find_action
from pyplay.diagnostics.dataclass import replace
from pyplay.diagnostics.errors import PlaybookError
from pyplay.playbook.builtin import resolve_action, short_name
from pyplay.source.text import origin_of
from pyplay.variables.trust import resolve_told

if TYPE_CHECKING:
    from pyplay.playbook.model import Task
    from pyplay.templating.templar import Templar

# What the controller does itself, so that it must know the name while it parses.
_OF_CONTROLLER = frozenset({
    "import_playbook", "import_role", "import_tasks", "include_role", "include_tasks", "meta",
})  # fmt: skip

_HARMLESS = frozenset({
    "assert", "async_status", "command", "debug", "fail", "gather_facts", "package", "raw", "service", "shell",
})  # fmt: skip
"""Actions that do no more here than to choose a module or say something: a result may name them."""


def resolved(task: Task, templar: Templar) -> Task:
    """Return `task` with the name of its module rendered for one host and item.

    Raises PlaybookError for what is no name, or names what has to be known before the task is reached, for what works
    on the controller where a host may have named it, and what rendering raises.
    """
    value, told = resolve_told(task.action, templar)
    origin = origin_of(task.action) or task.origin
    if not isinstance(value, str) or not value.strip():
        raise PlaybookError.of("action-name", f"action names no module: {value!r}", origin)
    name = value.strip()
    if short_name(name) in _OF_CONTROLLER:
        raise PlaybookError.of(
            "action-name", f"'{name}' cannot be named by a template", origin,
            help=f"write '{name}:' as the task's key, and templates in its arguments",
        )  # fmt: skip
    full = resolve_action(name)
    if told and find_action(full) is not None and short_name(full) not in _HARMLESS:
        raise PlaybookError.of(
            "action-name", f"'{name}' works on the controller, and its name came from a result", origin,
            help=f"write '{name}:' as the task's key, with 'when' for the hosts that need it",
        )  # fmt: skip
    return replace(task, action=name, resolved_action=full)
