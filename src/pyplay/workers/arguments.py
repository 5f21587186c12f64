"""A task's arguments, rendered: module defaults below, free-form text and templated mappings taken apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from pyplay.diagnostics.errors import PlaybookError
from pyplay.playbook.builtin import is_builtin, short_name, takes_free_form
from pyplay.source.splitter import parse_kv
from pyplay.source.text import Trusted, origin_of
from pyplay.templating.omit import OMIT
from pyplay.variables.trust import rendered_with_trust
from pyplay.workers.module_defaults import defaults_of

if TYPE_CHECKING:
    from pyplay.playbook.model import Task
    from pyplay.templating.templar import Templar
    from pyplay.workers.module_defaults import ModuleNames

RAW = "_raw_params"
_SETTERS = frozenset({"set_fact", "add_host"})
"""Actions whose arguments become variables: of those it stays known which users' words alone made."""

VARIABLE = "_variable_params"  # the text of `args: "{{ mapping }}"`


def render_arguments(task: Task, templar: Templar, names: ModuleNames) -> dict[str, Any]:
    """Give the rendered arguments of `task`, without those that rendered to `omit`.

    Own arguments win over those of a templated mapping, these over `module_defaults`, in which `names` knows modules.
    Raises PlaybookError and what rendering raises.
    """
    found: dict[str, Any] = defaults_of(task, templar, task.action, names)
    if VARIABLE in task.args:
        found.update(_mapping(task.args[VARIABLE], templar, task))
    sets_variables = short_name(task.resolved_action) in _SETTERS
    for name, raw in task.args.items():
        if name != VARIABLE:
            found[name] = rendered_with_trust(name, raw, templar) if sets_variables else templar.resolve(raw)
    _spread_raw(found, task)
    return {name: value for name, value in found.items() if value is not OMIT}


def rendered_apply(task: Task, templar: Templar) -> dict[str, Any] | None:
    """Return the `apply` of an include, rendered for one host and item; None where it is as it is written.

    As in ansible-core, `apply` is an argument: what it says is decided when the include runs. Raises as rendering does.
    """
    written = task.apply or {}
    rendered = {keyword: templar.resolve(raw) for keyword, raw in written.items()}
    if rendered == written:
        return None
    pairs = ((keyword, value if value != written[keyword] else written[keyword]) for keyword, value in rendered.items())
    found = {keyword: value for keyword, value in pairs if value is not OMIT}
    tags: Any = found.get("tags")
    if isinstance(tags, list):  # a template among them may give a list
        parts = cast("list[Any]", tags)
        found["tags"] = [
            tag for part in parts for tag in (cast("list[Any]", part) if isinstance(part, list) else [part])
        ]
    return found


def _mapping(raw: Any, templar: Templar, task: Task) -> Mapping[str, Any]:
    value = templar.resolve(raw)
    if value is OMIT:
        return {}
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
        found.update({name: value for name, value in raw.items() if name not in found})  # pyright: ignore[reportUnknownVariableType]  # checked by the module
    elif isinstance(raw, str) and "=" in raw:
        del found[RAW]
        origin = origin_of(task.args.get(RAW)) or task.origin
        parsed = parse_kv(Trusted(raw, origin))
        found.update({name: str(value) for name, value in parsed.items() if name not in found})
    if RAW in found and is_builtin(task.resolved_action):
        raise PlaybookError.of("free-form", f"{task.action} takes no free text: '{raw}' is no option", task.origin)


def module_defaults(task: Task, templar: Templar, names: ModuleNames, name: str) -> dict[str, Any]:
    """Give the rendered module_defaults of the built-in `name`, which an action calls in place of its own module."""
    return {key: value for key, value in defaults_of(task, templar, name, names).items() if value is not OMIT}
