"""shell: the command module with a shell around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ActionFailed

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall


async def run(call: ActionCall) -> dict[str, Any]:
    """Run the command module with `_uses_shell`."""
    if "expand_argument_vars" in call.args:
        raise ActionFailed("unknown option 'expand_argument_vars': a shell always replaces $VARIABLES; use command")
    return await call.remote.module("command", {**call.args, "_uses_shell": True}, main=True)
