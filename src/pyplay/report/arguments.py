"""The arguments of a task as its banner shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyplay.report.events import TaskStart


def arguments_text(task: TaskStart) -> str:
    """Give the task's arguments as written, "" for a task under no_log."""
    return "" if task.private else ", ".join(f"{name}={value}" for name, value in task.args.items())
