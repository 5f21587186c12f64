"""What can be known to be wrong with the tasks of plays before any host is touched.

A fault is an error where the task is sure to be reached: no `when`, no loop that may be empty, no `ignore_errors`,
`failed_when` or `rescue` covers it, the tags select it, and the play has hosts that cannot have left it by then. All
others are warnings, since Ansible passes over such a task, or over its failure. A task that a dynamic include brings
in is judged when it is reached.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from pyplay.actions.file_check import missing_source, mode_faults, reads_file
from pyplay.actions.notify_check import NotifyCheck
from pyplay.actions.option_check import is_unknown, option_faults
from pyplay.diagnostics.dataclass import dataclass, replace
from pyplay.diagnostics.late_modules import late_modules
from pyplay.diagnostics.model import Severity
from pyplay.playbook.compile import compile_handlers, compile_play
from pyplay.playbook.model import Block, TaskKind
from pyplay.playbook.tags import matches, split_tags
from pyplay.source.booleans import may_be_true
from pyplay.source.shapes import is_list, is_map

with late_modules("pyplay.actions.role_check"):
    from pyplay.actions import role_check

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pyplay.actions.tables import OptionTables
    from pyplay.diagnostics.model import Diagnostic
    from pyplay.playbook.model import Play, Role, Task
    from pyplay.source.options import RunOptions

_LEAVING = ("end_play", "end_host", "end_batch", "end_role")
_OURS = "ansible.builtin."
_SETTERS = frozenset({
    "set_fact", "include_vars", "add_host", "group_by", "package_facts", "service_facts", "getent", "mount_facts",
})  # fmt: skip
_LOCAL_WRITERS = frozenset({"ansible.builtin.fetch"})


class Surroundings(Protocol):
    """What the checker asks about the plays that it looks at."""

    def has_hosts(self, play: Play) -> bool:
        """Tell whether the play has hosts now."""
        ...

    def runs_here(self, play: Play) -> bool:
        """Tell whether tasks of the play may run on the controller itself, and so make files there."""
        ...

    def search_path(self, play: Play, task: Task) -> Sequence[str]:
        """Give the directories in which files that the task names are searched."""
        ...

    def has_variable(self, play: Play, task: Task, name: str) -> bool:
        """Tell whether variable `name` is, or may be, defined for `task` on a host of the play before it begins."""
        ...


@dataclass(frozen=True, slots=True)
class Seen:
    """One task on the walk; `covered` says that it may not be reached, or may fail."""

    task: Task
    covered: bool


class EarlyCheck:
    """Checks the plays of one run, in their order."""

    def __init__(
        self, tables: OptionTables, options: RunOptions, around: Surroundings, *, missing_handlers_fail: bool = True
    ) -> None:
        self._tables, self._options, self._around = tables, options, around
        self._missing_handlers_fail = missing_handlers_fail
        self._found: dict[tuple[Any, ...], Diagnostic] = {}
        self._before: list[Play] = []
        self._files_may_come = False  # something before this task may have made files on the controller
        self._variables_may_come = False  # something before it may have set any variable
        self._registered: set[str] = set()

    def check(self, plays: Iterable[Play]) -> list[Diagnostic]:
        """Give all faults, errors and warnings, in the order of the plays. The same fault stands once."""
        for play in plays:
            self._play(play)
        return list(self._found.values())

    def _play(self, play: Play) -> None:
        covered = bool(self._options.start_at_task or self._options.step)
        blocks, handlers = compile_play(play), compile_handlers(play)
        notified = NotifyCheck(blocks, handlers) if self._missing_handlers_fail else None
        self._files_may_come |= any(_may_make_files(seen.task) for seen in _walk(handlers, covered))
        for seen in (*_walk(blocks, covered), *_walk(handlers, covered=True)):
            task = seen.task
            if task.kind is not TaskKind.META and not is_unknown(task.action):
                self._task(seen, play)
                if task.role is not None and role_check.checks_role(task):
                    self._role(seen, play, task.role)
                if reads_file(task):
                    self._file(seen, play)
            if notified is not None:
                for warning in notified.faults(task):
                    self._note(warning, task, covered=True)
            self._files_may_come |= _may_make_files(task)
            self._variables_may_come |= _may_set_variables(task)
            self._registered.update(registered_names(task))
        self._before.append(play)

    def _task(self, seen: Seen, play: Play) -> None:
        table = self._tables.of(seen.task)
        faults = option_faults(seen.task, table) if table is not None else []
        for fault in faults:
            self._note(fault, seen.task, covered=self._is_covered(seen, play))
        for fault in mode_faults(seen.task):
            self._note(fault, seen.task, covered=True)

    def _role(self, seen: Seen, play: Play, role: Role) -> None:
        """Judge what is written for a role that describes its variables."""
        asked = {str(prompt.get("name")) for prompt in play.vars_prompt}

        def is_missing(name: str) -> bool:
            if self._variables_may_come or play.vars_files or name in asked or name in self._registered:
                return False
            return not name.startswith("ansible_") and not self._around.has_variable(play, seen.task, name)

        for fault, may_change in role_check.role_faults(seen.task, role, self._options.extra_vars, is_missing):
            changes = may_change and (self._variables_may_come or str(fault.key) in self._registered)
            self._note(fault, seen.task, covered=changes or self._is_covered(seen, play))

    def _file(self, seen: Seen, play: Play) -> None:
        fault = missing_source(seen.task, self._around.search_path(play, seen.task), play.basedir)
        if fault is None:
            return
        may_come = self._files_may_come or any(map(self._around.runs_here, (*self._before, play)))
        self._note(fault, seen.task, covered=may_come or self._is_covered(seen, play))

    def _note(self, fault: Diagnostic, task: Task, *, covered: bool) -> None:
        """Keep a fault of `task`; where it is found again (a role used twice) the error counts.

        The line of a task under no_log is not shown, and no name of a file.
        """
        if may_be_true(task.no_log):
            fault = replace(fault, source="", notes=())
            if fault.code == "missing-file":
                fault = replace(fault, message=f"{task.action}: the local file that it names is not there")
        if covered and fault.severity is Severity.ERROR:
            fault = replace(fault, severity=Severity.WARNING)
        key = (fault.code, fault.message, fault.origin)
        if key not in self._found or fault.severity is Severity.ERROR:
            self._found[key] = fault

    def _is_covered(self, seen: Seen, play: Play) -> bool:
        return seen.covered or may_pass(seen.task) or not self._selected(seen.task) or not self._around.has_hosts(play)

    def _selected(self, task: Task) -> bool:
        if any(is_unknown(tag) or not isinstance(tag, str) for tag in task.tags):
            return False
        return matches(split_tags(task.tags), self._options.tags, self._options.skip_tags)


def may_pass(task: Task) -> bool:
    """Tell whether a task at fault may be passed over, or its failure may: by its own or inherited keywords."""
    if task.failed_when or may_be_true(task.ignore_errors):
        return True
    if any(condition is not True and str(condition).strip().lower() != "true" for condition in task.when):
        return True
    return task.loop is not None and not (is_list(task.loop) and task.loop and task.loop_with in (None, "items"))


def _walk(blocks: Iterable[Task | Block], covered: bool) -> Iterator[Seen]:  # noqa: FBT001  # its only argument
    """Give the tasks in the order written. Behind a task that may end the play or a host's part, all are covered."""
    left = covered
    for item in blocks:
        if not isinstance(item, Block):
            yield Seen(item, left)
            left = left or _may_leave(item)
            continue
        for seen in _walk(item.tasks, left or bool(item.rescue)):
            yield seen
            left = left or _may_leave(seen.task)
        yield from _walk(item.rescue, covered=True)
        yield from _walk(item.always, left)


def _may_leave(task: Task) -> bool:
    if task.kind is not TaskKind.META or task.implicit:
        return False
    action = task.args.get("_raw_params")
    return action in _LEAVING or is_unknown(action)


def _may_set_variables(task: Task) -> bool:
    """Tell whether a task may set variables of any name, or brings in tasks that may."""
    if task.kind in (TaskKind.INCLUDE_TASKS, TaskKind.INCLUDE_ROLE):
        return True
    name = task.resolved_action
    return not name.startswith(_OURS) or name.removeprefix(_OURS) in _SETTERS


def _may_make_files(task: Task) -> bool:
    """Tell whether a task may make files on the controller, or brings in tasks that may."""
    if task.kind in (TaskKind.INCLUDE_TASKS, TaskKind.INCLUDE_ROLE) or task.delegate_to is not None:
        return True
    elsewhere = task.connection is not None and str(task.connection) not in ("ssh", "openssh", "smart", "paramiko")
    return elsewhere or task.resolved_action in _LOCAL_WRITERS


def registered_names(task: Task) -> tuple[str, ...]:
    """Return the names of the variables that `task` registers."""
    written: Any = task.register
    return tuple(map(str, written)) if is_map(written) else (str(written),)
