"""validate_argument_spec: check variables against a specification, as roles with `argument_specs` do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ActionFailed
from pyplay.actions.options import check_known
from pyplay.remote.module_utils.options import validate  # pyright: ignore[reportUnknownVariableType]  # host-side code has no full types
from pyplay.templating.omit import OMIT
from pyplay.templating.scope import MISSING

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall

_OPTIONS = ("argument_spec", "provided_arguments", "validate_args_context")
_RULES = ("mutually_exclusive", "required_together", "required_one_of", "required_if", "required_by")


async def run(call: ActionCall) -> dict[str, Any]:
    """Check the variables that `argument_spec` names, those of `provided_arguments` first. Raises ActionFailed."""
    args = call.args
    check_known("validate_argument_spec", args, _OPTIONS)
    if "argument_spec" not in args:
        raise ActionFailed('"argument_spec" arg is required in args: %s' % sorted(args))  # noqa: UP031  # a literal % is not meant
    spec: Any = args["argument_spec"]
    provided: Any = args.get("provided_arguments") or {}
    if not isinstance(spec, Mapping) or not isinstance(provided, Mapping):
        raise ActionFailed("argument_spec and provided_arguments need to be mappings")
    context: Any = args.get("validate_args_context") or {}
    given = await call.render(_given, call, spec, provided)  # pyright: ignore[reportUnknownArgumentType]  # checked below
    checked: Any = validate({"options": _options(spec), **{rule: args[rule] for rule in _RULES if rule in args}}, given)  # pyright: ignore[reportUnknownArgumentType]  # as above
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


def _options(spec: Any) -> dict[str, Any]:
    """Give a specification in the form of our modules' OPTIONS: what is `options` inside an option is `suboptions`."""
    found: dict[str, Any] = {}
    if not isinstance(spec, Mapping):
        raise ActionFailed("options of an argument_spec need to be a mapping")
    for name, option in spec.items():  # pyright: ignore[reportUnknownVariableType]  # checked below
        if not isinstance(option, Mapping):
            raise ActionFailed(f"argument_spec: {name} needs to be a mapping")
        changed: dict[str, Any] = {str(key): value for key, value in option.items() if key != "options"}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]  # checked by validate
        if "options" in option:
            changed["suboptions"] = _options(option["options"])
        found[str(name)] = changed  # pyright: ignore[reportUnknownArgumentType]  # a name
    return found
