"""wait_for_connection: wait until modules can run on the host."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ActionFailed
from pyplay.actions.options import check_known, integer
from pyplay.actions.reconnect import StillAwayError, wait_until

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall

_OPTIONS = ("connect_timeout", "delay", "sleep", "timeout")
_START = 30.0  # seconds for a Runner to start on a slow host, beside those for connecting


async def run(call: ActionCall) -> dict[str, Any]:
    """Run ping over a new connection until it answers."""
    args = call.args
    check_known("wait_for_connection", args, _OPTIONS)
    if call.check_mode:
        return {"skipped": True}
    started = time.monotonic()

    async def attempt() -> None:
        await call.remote.reset()
        answer = await call.remote.module("ping", {"data": "pong"}, check_mode=False)
        if answer.get("ping") != "pong":
            raise StillAwayError(str(answer.get("msg") or "ping test failed"))

    await asyncio.sleep(integer(args, "delay"))
    try:
        await wait_until(
            attempt,
            seconds=integer(args, "timeout", 600),
            pause=integer(args, "sleep", 1),
            each=integer(args, "connect_timeout", 5) + _START,
        )
    except StillAwayError as error:
        elapsed = int(time.monotonic() - started)
        raise ActionFailed(f"timed out waiting for ping module test: {error}", elapsed=elapsed) from error
    return {"elapsed": int(time.monotonic() - started)}
