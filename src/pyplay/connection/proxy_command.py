"""ProxyCommand: a program whose standard streams are the way to the host."""

from __future__ import annotations

import asyncio
import socket
import subprocess
from contextlib import suppress

PATIENCE = 1.0


class ProxyCommands:
    """The proxy programs of one worker."""

    def __init__(self) -> None:
        self._running: list[subprocess.Popen[bytes]] = []

    def start(self, command: str) -> socket.socket:
        """Start a shell line and give the socket that is its input and output. What it says on stderr is dropped."""
        self._running = [child for child in self._running if child.poll() is None]
        near, far = socket.socketpair()
        with far:
            child = subprocess.Popen(
                ["/bin/sh", "-c", f"exec {command}"],
                stdin=far.fileno(),
                stdout=far.fileno(),
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        self._running.append(child)
        near.setblocking(False)  # noqa: FBT003  # the library's signature
        return near

    async def close(self) -> None:
        """Wait a little for the programs, whose sockets were closed before, and end those that go on."""
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while any(child.poll() is None for child in self._running):  # noqa: ASYNC110  # nothing tells
                    await asyncio.sleep(0.02)
        for child in self._running:
            if child.poll() is None:
                child.kill()
                child.wait()
        self._running.clear()
