"""Finding the handlers that a notification means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.errors import AuthorError
from pyplay.diagnostics.model import Diagnostic, Severity
from pyplay.diagnostics.suggest import nearest
from pyplay.engine.freeze import frozen
from pyplay.engine.render import flattened
from pyplay.engine.selection import walk
from pyplay.playbook.model import Block
from pyplay.source.text import origin_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from pyplay.diagnostics.model import Origin
    from pyplay.playbook.model import Task


class UnknownHandlerError(AuthorError):
    """A task notified a name that no handler has and none listens to."""


class Handlers:
    """The handlers of one play, in the order in which a flush runs them, and their names.

    `render` renders a handler's name; topics are taken as written. `warn` takes what is wrong with handlers, when a
    notification is looked up first. A handler is known by its name and by the topics
    that it listens to, each also as `role : name` with the role's short or full name. Of several with one name the one
    loaded last counts: the play's over its roles'; within one block the first, as in Ansible.
    """

    def __init__(
        self,
        blocks: Iterable[Block],
        render: Callable[[Any, Task], Any],
        warn: Callable[[Diagnostic], None] | None = None,
    ) -> None:
        self.block = Block(tasks=[])
        self._render, self._warn = render, warn
        self._unusable: list[Diagnostic] = []
        self._known: dict[Hashable, Task] = {}
        self._newest: dict[int, Task] = {}
        self._names: dict[str, Task] = {}
        self._topics: dict[str, dict[Origin, Task]] = {}  # of a handler loaded again, the last counts
        self._found: dict[str, tuple[Task, ...]] = {}
        for block in blocks:
            self.add(block)

    def add(self, block: Block) -> None:
        """Take one more block of handlers (those of a role included later come last).

        A role that is used again brings its handlers anew: they are the same ones, with the newest variables.
        """
        tasks = [self._standing(task) for task in walk([block])]
        standing = set(map(id, self.block.tasks))
        self.block.tasks.extend(task for task in tasks if id(task) not in standing)
        self._found.clear()
        named: dict[str, Task] = {}
        for task in tasks:
            for name in self._names_of(task):
                named.setdefault(name, task)
            for topic in flattened(task.listen):
                for name in qualified(str(topic), task):
                    self._topics.setdefault(name, {})[task.origin] = task
        self._names.update(named)

    def _standing(self, task: Task) -> Task:
        """Give the task that stands for the handler, the first one loaded; `task` is run in its place from now on."""
        first = self._known.setdefault(_key(task), task)
        if first is not task:
            self._newest[first.id] = task
        return first

    def newest(self, task: Task) -> Task:
        """Give what is to be run when `task` comes: the handler as it was loaded last, or the task itself."""
        return self._newest.get(task.id, task)

    def _names_of(self, task: Task) -> list[str]:
        rendered = self._rendered(task.name, task) if task.name is not None else None
        if not isinstance(rendered, str):
            return []
        return qualified(rendered, task)

    def _rendered(self, raw: Any, task: Task) -> Any:
        try:
            return self._render(raw, task)
        except AuthorError as error:  # a name that cannot be rendered can be nobody's
            if not task.listen:
                self._unusable.append(_unusable(raw, error, origin_of(raw) or task.origin))
            return None

    def find(self, notification: str) -> tuple[Task, ...]:
        """Give the handlers that `notification` means: the one of that name and all that listen to it; maybe none."""
        while self._unusable:
            diagnostic = self._unusable.pop(0)
            if self._warn is not None:
                self._warn(diagnostic)
        found = self._found.get(notification)
        if found is None:
            named = self._names.get(notification)
            candidates = [named] if named is not None else []
            candidates += self._topics.get(notification, {}).values()
            found = self._found[notification] = tuple(dict.fromkeys(candidates))
        return found

    def knows(self, notification: str) -> bool:
        """Tell whether `find` would find something."""
        return notification in self._names or bool(self._topics.get(notification))

    def unknown(self, notification: str, origin: Origin | None) -> UnknownHandlerError:
        """Give the error of a notification that nothing answers."""
        known = list(dict.fromkeys([*self._names, *self._topics]))
        close = nearest(notification, known)
        if close:
            help_ = f"did you mean {close!r}?"
        elif known:
            help_ = "handlers here: " + ", ".join(known[:20])
        else:
            help_ = "the play has no handlers"
        message = f"requested handler {notification!r} was not found: none has that name or listens to it"
        return UnknownHandlerError([Diagnostic("unknown-handler", message, origin, help=help_)])


def _unusable(raw: Any, error: AuthorError, origin: Origin | None) -> Diagnostic:
    return Diagnostic(
        "unusable-handler",
        f"nothing can notify the handler '{raw}', whose name cannot be rendered: {error}",
        origin,
        help="name it without variables of hosts, or let it 'listen' to a topic",
        severity=Severity.WARNING,
    )


def qualified(name: str, task: Task) -> list[str]:
    """Give `name` as it may be notified: bare, and with the handler's role (short and full name) in front."""
    if task.role is None:
        return [name]
    return [name, f"{task.role.name} : {name}", f"{task.role.fqcn} : {name}"]


def _key(task: Task) -> Hashable:
    """Give what two handlers share that are the same: where they are written, and the variables of static imports."""
    return task.origin, frozen(task.block_vars)
