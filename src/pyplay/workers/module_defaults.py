"""module_defaults: which of a task's levels of defaults hold for its module, by whatever names they are written.

An entry for a module takes the place of the one that an outer level has for it, as a whole; so does one for a group.
The module's own entry goes over those of groups. Observed in ansible-core 2.21.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from pyplay.diagnostics.errors import PlaybookError
from pyplay.playbook.builtin import resolve_action
from pyplay.source.text import origin_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyplay.playbook.model import Task
    from pyplay.templating.templar import Templar

GROUP = "group/"


class _Name(Protocol):
    @property
    def name(self) -> str:
        """The full name."""
        ...


class ModuleNames(Protocol):
    """What knows modules by all their names. See `shipping.search.ModuleSearch`."""

    def canonical(self, name: str, *, roles: Sequence[str] = (), collections: Sequence[str] = ()) -> _Name:
        """Give the full name of a module. Raises PlaybookError if there is none."""
        ...

    def in_group(self, name: str, group: str) -> bool:
        """Tell whether the module of a full name is in an action group. Raises PlaybookError if there is none."""
        ...


class _Named(NamedTuple):
    name: str


class BuiltinNames:
    """Knows the built-in modules alone."""

    def canonical(self, name: str, *, roles: Sequence[str] = (), collections: Sequence[str] = ()) -> _Name:
        """Give the full name of a built-in module; others as they are."""
        del roles, collections
        return _Named(resolve_action(name))

    def in_group(self, name: str, group: str) -> bool:
        """There are no groups."""
        del name, group
        return False


def defaults_of(task: Task, templar: Templar, action: str, names: ModuleNames) -> dict[str, Any]:
    """Give the rendered defaults that `task` has for the module `action`, by option."""
    if not task.module_defaults:
        return {}
    wanted = _full(action, task, names)
    groups: dict[str, Any] = {}
    own: Any = None
    for level in task.module_defaults:
        entries = _mapping(
            templar.resolve(level) if isinstance(level, str) else level, "modules to options", level, task
        )
        for key, raw in entries.items():
            written = str(key)
            if written.startswith(GROUP):
                if _is_member(wanted, written.removeprefix(GROUP), names):
                    groups[written] = raw
            elif _full(written, task, names) == wanted:
                own = raw
    found: dict[str, Any] = {}
    for raw in (*groups.values(), own):
        found.update(_mapping(templar.resolve(raw) or {}, "options to values", raw, task))
    return found


def _mapping(value: Any, what: str, raw: Any, task: Task) -> Mapping[str, Any]:
    """Give `value`, which a level or entry rendered to. Raises PlaybookError if it is no mapping."""
    if isinstance(value, Mapping):
        return value  # pyright: ignore[reportUnknownVariableType]  # names and options
    message = f"module_defaults needs a mapping of {what}, not {value!r}"
    raise PlaybookError.of("bad-value", message, origin_of(raw) or task.origin)


def _full(name: str, task: Task, names: ModuleNames) -> str:
    if name == task.action:
        return task.resolved_action
    roles = [task.role.path, *(parent.path for parent in task.role.parents)] if task.role else ()
    try:
        return names.canonical(name, roles=roles, collections=task.collections).name
    except PlaybookError:  # noted while parsing; a task that runs is not about it
        return name


def _is_member(action: str, group: str, names: ModuleNames) -> bool:
    try:
        return names.in_group(action, group)
    except PlaybookError:  # as above
        return False
