"""reboot: restart the host, and wait until it is back and really has been restarted."""

from __future__ import annotations

import asyncio
import shlex
import time
from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ActionFailed
from pyplay.actions.options import check_known, integer, text
from pyplay.actions.reconnect import StillAwayError, wait_until
from pyplay.diagnostics.errors import HostUnreachable, RunnerError

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall

_OPTIONS = (
    "boot_time_command", "connect_timeout", "connect_timeout_sec", "msg", "post_reboot_delay", "post_reboot_delay_sec",
    "pre_reboot_delay", "pre_reboot_delay_sec", "reboot_command", "reboot_timeout", "reboot_timeout_sec",
    "search_paths", "test_command",
)  # fmt: skip
_PATHS = ["/sbin", "/bin", "/usr/sbin", "/usr/bin", "/usr/local/sbin"]
_BOOT_ID = "cat /proc/sys/kernel/random/boot_id"
_EACH = 30.0
_PAUSE = 2.0


async def run(call: ActionCall) -> dict[str, Any]:
    """Reboot the host. Raises ActionFailed if it does not come back in time."""
    args = call.args
    check_known("reboot", args, _OPTIONS)
    if await call.remote.is_local():
        raise ActionFailed(
            "Running reboot with local connection would reboot the control node.", elapsed=0, rebooted=False
        )
    if call.check_mode:
        return {"changed": True, "elapsed": 0, "rebooted": True}
    started = time.monotonic()
    boot_id = text(args, "boot_time_command") or _BOOT_ID
    before = await _said(call, boot_id)
    await _shut_down(call)
    await asyncio.sleep(_seconds(args, "post_reboot_delay", 0))
    try:
        await _wait(call, boot_id, before, _seconds(args, "reboot_timeout", 600))
    except StillAwayError as error:
        elapsed = int(time.monotonic() - started)
        raise ActionFailed(
            f"Timed out waiting for the host to come back: {error}", changed=True, elapsed=elapsed, rebooted=True
        ) from error
    return {"changed": True, "elapsed": int(time.monotonic() - started), "rebooted": True}


async def _said(call: ActionCall, command: str) -> str:
    answer = await call.remote.raw(command)
    if answer["rc"]:
        raise ActionFailed(f"{command}: {answer['stderr'].strip()}", rebooted=False, elapsed=0)
    return str(answer["stdout"]).strip()


async def _shut_down(call: ActionCall) -> None:
    """Have the host go down; that the connection ends meanwhile is what is wanted."""
    args = call.args
    delay = max(0, _seconds(args, "pre_reboot_delay", 0))
    minutes = int(delay // 60)
    message = text(args, "msg") or "Reboot initiated by pyplay"
    places = args.get("search_paths") or _PATHS
    path = ":".join(str(place) for place in places)
    command = text(args, "reboot_command") or f"PATH={shlex.quote(path)} shutdown -r +{minutes} {shlex.quote(message)}"
    try:
        answer = await call.remote.raw(command)
    except (HostUnreachable, RunnerError):
        return
    if answer["rc"] > 0 and not (answer["rc"] == 255 and not answer["stderr"].strip()):
        raise ActionFailed(
            f"Reboot command failed, error was: {answer['stdout']} {answer['stderr']}".strip(),
            rebooted=False,
            elapsed=0,
        )
    await asyncio.sleep(minutes * 60)


async def _wait(call: ActionCall, boot_id: str, before: str, seconds: float) -> None:
    test = text(call.args, "test_command") or "whoami"

    async def attempt() -> None:
        await call.remote.reset()
        answer = await call.remote.raw(boot_id)
        if answer["rc"] or str(answer["stdout"]).strip() in ("", before):
            raise StillAwayError("the host has not been restarted yet")
        answer = await call.remote.raw(test)
        if answer["rc"]:
            raise StillAwayError(f"{test} fails: {answer['stderr'] or answer['stdout']}".strip())

    await wait_until(attempt, seconds=seconds, pause=_PAUSE, each=_EACH)


def _seconds(args: dict[str, Any], option: str, default: int) -> int:
    return integer(args, option, integer(args, f"{option}_sec", default))
