"""validate_argument_spec: check variables against a specification, as roles with `argument_specs` do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ActionFailed
from pyplay.actions.options import Options
from pyplay.remote.module_utils.options import validate  # pyright: ignore[reportUnknownVariableType]  # host-side code has no full types
from pyplay.templating.omit import OMIT
from pyplay.templating.scope import MISSING

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall

OPTIONS = {
    "options": {
        "argument_spec": {"type": "raw", "required": True, "doc": "Options by name, as in `meta/argument_specs.yml`."},
        "provided_arguments": {"type": "raw", "doc": "Values that win over the variables of these names."},
        "validate_args_context": {"type": "raw", "doc": "Comes back with the result."},
        "mutually_exclusive": {"type": "raw", "doc": "Lists of names of which one may be given."},
        "required_together": {"type": "raw", "doc": "Lists of names that are given all or none."},
        "required_one_of": {"type": "raw", "doc": "Lists of names of which one must be given."},
        "required_if": {"type": "raw", "doc": "Lists: a name, a value, and the names that are needed then."},
        "required_by": {"type": "raw", "doc": "Mapping of a name to the names that it needs."},
    },
    "others": "ignored",  # as in Ansible
    "check_mode": "full",
    "diff": False,
    "platforms": "all",
    "returns": {"argument_errors": "What is wrong, one text for each fault."},
}
_OPTIONS = Options("validate_argument_spec", OPTIONS)

_RULES = ("mutually_exclusive", "required_together", "required_one_of", "required_if", "required_by")


async def run(call: ActionCall) -> dict[str, Any]:
    """Check the variables that `argument_spec` names, those of `provided_arguments` first. Raises ActionFailed."""
    args = call.args
    if "argument_spec" not in args:
        raise ActionFailed('"argument_spec" arg is required in args: %s' % sorted(args))  # noqa: UP031  # a literal % is not meant
    args = _OPTIONS.check(args)
    spec: Any = args["argument_spec"]
    provided: Any = args.get("provided_arguments") or {}
    if not isinstance(spec, Mapping) or not isinstance(provided, Mapping):
        raise ActionFailed("argument_spec and provided_arguments need to be mappings")
    context: Any = args.get("validate_args_context") or {}
    given = await call.render(_given, call, spec, provided)
    checked: Any = validate(
        {"options": options_of(spec), **{rule: args[rule] for rule in _RULES if rule in args}}, given
    )
    if not checked.faults:
        return {"msg": "The arg spec validation passed", "validate_args_context": context}
    faults = [str(fault) for fault in checked.faults]
    raise ActionFailed(
        "Validation of arguments failed:\n" + "\n".join(faults),
        argument_errors=faults,
        argument_spec_data=spec,
        validate_args_context=context,
    )


def _given(call: ActionCall, spec: Mapping[str, Any], provided: Mapping[str, Any]) -> dict[str, Any]:
    """Give the values to check: those of variables (and their aliases) that exist, and what was provided."""
    found: dict[str, Any] = {}
    for name, option in spec.items():
        for candidate in (name, *(option.get("aliases") or ())):
            raw = call.templar.scope.get(candidate)
            value = MISSING if raw is MISSING else call.templar.resolve(raw)
            if value is not MISSING and value is not OMIT:
                found[candidate] = value
    return {**found, **provided}


def options_of(spec: Any) -> dict[str, Any]:
    """Give a specification in the form of our modules' OPTIONS: what is `options` inside an option is `suboptions`.

    Raises ActionFailed for what is no mapping of mappings.
    """
    found: dict[str, Any] = {}
    if not isinstance(spec, Mapping):
        raise ActionFailed("options of an argument_spec need to be a mapping")
    for name, option in spec.items():  # pyright: ignore[reportUnknownVariableType]  # checked below
        if not isinstance(option, Mapping):
            raise ActionFailed(f"argument_spec: {name} needs to be a mapping")
        changed: dict[str, Any] = {str(key): value for key, value in option.items() if key != "options"}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]  # checked by validate
        if "options" in option:
            changed["suboptions"] = options_of(option["options"])
        found[str(name)] = changed  # pyright: ignore[reportUnknownArgumentType]  # a name
    return found
