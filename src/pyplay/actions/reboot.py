"""reboot: restart the host, and wait until it is back and really has been restarted."""

from __future__ import annotations

import asyncio
import shlex
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ActionFailed
from pyplay.actions.options import Options
from pyplay.actions.reconnect import StillAwayError, wait_until
from pyplay.diagnostics.errors import HostUnreachable, RunnerError

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall

OPTIONS = {
    "options": {
        "boot_time_command": {
            "type": "str",
            "default": "cat /proc/sys/kernel/random/boot_id",
            "doc": "Command whose output is another one after a reboot.",
        },
        "connect_timeout": {
            "type": "float",
            "aliases": ["connect_timeout_sec"],
            "doc": "Seconds that connecting may take.",
        },
        "msg": {"type": "str", "default": "Reboot initiated by pyplay", "doc": "What users of the host are told."},
        "post_reboot_delay": {
            "type": "float",
            "default": 0,
            "aliases": ["post_reboot_delay_sec"],
            "doc": "Seconds to wait after it went down before it is looked for.",
        },
        "pre_reboot_delay": {
            "type": "float",
            "default": 0,
            "aliases": ["pre_reboot_delay_sec"],
            "doc": "Seconds to wait before it goes down; whole minutes count.",
        },
        "reboot_command": {"type": "str", "doc": "Command that reboots, in place of shutdown."},
        "reboot_timeout": {
            "type": "float",
            "default": 600,
            "aliases": ["reboot_timeout_sec"],
            "doc": "Seconds after which to give up.",
        },
        "search_paths": {
            "type": "list",
            "elements": "str",
            "default": ["/sbin", "/bin", "/usr/sbin", "/usr/bin", "/usr/local/sbin"],
            "doc": "Where shutdown is searched.",
        },
        "test_command": {"type": "str", "default": "whoami", "doc": "Command that must succeed when it is back."},
    },
    "check_mode": "full",
    "diff": False,
    "platforms": "posix",
    "returns": {"rebooted": "Whether it was rebooted.", "elapsed": "Seconds that it took."},
}
_OPTIONS = Options("reboot", OPTIONS)

_EACH = 30.0
_PAUSE = 2.0


async def run(call: ActionCall) -> dict[str, Any]:
    """Reboot the host. Raises ActionFailed if it does not come back in time."""
    args = _OPTIONS.check(call.args)
    if await call.remote.is_local():
        raise ActionFailed(
            "Running reboot with local connection would reboot the control node.", elapsed=0, rebooted=False
        )
    if call.check_mode:
        return {"changed": True, "elapsed": 0, "rebooted": True}
    started = time.monotonic()
    boot_id: str = args["boot_time_command"]
    before = await _said(call, boot_id)
    await _shut_down(call, args)
    await asyncio.sleep(args["post_reboot_delay"])
    try:
        await _wait(call, boot_id, before, args["reboot_timeout"], args["test_command"])
    except StillAwayError as error:
        elapsed = int(time.monotonic() - started)
        raise ActionFailed(
            f"Timed out waiting for the host to come back: {error}", changed=True, elapsed=elapsed, rebooted=True
        ) from error
    return {"changed": True, "elapsed": int(time.monotonic() - started), "rebooted": True}


async def _said(call: ActionCall, command: str) -> str:
    answer = await call.remote.raw(command)
    if answer["rc"]:
        raise ActionFailed(f"{command}: {answer['stderr'].strip()}", reboot=False)
    return str(answer["stdout"]).strip()


async def _shut_down(call: ActionCall, args: dict[str, Any]) -> None:
    """Have the host go down; that the connection ends meanwhile is what is wanted."""
    delay = max(0, args["pre_reboot_delay"])
    minutes = int(delay // 60)
    command = args.get("reboot_command") or _shutdown(args["search_paths"], minutes, args["msg"])
    start = datetime.now(UTC).isoformat()
    try:
        answer = await call.remote.raw(command)
    except (HostUnreachable, RunnerError):
        return
    if answer["rc"] > 0 and not (answer["rc"] == 255 and not answer["stderr"].strip()):
        raise ActionFailed(
            f"Reboot command failed, error was: {answer['stdout']} {answer['stderr']}".strip(),
            rebooted=False,
            start=start,
            elapsed=0,
        )
    await asyncio.sleep(minutes * 60)


def _shutdown(paths: list[str], minutes: int, message: str) -> str:
    """Give the line that runs the shutdown of `paths`, and with the PATH of the host, as it may be a script."""
    told = shlex.quote(f"there is no shutdown in {', '.join(paths)}")
    found = f"$(PATH={shlex.quote(':'.join(paths))}; command -v shutdown)"
    return f"s={found} || {{ echo {told} >&2; exit 127; }}; $s -r +{minutes} {shlex.quote(message)}"


async def _wait(call: ActionCall, boot_id: str, before: str, seconds: float, test: str) -> None:
    async def attempt() -> None:
        await call.remote.reset()
        answer = await call.remote.raw(boot_id)
        if answer["rc"] or str(answer["stdout"]).strip() in ("", before):
            raise StillAwayError("the host has not been restarted yet")
        answer = await call.remote.raw(test)
        if answer["rc"]:
            raise StillAwayError(f"{test} fails: {answer['stderr'] or answer['stdout']}".strip())

    await wait_until(attempt, seconds=seconds, pause=_PAUSE, each=_EACH)
