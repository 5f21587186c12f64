"""shell: the command module with a shell around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ActionFailed

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall


async def run(call: ActionCall) -> dict[str, Any]:
    """Run the command module with `_uses_shell`."""
    if "expand_argument_vars" in call.args:
        mend = "a shell always replaces $VARIABLES: use command for expand_argument_vars"
        raise ActionFailed("Unsupported parameters for (shell) module: expand_argument_vars", warnings=[mend])
    return await call.remote.module("command", {**call.args, "_uses_shell": True}, main=True)
