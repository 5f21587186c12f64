"""How long a login may take, as with ssh: its ConnectTimeout ends with the key exchange, proving who one is has longer.

sshd may ask a directory or the name service before it lets somebody in; that is not to be taken for a dead host.
Source: ssh_config(5), ConnectTimeout; sshd_config(5), LoginGraceTime.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

LOGIN_TIMEOUT = 60.0
"""Seconds for a login in all."""

T = TypeVar("T")


class SlowLogin(TimeoutError):  # noqa: N818  # the fact, as HostUnreachable
    """The host took the connection, and the login was not done in time: says which port and how long."""


async def in_time(login: Coroutine[Any, Any, T], exchanged: Callable[[], bool], seconds: float) -> T:
    """Give what `login` gives, if within so many seconds it is done or keys are `exchanged`. Raises TimeoutError."""
    under_way = asyncio.ensure_future(login)
    try:
        done, _ = await asyncio.wait({under_way}, timeout=seconds)
        if done or exchanged():
            return await under_way
    except asyncio.CancelledError:
        await _stopped(under_way)
        raise
    await _stopped(under_way)
    raise TimeoutError


async def _stopped(under_way: asyncio.Future[Any]) -> None:
    under_way.cancel()
    await asyncio.gather(under_way, return_exceptions=True)
