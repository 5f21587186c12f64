"""set_fact: set variables of a host for the rest of the run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ActionFailed
from pyplay.actions.options import Options
from pyplay.playbook.fields import NAMES, invalid_name, is_variable_name
from pyplay.source.reads import is_for_users
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
    raws: dict[str, Any] = {}
    for name, value in args.items():
        if name != "cacheable":
            shown = str(await call.render(call.templar.resolve, name) if is_template(name) else name)
            facts[shown], raws[shown] = value, call.task.args.get(name, value)
    if not facts:
        raise ActionFailed("No key/value pairs provided, at least one is required for this action to succeed")
    for name in facts:
        if not is_variable_name(name):
            raise ActionFailed(f"{invalid_name(name)}: {NAMES}")
    if any(map(is_for_users, facts)):
        from pyplay.variables.trust import with_trust  # noqa: PLC0415  # listings read the tables of actions alone

        facts = await call.render(with_trust, facts, raws, call.templar)
    return {"ansible_facts": facts, "_ansible_facts_cacheable": args["cacheable"]}
