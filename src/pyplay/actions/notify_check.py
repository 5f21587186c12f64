"""Finding notifications that no handler of the play answers, before anything runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.actions.option_check import is_unknown
from pyplay.diagnostics.model import Diagnostic, Severity
from pyplay.diagnostics.suggest import did_you_mean
from pyplay.playbook.model import Block, TaskKind
from pyplay.source.shapes import is_list
from pyplay.source.text import origin_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pyplay.playbook.model import Task

_BRINGING = (TaskKind.INCLUDE_TASKS, TaskKind.INCLUDE_ROLE)


class NotifyCheck:
    """The names that may be notified in one play. Where an include could bring handlers, nothing is judged."""

    def __init__(self, blocks: Sequence[Block], handlers: Sequence[Block]) -> None:
        self._names: set[str] = set()
        self._closed = not any(task.kind in _BRINGING for task in (*_tasks(blocks), *_tasks(handlers)))
        for handler in _tasks(handlers):
            for name in (handler.name, *_flat(handler.listen)):
                self._closed = self._closed and not is_unknown(name)
                self._names.update(_qualified(str(name), handler) if name is not None else ())

    def faults(self, task: Task) -> Iterator[Diagnostic]:
        """Warn of each literal notification of the task that nothing answers."""
        if not self._closed or not task.notify:
            return
        for name in _flat(task.notify):
            if isinstance(name, str) and not is_unknown(name) and str(name) not in self._names:
                known = sorted(self._names)
                yield Diagnostic(
                    "unknown-handler",
                    f"requested handler '{name}' was not found: none has that name or listens to it",
                    origin_of(name) or task.origin,
                    length=len(name) if origin_of(name) else 0,
                    help=did_you_mean(name, known)
                    or (f"handlers here: {', '.join(known[:20])}" if known else "the play has no handlers"),
                    severity=Severity.WARNING,
                    key="notify",
                )


def _tasks(items: Iterable[Task | Block]) -> Iterator[Task]:
    for item in items:
        if isinstance(item, Block):
            yield from _tasks((*item.tasks, *item.rescue, *item.always))
        else:
            yield item


def _flat(values: Any) -> Iterator[Any]:
    for value in values:
        if is_list(value):
            yield from _flat(value)
        else:
            yield value


def _qualified(name: str, handler: Task) -> tuple[str, ...]:
    """Give a name as it may be notified: bare, and with the handler's role (short and full name) in front."""
    role = handler.role
    return (name,) if role is None else (name, f"{role.name} : {name}", f"{role.fqcn} : {name}")
