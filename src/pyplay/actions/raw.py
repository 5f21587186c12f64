"""raw: a line for the host's shell, without Python there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ActionFailed
from pyplay.actions.options import check_known, text

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall


async def run(call: ActionCall) -> dict[str, Any]:
    """Run the line; its output is the result."""
    check_known("raw", call.args, ("_raw_params", "executable"))
    command = text(call.args, "_raw_params")
    if not command:
        raise ActionFailed("no command given")
    if call.check_mode:
        return {"skipped": True}
    result = {"changed": True, **await call.remote.raw(command, executable=text(call.args, "executable"))}
    if result["rc"]:
        result.update(failed=True, msg="non-zero return code")
    return result
