"""fail: let the task fail with a message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ActionFailed
from pyplay.actions.options import Options

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall

OPTIONS = {
    "options": {
        "msg": {"type": "raw", "default": "Failed as requested from task", "doc": "Why."},
    },
    "check_mode": "full",
    "diff": False,
    "platforms": "all",
    "returns": {},
}
_OPTIONS = Options("fail", OPTIONS)

_DEFAULT = "Failed as requested from task"


async def run(call: ActionCall) -> dict[str, Any]:
    """Fail. Raises ActionFailed, always."""
    args = _OPTIONS.check(call.args)
    raise ActionFailed(_DEFAULT if args["msg"] == "" else args["msg"])
