"""raw: a line for the host's shell, without Python there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ActionFailed
from pyplay.actions.options import Options, text

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall

OPTIONS = {
    "options": {
        "_raw_params": {"type": "str", "doc": "The line, handed to the shell as it is."},
        "executable": {"type": "str", "doc": "The shell; that of the connection if not given."},
    },
    "others": "ignored",  # as in Ansible
    "check_mode": "none",
    "diff": False,
    "platforms": "all",
    "returns": {"rc": "Its exit status.", "stdout": "Its output.", "stderr": "Its errors."},
}
_OPTIONS = Options("raw", OPTIONS)


async def run(call: ActionCall) -> dict[str, Any]:
    """Run the line; its output is the result."""
    args = _OPTIONS.check(call.args)
    command = text(args, "_raw_params")
    if not command:
        raise ActionFailed("no command given")
    if call.check_mode:
        return {"skipped": True}
    result = {"changed": True, **await call.remote.raw(command, executable=text(args, "executable"))}
    if result["rc"]:
        result.update(failed=True, msg="non-zero return code")
    return result
