"""set_fact: set variables of a host for the rest of the run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ActionFailed
from pyplay.actions.options import Options
from pyplay.playbook.fields import NAMES, invalid_name, is_variable_name
from pyplay.templating.syntax import is_template

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall

OPTIONS = {
    "options": {
        "cacheable": {"type": "bool", "default": False, "doc": "Keep the values in the fact cache, too, as facts."},
    },
    "others": "taken",  # the variables to set
    "check_mode": "full",
    "diff": False,
    "platforms": "all",
    "returns": {"ansible_facts": "The variables that were set."},
}
_OPTIONS = Options("set_fact", OPTIONS)


async def run(call: ActionCall) -> dict[str, Any]:
    """Give the values as `ansible_facts`. Raises ActionFailed for names that are none."""
    args = _OPTIONS.check(call.args)
    facts: dict[str, Any] = {}
    for name, value in args.items():
        if name != "cacheable":
            facts[str(await call.render(call.templar.resolve, name) if is_template(name) else name)] = value
    if not facts:
        raise ActionFailed("No key/value pairs provided, at least one is required for this action to succeed")
    for name in facts:
        if not is_variable_name(name):
            raise ActionFailed(f"{invalid_name(name)}: {NAMES}")
    return {"ansible_facts": facts, "_ansible_facts_cacheable": args["cacheable"]}
