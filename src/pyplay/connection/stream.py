"""Bytes between a transport that pushes and a reader that asks."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

HIGH = 1 << 20
LOW = 1 << 18


class ByteQueue:
    """A bounded buffer of bytes for one reader; the transport is braked while more than HIGH bytes wait.

    Reading may be cancelled: nothing is lost.
    """

    __slots__ = ("_braked", "_ended", "_error", "_pause", "_pieces", "_resume", "_size", "_waiter")

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._size = 0
        self._ended = False
        self._error: Exception | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._pause: Callable[[], object] | None = None
        self._resume: Callable[[], object] | None = None
        self._braked = False

    def brake(self, pause: Callable[[], object], resume: Callable[[], object]) -> None:
        """Say how the transport is stopped and let go."""
        self._pause, self._resume = pause, resume

    def feed(self, data: bytes) -> None:
        """Take bytes from the transport."""
        self._pieces.append(data)
        self._size += len(data)
        if self._size > HIGH and self._pause is not None and not self._braked and not self._ended:
            self._braked = True
            self._pause()
        self._wake()

    def end(self, error: Exception | None = None) -> None:
        """Nothing more will come; with `error`, the reader gets it once the buffer is empty."""
        if not self._ended:
            self._ended, self._error = True, error
            self._wake()

    async def read(self, size: int) -> bytes:
        """Give up to `size` bytes, b"" at the end. Raises what `end` was given."""
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
        data = self._pieces[0] if len(self._pieces) == 1 else b"".join(self._pieces)
        self._pieces = [data[size:]] if len(data) > size else []
        data = data[:size]
        self._size -= len(data)
        if self._braked and self._size < LOW and self._resume is not None:
            self._braked = False
            if not self._ended:
                self._resume()
        return data

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
