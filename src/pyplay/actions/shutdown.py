"""community.general.shutdown: shut the host down; that it goes away is what is wanted."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ActionFailed
from pyplay.actions.options import Options
from pyplay.diagnostics.errors import HostUnreachable, RunnerError

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall

OPTIONS = {
    "options": {
        "delay": {"type": "int", "default": 0, "doc": "Seconds to wait before it goes down; whole minutes count."},
        "msg": {"type": "str", "default": "Shut down initiated by pyplay", "doc": "What users of the host are told."},
        "search_paths": {
            "type": "list",
            "elements": "path",
            "default": ["/sbin", "/usr/sbin", "/usr/local/sbin"],
            "doc": "Where shutdown is searched, and nowhere else.",
        },
    },
    "check_mode": "full",
    "diff": False,
    "platforms": "posix",
    "returns": {"shutdown": "Whether it was shut down.", "shutdown_command": "The command that did it."},
}
_OPTIONS = Options("community.general.shutdown", OPTIONS)

_FIND = """echo "$(uname -s)"; for folder in {folders}; do
    if [ -x "$folder/shutdown" ]; then echo "$folder/shutdown"; exit; fi
done; command -v systemctl || command -v poweroff"""
_MINUTE = 60


async def run(call: ActionCall) -> dict[str, Any]:
    """Shut the host down, by systemd where it has no shutdown. Raises ActionFailed."""
    args = _OPTIONS.check(call.args)
    if await call.remote.is_local():
        raise ActionFailed(
            "Running shutdown with local connection would shutdown the control node.", elapsed=0, shutdown=False
        )
    command = await _command(call, args)
    if not call.check_mode:
        await _shut_down(call, command)
    return {"changed": True, "shutdown": True, "shutdown_command": command}


async def _command(call: ActionCall, args: dict[str, Any]) -> str:
    """Give the command that shuts the host down. Raises ActionFailed if it has none."""
    answer = await call.remote.raw(_FIND.format(folders=" ".join(map(shlex.quote, args["search_paths"]))))
    system, *found = str(answer["stdout"]).split("\n")
    program = next((line.strip() for line in found if line.strip()), "")
    if not program:
        places = ", ".join(args["search_paths"])
        raise ActionFailed(f'Unable to find command "shutdown" in search paths: {places}', shutdown=False)
    if program.endswith("systemctl"):
        return f"{program} poweroff"
    if program.endswith("poweroff"):
        return program
    delay: int = max(0, args["delay"])
    when = f"-p +{delay}s" if system.strip() == "FreeBSD" else f"-h {delay // _MINUTE}"
    if system.strip() in ("Darwin", "OpenBSD"):
        when = f"-h +{delay // _MINUTE}"
    return f"{shlex.quote(program)} {when} {shlex.quote(args['msg'])}"


async def _shut_down(call: ActionCall, command: str) -> None:
    try:
        answer = await call.remote.raw(command)
    except (HostUnreachable, RunnerError):
        return
    if answer["rc"] > 0 and not (answer["rc"] == 255 and not answer["stderr"].strip()):
        said = f"{answer['stdout']} {answer['stderr']}".strip()
        raise ActionFailed(f"Shutdown command failed, error was: {said}", shutdown=False)
