"""A program elsewhere, behind a process here whose streams are its own: an engine's, or ssh's."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyplay.connection.local import LocalProcess


class RelayedProcess:
    """What goes through as it is. `said` is what was read of standard error already."""

    def __init__(self, local: LocalProcess, said: bytes) -> None:
        self._local, self._said = local, said

    def write(self, data: bytes) -> None:
        """Queue `data` for standard input."""
        self._local.write(data)

    async def drain(self) -> None:
        """Wait until the pipe has room."""
        await self._local.drain()

    def write_eof(self) -> None:
        """Close standard input."""
        self._local.write_eof()

    async def read_error(self, size: int) -> bytes:
        """Give up to `size` bytes of standard error, b"" at its end."""
        if self._said:
            data, self._said = self._said[:size], self._said[size:]
            return data
        return await self._local.read_error(size)

    async def wait(self) -> int:
        """Give the exit status as the process here gives it; OpenSSH says 255 for any signal."""
        return await self._local.wait()

    def close(self) -> None:
        """Close the streams at once, and hang up on the process here."""
        self._said = b""
        self._local.close()
