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
    msg = call.args.get("msg")
    raise ActionFailed("Failed as requested from task" if msg is None or msg == "" else msg)
