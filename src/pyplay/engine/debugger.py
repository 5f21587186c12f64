"""The task debugger: a person looks at a failed task, changes it, and runs it again.

Commands, as in Ansible: `p EXPRESSION`, `task.args[KEY] = VALUE`, `task_vars[KEY] = VALUE`, `u` (take changed variables
into the task), `r` (redo), `c` (continue), `q` (quit). Without a terminal the run goes on.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.dataclass import replace
from pyplay.diagnostics.errors import AuthorError, PyplayError
from pyplay.diagnostics.patterns import late_pattern
from pyplay.source.text import Trusted

if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    from pyplay.engine.batch import Batch
    from pyplay.playbook.model import Task
    from pyplay.workers.messages import TaskResult

_ASSIGN = late_pattern(r"(task\.args|task_vars)\[\s*(['\"])(?P<key>.+?)\2\s*\]\s*=\s*(?P<value>.+)")
_HELP = "p EXPRESSION, task.args['KEY'] = VALUE, task_vars['KEY'] = VALUE, u(pdate_task), r(edo), c(ontinue), q(uit)"


class QuitRun(PyplayError):  # noqa: N818  # the person's wish, not a fault
    """The person at the debugger ended the run."""


class Verdict(Enum):
    """What the person decided."""

    CONTINUE = "continue"
    REDO = "redo"


def invoked(task: Task, result: TaskResult, *, default: str, ignored_too: bool) -> bool:
    """Tell whether the debugger is to start: by the task's `debugger`, else by `default`.

    Both are one of always, never, on_failed, on_unreachable, on_skipped.
    """
    when = str(result.debugger or task.debugger or default)
    failed = result.failed and (not result.ignored or ignored_too)
    return (
        when == "always"
        or (when == "on_failed" and (failed or (default == when and result.unreachable)))
        or (when == "on_unreachable" and result.unreachable)
        or (when == "on_skipped" and result.skipped)
    )


class Debugger:
    """One stop of the debugger at one result. `task` is what a redo runs."""

    def __init__(self, batch: Batch, task: Task, result: TaskResult) -> None:
        self._batch, self._result, self._terminal = batch, result, batch.context.terminal
        self._before = task
        self.task = task
        self._args: dict[str, Any] = dict(task.args)
        self._vars: dict[str, Any] = {}

    def run(self) -> Verdict:
        """Read commands until one decides; without a terminal the run goes on. Raises QuitRun."""
        commands: dict[str, Callable[[], Verdict | None]] = {
            "r": lambda: Verdict.REDO,
            "redo": lambda: Verdict.REDO,
            "c": lambda: Verdict.CONTINUE,
            "continue": lambda: Verdict.CONTINUE,
            "u": self._update,
            "update_task": self._update,
        }
        while True:
            name = self._batch.renderer.name(self._before, self._result.host)
            question = f"[{self._result.host}] TASK: {name} (debug)> "
            if not self._terminal.interactive:
                self._terminal.show(question)
                return Verdict.CONTINUE
            line = self._terminal.ask(question, echo=True)
            if line is None:
                return Verdict.CONTINUE
            verdict = commands.get(line.strip(), lambda line=line: self._other(line.strip()))()
            if verdict is not None:
                self._finish()
                return verdict

    def _other(self, line: str) -> None:
        if line in ("q", "quit"):
            raise QuitRun("the run was ended in the debugger")
        if line.startswith(("p ", "pprint ")):
            self._terminal.show(self._shown(line.partition(" ")[2].strip()))
        elif assignment := _ASSIGN.fullmatch(line):
            self._assign(assignment)
        elif line:
            self._terminal.show(_HELP)

    def _shown(self, expression: str) -> str:
        known = {
            "task": self.task.label,
            "task.args": self._args,
            "result": self._result.result,
            "host": self._result.host,
        }
        if expression in known:
            return repr(known[expression])
        try:
            return repr(self._evaluate(expression))
        except AuthorError as error:
            return str(error)

    def _evaluate(self, expression: str) -> Any:
        context = self._batch.context
        templar = context.variables.templar(self._result.host, self._batch.play, self.task)
        extra = {"result": self._result.result, "task": {"args": self._args, "name": self.task.name}, **self._vars}
        return templar.with_vars(extra).evaluate(Trusted(expression))

    def _assign(self, assignment: re.Match[str]) -> None:
        target = self._args if assignment[1] == "task.args" else self._vars
        try:
            target[assignment["key"]] = self._evaluate(assignment["value"])
        except AuthorError as error:
            self._terminal.show(str(error))

    def _update(self) -> None:
        """Take the changed variables into the task: a redo sees them."""

    def _finish(self) -> None:
        """Make the changed task known, under an id of its own."""
        if self._args == dict(self.task.args) and not self._vars:
            return
        context = self._batch.context
        made = context.loader.make_task(self._batch.play, self.task.action, self._args)
        params = (*self.task.include_params, self._vars)
        changed = replace(self.task, id=made.id, args=self._args, include_params=params)
        self.task = changed
        context.pool.define([changed])
