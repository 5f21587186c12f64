"""shell: the command module with a shell around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall


async def run(call: ActionCall) -> dict[str, Any]:
    """Run the command module with `_uses_shell`."""
    return await call.remote.module("command", {**call.args, "_uses_shell": True}, main=True)
