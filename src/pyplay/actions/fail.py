"""fail: let the task fail with a message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ActionFailed
from pyplay.actions.options import check_known

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall


async def run(call: ActionCall) -> dict[str, Any]:
    """Fail. Raises ActionFailed, always."""
    check_known("fail", call.args, ("msg",))
    raise ActionFailed(call.args.get("msg") or "Failed as requested from task")
