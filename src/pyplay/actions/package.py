"""package: the module of the host's own package manager."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ActionFailed
from pyplay.actions.detect import host_fact
from pyplay.actions.options import text

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall

_RENAMED = {"yum": "dnf", "dnf4": "dnf"}


async def run(call: ActionCall) -> dict[str, Any]:
    """Run the package manager's module with the task's options."""
    manager = text(call.args, "use") or "auto"
    if manager == "auto":
        manager = await host_fact(call, "pkg_mgr") or "unknown"
    if manager in ("auto", "unknown"):
        raise ActionFailed(
            "Could not detect which package manager to use. Gather facts, or name one with the option 'use'."
        )
    name = _RENAMED.get(manager, manager)
    args = {option: value for option, value in call.args.items() if option != "use"}
    return await call.remote.module(name, {**call.defaults(name), **args}, main=True)
