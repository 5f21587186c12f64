"""The order in which a play's tasks run.

Source: the Ansible documentation, "Playbook execution": pre_tasks, roles, tasks, post_tasks, handlers flushed after
pre_tasks, after roles with tasks, and after post_tasks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyplay.playbook.model import Block
from pyplay.playbook.roleparse import compile_role, role_handlers

if TYPE_CHECKING:
    from pyplay.playbook.model import Play, Task

__all__ = ["compile_handlers", "compile_play", "compile_role", "role_handlers"]


def compile_play(play: Play) -> list[Block]:
    """Give the blocks of a play in the order in which they run, with the points at which handlers are flushed."""
    first, second, third = (_flush_block(task) for task in play.flush_points)
    roles = [block for role in play.roles if not role.imported for block in compile_role(role)]
    return [*play.pre_tasks, first, *roles, *play.tasks, second, *play.post_tasks, third]


def compile_handlers(play: Play) -> list[Block]:
    """Give the handlers of a play in the order in which they are defined: roles', the play's, imported roles'.

    Handlers of roles that are used twice in the same way stand once.
    """
    seen: set[object] = set()
    found: tuple[list[Block], list[Block]] = ([], [])
    for role in play.roles:
        if role.identity not in seen:
            seen.add(role.identity)
            found[role.imported].extend(role_handlers(role))
    return [*found[False], *play.handlers, *found[True]]


def _flush_block(task: Task) -> Block:
    return Block(tasks=[task])
