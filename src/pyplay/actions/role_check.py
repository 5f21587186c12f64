"""What can be known to be wrong with the variables of a static role that describes them in `argument_specs`.

Judged are values that the playbook writes for the role without templates, as parameters or `vars`, and variables that
nothing gives.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ActionFailed
from pyplay.actions.option_check import is_unknown, place_inside
from pyplay.actions.spec import names_in, validated
from pyplay.actions.validate_argument_spec import options_of
from pyplay.diagnostics.model import Diagnostic
from pyplay.diagnostics.patterns import late_pattern
from pyplay.source.shapes import is_list, is_map
from pyplay.source.text import SourceMap, origin_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pyplay.actions.spec import Fault
    from pyplay.playbook.model import Role, Task

ACTION = "ansible.builtin.validate_argument_spec"
_LATER = "{{ … }}"  # what stands for a value that is not known yet
_PART = late_pattern(r"[^.\[\]]+")


def checks_role(task: Task) -> bool:
    """Tell whether `task` is the check of a role's variables that the parser put before the role's tasks."""
    about = task.args.get("validate_args_context")
    return task.resolved_action == ACTION and task.role is not None and is_map(about) and about.get("type") == "role"


def role_faults(
    task: Task, role: Role, extra_vars: Mapping[str, Any], is_missing: Callable[[str], bool]
) -> Iterator[tuple[Diagnostic, bool]]:
    """Give the faults of what is written for `role`, and whether later variables may still win over what is wrong.

    `is_missing(name)` tells that a variable is sure to be defined nowhere else when the role begins.
    """
    spec: Any = task.args.get("argument_spec")
    if not is_map(spec) or _has_templates(spec):
        return
    try:
        options = options_of(spec)
    except ActionFailed:
        return  # told when the task is reached
    sources = [role.params, extra_vars, task.vars, *reversed(task.block_vars)]
    names = names_in(options)
    found = {name: source for source in reversed(sources) for name in names if name in source}
    given: dict[str, Any] = {name: source[name] for name, source in found.items()}
    for name, option in options.items():
        aliases = [alias for alias, own in names.items() if own == name]
        if option.get("required") and found.keys().isdisjoint(aliases) and not all(map(is_missing, aliases)):
            given[name] = _LATER
    for fault in validated({"options": options}, given, is_unknown).faults:
        source = found.get(next(iter(_PART.findall(fault.option)), ""), {})
        certain = not source or source is role.params or source is extra_vars
        yield _diagnostic(fault, task, role, source), not certain


def _diagnostic(fault: Fault, task: Task, role: Role, source: Mapping[str, Any]) -> Diagnostic:
    """Give a fault with the place of the value, or of the use of the role where nothing is written."""
    parts: list[str] = _PART.findall(fault.option)
    key = parts[0] if parts else ""
    origin = source.key_origins.get(key) if isinstance(source, SourceMap) else None
    value = source.get(key)
    for part in parts[1:]:
        inner, place = place_inside(value, part)
        if inner is None:
            break
        value, origin = inner, place or origin
    origin = origin_of(value) or origin or task.origin
    secret = is_map(spec := task.args["argument_spec"].get(key)) and spec.get("no_log")
    message = "a value of this option does not fit" if secret and fault.code != "missing-option" else fault.message
    return Diagnostic(fault.code, f"role '{role.name}': {message}", origin, help="" if secret else fault.help, key=key)


def _has_templates(value: Any) -> bool:
    if is_map(value):
        return any(map(_has_templates, value.values()))
    return any(map(_has_templates, value)) if is_list(value) else is_unknown(value)
