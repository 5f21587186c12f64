"""A task's arguments, rendered: module defaults below, free-form text and templated mappings taken apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.errors import PlaybookError
from pyplay.playbook.builtin import is_builtin, short_name, takes_free_form
from pyplay.source.splitter import parse_kv
from pyplay.source.text import Trusted, origin_of
from pyplay.templating.omit import OMIT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyplay.playbook.model import Task
    from pyplay.templating.templar import Templar

RAW = "_raw_params"
VARIABLE = "_variable_params"  # the text of `args: "{{ mapping }}"`


def render_arguments(task: Task, templar: Templar) -> dict[str, Any]:
    """Give the rendered arguments of `task`, without those that rendered to `omit`.

    Own arguments win over those of a templated mapping, these over `module_defaults`, inner over outer.
    Raises PlaybookError and what rendering raises.
    """
    found: dict[str, Any] = {}
    for defaults in _defaults(task, templar, {task.action, task.resolved_action}):
        found.update(defaults)
    if VARIABLE in task.args:
        found.update(_mapping(task.args[VARIABLE], templar, task))
    for name, raw in task.args.items():
        if name != VARIABLE:
            found[name] = templar.resolve(raw)
    _spread_raw(found, task)
    return {name: value for name, value in found.items() if value is not OMIT}


def _mapping(raw: Any, templar: Templar, task: Task) -> Mapping[str, Any]:
    value = templar.resolve(raw)
    if isinstance(value, Mapping):
        return value  # pyright: ignore[reportUnknownVariableType]  # checked by the module
    raise PlaybookError.of(
        "args-not-mapping", f"args gives a {type(value).__name__}, it needs a mapping", origin_of(raw) or task.origin
    )


def _spread_raw(found: dict[str, Any], task: Task) -> None:
    """Take apart the free-form text of a module that takes none: a mapping, or `key=value` words.

    Raises PlaybookError for other text.
    """
    raw = found.get(RAW)
    if raw is None or takes_free_form(task.resolved_action):
        return
    if isinstance(raw, Mapping):
        del found[RAW]
        found.update({name: value for name, value in raw.items() if name not in found})  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType, reportUnknownArgumentType]  # checked by the module
    elif isinstance(raw, str) and "=" in raw:
        del found[RAW]
        origin = origin_of(task.args.get(RAW)) or task.origin
        parsed = parse_kv(Trusted(raw, origin))
        found.update({name: str(value) for name, value in parsed.items() if name not in found})
    if RAW in found and is_builtin(task.resolved_action):
        raise PlaybookError.of("free-form", f"{task.action} takes no free text: '{raw}' is no option", task.origin)


def module_defaults(task: Task, templar: Templar, name: str) -> dict[str, Any]:
    """Give the rendered module_defaults of the built-in `name`, which an action calls in place of its own module."""
    found: dict[str, Any] = {}
    for defaults in _defaults(task, templar, {name}):
        found.update(defaults)
    return {name: value for name, value in found.items() if value is not OMIT}


def _defaults(task: Task, templar: Templar, actions: set[str]) -> Iterator[Mapping[str, Any]]:
    """Give the module_defaults of `actions` that apply, outermost first, rendered."""
    if not task.module_defaults:
        return
    names = {short_name(action) for action in actions}
    for level in task.module_defaults:
        entries = _mapping_of(templar.resolve(level) if isinstance(level, str) else level, "of modules", level, task)
        for name, raw in entries.items():
            if short_name(str(name)) in names:
                yield _mapping_of(templar.resolve(raw) or {}, f"of {name}'s options", raw, task)


def _mapping_of(value: Any, what: str, raw: Any, task: Task) -> Mapping[str, Any]:
    """Give `value`, what an entry of module_defaults rendered to. Raises PlaybookError if it is no mapping."""
    if isinstance(value, Mapping):
        return value  # pyright: ignore[reportUnknownVariableType]  # names and options
    message = f"module_defaults needs a mapping {what}, not {value!r}"
    raise PlaybookError.of("bad-value", message, origin_of(raw) or task.origin)
