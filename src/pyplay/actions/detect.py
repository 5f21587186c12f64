"""Finding out which of several modules suits a host: from its facts, or by asking it.

What a host says is data: whoever asks looks it up in a table of its own. Only what is `Trusted`, a user's own variable,
may name any module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.errors import AuthorError
from pyplay.source.text import Trusted
from pyplay.templating.scope import MISSING

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall


async def host_fact(call: ActionCall, name: str) -> str | None:
    """Return the fact `name` (without `ansible_`) of the host the task runs on; None if it is not to be had."""
    known = await call.render(_known, call, name)
    if known:
        return known if isinstance(known, Trusted) else str(known)
    answer = await call.remote.module(
        "setup", {"gather_subset": ["!all", name], "filter": [f"ansible_{name}"]}, check_mode=False
    )
    facts: dict[str, Any] = answer.get("ansible_facts") or {}
    found = facts.get(f"ansible_{name}")
    return None if not found else str(found)


def _known(call: ActionCall, name: str) -> Any:
    """Give the fact if it was gathered before, or is set as a variable; a delegate's from its own variables."""
    if call.delegate:
        where = f"hostvars[{call.delegate!r}]"
        return _value(call, f"{where}.ansible_facts.{name} | default({where}.ansible_{name}) | default('')")
    scope = call.templar.scope
    found = None
    if scope.get("ansible_facts") is not MISSING:
        found = _value(call, f"ansible_facts.{name} | default('')")
    if not found and scope.get(f"ansible_{name}") is not MISSING:
        found = _value(call, f"ansible_{name}")
    return found


def _value(call: ActionCall, expression: str) -> Any:
    try:
        return call.templar.evaluate(expression)
    except AuthorError:
        return None
