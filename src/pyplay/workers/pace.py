"""How many hosts a worker gets ready at a time: a few at first, more as they succeed, fewer where they take long.

Getting ready is a login and the start of a Runner. All at once they would crawl along together: nobody is first, and
where many hosts share one machine, they would time out together. One at a time, far hosts would wait for each other's
round trips. So a host that was ready quickly makes room for two more, as TCP feels for the room of a network; one that
takes longer than a near host needs is far or dead and does not hold up others; and when one took very long though it
answers, there are too many: half of them from then on.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from pyplay.diagnostics.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

FIRST = 2
"""Hosts in the beginning, and the fewest at any time."""

MOST = 40
"""Hosts at a time: more of them do not end sooner (docs/connections.md has the figures)."""

GROWTH = 2
"""Hosts for which a quick one makes room."""

PATIENCE = 0.1
"""Seconds after which a host is not counted: a near one is ready by then, if the machine is not busy."""

UNCOUNTED = 18
"""Hosts that are not counted at most: the network may be the reason for their delay, or our own crowd."""

QUICK, LONG = 2.0, 10.0
"""Seconds: who needs less makes room; who needs more, of the 30 in which a Runner must answer, takes room away."""


@dataclass(slots=True)
class Room:
    """How much room there is: for `hosts`, beside `uncounted` of those that are late."""

    hosts: int = FIRST
    uncounted: int = UNCOUNTED

    def has_place(self, under_way: int, late: int) -> bool:
        """Tell whether one more may begin beside `under_way` hosts, of which so many are `late`."""
        return under_way < MOST and under_way - min(late, self.uncounted) < self.hosts

    def learn(self, seconds: float, beside: int, *, answered: bool) -> None:
        """Take it that a host was done with after so long, with so many `beside` it when it began.

        `answered`: it is there, be it too slow; what nobody answered says nothing of how busy anybody is.
        """
        if seconds < QUICK:
            self.hosts = min(MOST, self.hosts + GROWTH)
        elif seconds > LONG and answered:
            self.hosts = max(FIRST, min(self.hosts, beside // 2))
            self.uncounted = 0


@dataclass(eq=False, slots=True)
class Turn:
    """One host's turn. `silent` is for its holder to set: the host was there, and then did not answer in time."""

    beside: int  # hosts that were under way when it began, itself among them
    silent: bool = False

    @property
    def crowded(self) -> bool:
        """Whether there were so many that they may have been the reason for a delay."""
        return self.beside > FIRST


class Pace:
    """Gives hosts their turns in the order in which they came. For one event loop."""

    def __init__(self) -> None:
        self._room = Room()
        self._under_way = 0
        self._late: set[Turn] = set()
        self._waiting: deque[asyncio.Future[None]] = deque()

    @asynccontextmanager
    async def turn(self) -> AsyncGenerator[Turn]:
        """Wait for a turn, and have it as long as the context lasts."""
        await self._begin()
        loop = asyncio.get_running_loop()
        turn, began, answered = Turn(self._under_way), loop.time(), False
        timer = loop.call_later(PATIENCE, self._outlast, turn)
        try:
            yield turn
            answered = True
        finally:
            timer.cancel()
            self._late.discard(turn)
            self._room.learn(loop.time() - began, turn.beside, answered=answered or turn.silent)
            self._end()

    async def _begin(self) -> None:
        """Wait until there is a place, and take it."""
        if not self._waiting and self._has_place():
            self._under_way += 1
            return
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(mine)
        try:
            await mine
        except asyncio.CancelledError:
            if mine.done() and not mine.cancelled():  # it was our turn already
                self._end()
            raise

    def _end(self) -> None:
        self._under_way -= 1
        self._admit()

    def _outlast(self, turn: Turn) -> None:
        self._late.add(turn)
        self._admit()

    def _admit(self) -> None:
        """Give the places that there are to those who wait."""
        while self._waiting and self._has_place():
            first = self._waiting.popleft()
            if not first.done():
                self._under_way += 1
                first.set_result(None)

    def _has_place(self) -> bool:
        return self._room.has_place(self._under_way, len(self._late))
