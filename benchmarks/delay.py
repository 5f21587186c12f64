"""A TCP proxy that makes loopback far: what goes through it arrives half a round trip later.

    python benchmarks/delay.py PORT TARGET_PORT ROUND_TRIP_MS

It listens on PORT of all loopback addresses and connects to TARGET_PORT of the address that it was called by.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections import deque

PIECE = 1 << 16


class Line:
    """One direction of one connection: bytes go out in their order, each `seconds` after it came."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, seconds: float) -> None:
        self._reader, self._writer, self._seconds = reader, writer, seconds
        self._waiting: deque[bytes] = deque()

    async def carry(self) -> None:
        """Carry bytes until the sender is done."""
        loop = asyncio.get_running_loop()
        with contextlib.suppress(OSError):
            while data := await self._reader.read(PIECE):
                self._waiting.append(data)
                loop.call_later(self._seconds, self._deliver)
        await asyncio.sleep(self._seconds)
        while self._waiting:
            self._deliver()
        with contextlib.suppress(OSError):
            self._writer.write_eof()

    def _deliver(self) -> None:
        if self._waiting and not self._writer.is_closing():
            self._writer.write(self._waiting.popleft())


async def serve(port: int, target: int, seconds: float) -> None:
    """Serve until stopped."""

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        address = writer.get_extra_info("sockname")[0]
        far_reader, far_writer = await asyncio.open_connection(address, target)
        there, back = Line(reader, far_writer, seconds), Line(far_reader, writer, seconds)
        await asyncio.gather(there.carry(), back.carry())
        for end in (writer, far_writer):
            end.close()

    async with await asyncio.start_server(take, "0.0.0.0", port) as server:  # every loopback address
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]) / 2000))
