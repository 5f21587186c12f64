"""What ssh writes to the log of one login: a pipe with a name, since ssh closes all descriptors that it inherits."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

KEPT = 64  # lines
PATIENCE = 0.5  # seconds; a proxy's program may hold the pipe open
AUTHENTICATED = "Authenticated to "


class SshLog(asyncio.Protocol):
    """Reads the log while ssh runs. `lines` are the last ones, `authenticated` is set when a login has succeeded."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines: list[str] = []
        self.authenticated = asyncio.Event()
        self._rest = b""
        self._transport: asyncio.ReadTransport | None = None
        self._ended = asyncio.Event()
        self._held = -1  # our own end for writing: without it the pipe would have ended before ssh opens it

    async def open(self) -> None:
        """Make the pipe and begin to read."""
        os.mkfifo(self.path, 0o600)
        near = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK)
        self._held = os.open(self.path, os.O_WRONLY)
        loop = asyncio.get_running_loop()
        self._transport, _ = await loop.connect_read_pipe(lambda: self, os.fdopen(near, "rb", 0))

    def data_received(self, data: bytes) -> None:
        """Take lines."""
        *whole, self._rest = (self._rest + data).split(b"\n")
        found = [line.decode("utf-8", "replace").rstrip("\r") for line in whole]
        self.lines = [*self.lines, *found][-KEPT:]
        if any(line.startswith(AUTHENTICATED) for line in found):
            self.authenticated.set()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # an end like any other
        """Take that nothing more will come."""
        self._ended.set()

    def after_login(self) -> list[str]:
        """Give the lines that came since the login."""
        marks = [at for at, line in enumerate(self.lines) if line.startswith(AUTHENTICATED)]
        return self.lines[marks[-1] + 1 :] if marks else list(self.lines)

    async def drain(self) -> None:
        """Read what is left. Call when ssh has ended."""
        if self._held >= 0:
            os.close(self._held)
            self._held = -1
        with suppress(TimeoutError):
            await asyncio.wait_for(self._ended.wait(), PATIENCE)

    async def close(self) -> None:
        """Read what is left and close. Call when ssh has ended."""
        await self.drain()
        if self._transport is not None:
            self._transport.close()
            self._transport = None
            self.path.unlink(missing_ok=True)
