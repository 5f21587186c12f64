"""Bytes between a transport that pushes and a reader that asks.

Every stream from a host has a bound here: what waits for its reader is at most HIGH bytes and one window of the
transport, and before a program's first word a host may write no more than GREETING bytes.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

GREETING = 1 << 20  # bytes of both outputs before a program's first word: greetings, lectures, prompts
WINDOW = 1 << 21  # bytes that an SSH server may send before it is told to go on: asyncssh's default
LOW = 1 << 18
HIGH = LOW + WINDOW
"""What a queue holds when its transport is stopped. asyncssh opens the whole window again as soon as it hands out what
waited for a stopped reader, although most of that still waits; so all of it must fit in when the transport goes on."""


class Brake:
    """Stops a transport while any of the queues that it fills is full."""

    __slots__ = ("_full", "_pause", "_resume")

    def __init__(self, pause: Callable[[], object], resume: Callable[[], object]) -> None:
        self._pause, self._resume = pause, resume
        self._full = 0

    def hold(self) -> None:
        """One more queue is full."""
        self._full += 1
        if self._full == 1:
            self._pause()

    def release(self) -> None:
        """A queue that was full has room again."""
        self._full -= 1
        if self._full == 0:
            self._resume()


class ByteQueue:
    """A bounded buffer of bytes for one reader; the transport is stopped while more than HIGH bytes wait.

    Reading may be cancelled: nothing is lost.
    """

    __slots__ = ("_brake", "_ended", "_error", "_full", "_pieces", "_size", "_waiter")

    def __init__(self) -> None:
        self._pieces: deque[bytes] = deque()
        self._size = 0
        self._ended = False
        self._error: Exception | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._brake: Brake | None = None
        self._full = False

    def stop_with(self, brake: Brake) -> None:
        """Say how the transport is stopped; queues of one transport share its brake."""
        self._brake = brake

    def feed(self, data: bytes) -> None:
        """Take bytes from the transport."""
        self._pieces.append(data)
        self._size += len(data)
        if self._size > HIGH and self._brake is not None and not self._full and not self._ended:
            self._full = True
            self._brake.hold()
        self._wake()

    def end(self, error: Exception | None = None) -> None:
        """Nothing more will come; with `error`, the reader gets it once the buffer is empty."""
        if not self._ended:
            self._ended, self._error = True, error
            self._wake()

    async def read(self, size: int) -> bytes:
        """Return up to `size` bytes, b"" at the end. Raises what `end` was given."""
        while not self._pieces:
            if self._ended:
                if self._error is not None:
                    raise self._error
                return b""
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        return self._take(size)

    def _take(self, size: int) -> bytes:
        """Return the first `size` bytes; only the last piece that they need is cut."""
        taken: list[bytes] = []
        while self._pieces and size > 0:
            piece = self._pieces.popleft()
            if len(piece) > size:
                self._pieces.appendleft(piece[size:])
                piece = piece[:size]
            taken.append(piece)
            size -= len(piece)
        data = taken[0] if len(taken) == 1 else b"".join(taken)
        self._size -= len(data)
        if self._full and self._size < LOW and self._brake is not None:
            self._full = False
            if not self._ended:
                self._brake.release()
        return data

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
