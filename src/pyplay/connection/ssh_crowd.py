"""Servers that hang up on newcomers while too many are logging in: sshd's MaxStartups.

They close the connection before they greet. Whoever was turned away waits and knocks again, and from then on the logins
of this worker at that server go one at a time. Source: sshd_config(5), MaxStartups.
"""

from __future__ import annotations

import asyncio
import random
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, TypeVar

from pyplay.diagnostics.errors import HostUnreachable

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Hashable

    from pyplay.connection.ssh_target import SshTarget

PAUSES = (0.25, 0.5, 1.0, 2.0, 2.0, 2.0)
"""Seconds between knocks; each is shortened by chance, lest all knock together again."""

T = TypeVar("T")


class TurnedAway(ConnectionError):  # noqa: N818  # the fact, as HostUnreachable
    """The server closed the connection before it greeted."""

    def __str__(self) -> str:
        return "the server hung up before it greeted, several times (MaxStartups, or it does not serve this address)"


class Doors:
    """The servers that one worker logs in to, each with the way there: a jump host is a door of its own."""

    def __init__(self) -> None:
        self._narrow: dict[Hashable, asyncio.Lock] = {}

    async def enter(self, door: Hashable, login: Callable[[], Awaitable[T]]) -> T:
        """Give what `login` gives; where it is turned away, call it again after a pause, in the end raise its error."""
        for pause in PAUSES:
            try:
                return await self._one(door, login)
            except HostUnreachable as error:
                if not isinstance(error.__cause__, TurnedAway):
                    raise
            self._narrow.setdefault(door, asyncio.Lock())
            await asyncio.sleep(pause * random.uniform(0.5, 1))  # noqa: S311  # spreads logins, no secret
        return await self._one(door, login)

    async def _one(self, door: Hashable, login: Callable[[], Awaitable[T]]) -> T:
        async with self._turn(door):
            return await login()

    @asynccontextmanager
    async def _turn(self, door: Hashable) -> AsyncGenerator[None]:
        """Wait for one's turn, where the server is known to be narrow."""
        lock = self._narrow.get(door)
        if lock is None:
            yield
            return
        async with lock:
            yield


def door_of(target: SshTarget) -> Hashable:
    """Give what tells a server and the way there from others."""
    return target.address, target.port, target.jumps, target.proxy_command
