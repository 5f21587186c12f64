"""set_fact: set variables of a host for the rest of the run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ActionFailed
from pyplay.actions.options import boolean
from pyplay.templating.templar import is_template

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall


async def run(call: ActionCall) -> dict[str, Any]:
    """Give the values as `ansible_facts`. Raises ActionFailed for names that are none."""
    facts: dict[str, Any] = {}
    for name, value in call.args.items():
        if name != "cacheable":
            facts[str(await call.render(call.templar.resolve, name) if is_template(name) else name)] = value
    if not facts:
        raise ActionFailed("No key/value pairs provided, at least one is required for this action to succeed")
    for name in facts:
        if not name.isidentifier() or not name.isascii():
            raise ActionFailed(
                f"Invalid variable name {name!r}: a name has letters, digits and underscores, and starts with no digit"
            )
    return {"ansible_facts": facts, "_ansible_facts_cacheable": boolean(call.args, "cacheable")}
