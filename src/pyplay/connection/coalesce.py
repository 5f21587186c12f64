"""Fewer, larger writes: what is written to a transport in one turn of the loop leaves in one system call.

asyncssh puts an empty MSG_IGNORE packet before every packet it sends (a measure against attacks on CBC ciphers), each
with a `send` of its own: two system calls and, with TCP_NODELAY, two segments per frame. Collected, a frame is one of
each, and the calls of several tasks that start in the same turn share them.
"""

from __future__ import annotations

import asyncio
from typing import Any


class CoalescingTransport:
    """Stands in front of a transport; everything but writing is the transport's own."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._pieces: list[bytes] = []
        self._loop = asyncio.get_running_loop()

    def write(self, data: bytes) -> None:
        """Queue `data` for the end of this turn."""
        if not self._pieces:
            self._loop.call_soon(self._flush)
        self._pieces.append(data)

    def close(self) -> None:
        """Write what is left, then close."""
        self._flush()
        self._transport.close()

    def abort(self) -> None:
        """Close at once."""
        self._pieces.clear()
        self._transport.abort()

    def _flush(self) -> None:
        if self._pieces:
            data = b"".join(self._pieces)
            self._pieces.clear()
            self._transport.write(data)

    def __getattr__(self, name: str) -> Any:
        """Give the transport's own attribute."""
        return getattr(self._transport, name)
