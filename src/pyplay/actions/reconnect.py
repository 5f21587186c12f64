"""Waiting until a host answers again."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from pyplay.diagnostics.errors import BecomeError, HostUnreachable, RunnerError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


class StillAwayError(Exception):
    """The host did not do what was waited for; the text says what the last attempt met."""


async def wait_until(attempt: Callable[[], Awaitable[None]], *, seconds: float, pause: float, each: float) -> None:
    """Call `attempt` until it raises nothing, with `pause` seconds between; each may take `each` seconds.

    Raises StillAwayError once `seconds` have passed.
    """
    end = time.monotonic() + seconds
    last = "no attempt was made"
    while time.monotonic() < end:
        try:
            async with asyncio.timeout(each):
                await attempt()
        except (HostUnreachable, BecomeError, RunnerError, StillAwayError) as error:
            last = str(error)
        except TimeoutError:
            last = f"no answer within {each:g} seconds"
        else:
            return
        await asyncio.sleep(min(pause, max(0.0, end - time.monotonic())))
    raise StillAwayError(last)
