"""wait_for_connection: wait until modules can run on the host."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ActionFailed
from pyplay.actions.options import Options
from pyplay.actions.reconnect import StillAwayError, wait_until

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall

OPTIONS = {
    "options": {
        "connect_timeout": {"type": "float", "default": 5, "doc": "Seconds that one attempt may take to connect."},
        "delay": {"type": "float", "default": 0, "doc": "Seconds to wait before the first attempt."},
        "sleep": {"type": "float", "default": 1, "doc": "Seconds between attempts."},
        "timeout": {"type": "float", "default": 600, "doc": "Seconds after which to give up."},
    },
    "check_mode": "none",
    "diff": False,
    "platforms": "all",
    "returns": {"elapsed": "Seconds that it took."},
}
_OPTIONS = Options("wait_for_connection", OPTIONS)

_START = 30.0  # seconds for a Runner to start on a slow host, beside those for connecting


async def run(call: ActionCall) -> dict[str, Any]:
    """Run ping over a new connection until it answers."""
    args = _OPTIONS.check(call.args)
    if call.check_mode:
        return {"skipped": True}
    started = time.monotonic()

    async def attempt() -> None:
        await call.remote.reset()
        answer = await call.remote.module("ping", {"data": "pong"}, check_mode=False)
        if answer.get("ping") != "pong":
            raise StillAwayError(str(answer.get("msg") or "ping test failed"))

    await asyncio.sleep(args["delay"])
    try:
        await wait_until(
            attempt,
            seconds=args["timeout"],
            pause=args["sleep"],
            each=args["connect_timeout"] + _START,
        )
    except StillAwayError as error:
        elapsed = int(time.monotonic() - started)
        raise ActionFailed(f"timed out waiting for ping module test: {error}", elapsed=elapsed) from error
    return {"elapsed": int(time.monotonic() - started)}
