"""The action of most modules: ship the module as it is, with the task's arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall
    from pyplay.playbook.model import Task

_LEGACY = "ansible.legacy."


def module_name(task: Task) -> str:
    """Give the name to search the module by.

    A bare name stays bare, so that `library/NAME.py` may override the built-in; a redirected one is taken as resolved.
    """
    short = task.resolved_action.rpartition(".")[2]
    return short if task.action in (short, _LEGACY + short) else task.resolved_action


async def run(call: ActionCall) -> dict[str, Any]:
    """Run the task's module on the host."""
    return await call.remote.module(module_name(call.task), call.args, main=True)
