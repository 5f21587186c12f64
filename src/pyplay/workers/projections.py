"""`register` as a mapping: variables that are made of a task's result by expressions, and `_task`, which they read.

`_task.result` is the result as it is so far, in conditions too, in a loop that of the last item; `_task.loop_result` is
what comes of the whole loop. Source: the Ansible documentation (2.21), and observed with ansible-core 2.21.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from pyplay.diagnostics.errors import AuthorError
from pyplay.source.text import Trusted, origin_of
from pyplay.workers.values import explain

if TYPE_CHECKING:
    from pyplay.playbook.model import Task
    from pyplay.templating.templar import Templar

TASK = "_task"


def reads_own_result(task: Task) -> bool:
    """Whether a condition of `task` asks for `_task`."""
    conditions = (*task.when, *task.until, *task.changed_when, *task.failed_when)
    control = task.loop_control
    if control is not None:
        conditions = (*conditions, *control.break_when, control.label)
    return any(isinstance(condition, str) and TASK in condition for condition in conditions)


def projections(task: Task) -> dict[str, Any]:
    """Return the variables that `register` of `task` makes, as templates: each is rendered when it is read."""
    if not isinstance(task.register, Mapping):
        return {}
    written = cast("Mapping[str, Any]", task.register)  # pyright: ignore[reportUnknownMemberType]  # checked by the parser
    return {name: _template(expression) for name, expression in written.items()}


def _template(expression: Any) -> Any:
    return Trusted(f"{{{{ {expression} }}}}", origin_of(expression)) if isinstance(expression, str) else expression


def project(templar: Templar, templates: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the values of the variables `templates` as `templar` sees them, and what is wrong with others."""
    values: dict[str, Any] = {}
    faults: list[str] = []
    for name, template in templates.items():
        try:
            values[name] = templar.resolve(template)
        except AuthorError as error:
            faults.append(f"register of '{name}' failed: {explain(error)}")
            values[name] = Trusted(
                f"{{{{ undef('the variable {name} is undefined: its register expression failed') }}}}"
            )
    return values, faults
