"""Results that the controller itself gives: a task that could not be handed out, an include that failed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyplay.workers.messages import TaskResult
from pyplay.workers.values import author_failure as fault_result

if TYPE_CHECKING:
    from pyplay.diagnostics.errors import AuthorError
    from pyplay.playbook.model import Task


def failure(task: Task, host: str, message: str, *, name: str = "") -> TaskResult:
    """Give the result of `task` having failed on `host` with `message`."""
    result = {"changed": False, "failed": True, "msg": message}
    return TaskResult(host=host, task_id=task.id, result=result, failed=True, name=name or task.name or "")


def author_failure(task: Task, host: str, error: AuthorError) -> TaskResult:
    """Give the result of `task` having failed on `host` by something a user wrote, as a worker gives it."""
    result = fault_result(error)
    return TaskResult(host=host, task_id=task.id, result=result, failed=True, name=task.name or "")


def skip(task: Task, host: str, *, name: str = "") -> TaskResult:
    """Give the result of `task` being skipped on `host` by its conditions."""
    result = {"changed": False, "skipped": True, "skip_reason": "Conditional result was False"}
    return TaskResult(host=host, task_id=task.id, result=result, skipped=True, name=name or task.name or "")
