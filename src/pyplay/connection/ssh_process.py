"""One program over SSH: a channel's callbacks behind the Process protocol."""

from __future__ import annotations

import asyncio
import signal
from typing import TYPE_CHECKING, Any

import asyncssh
from asyncssh import constants

from pyplay.connection.stream import Brake, ByteQueue

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyplay.diagnostics.errors import HostUnreachable

RAW = {
    constants.PTY_ECHO: 0,
    constants.PTY_ICANON: 0,
    constants.PTY_ISIG: 0,
    constants.PTY_IEXTEN: 0,
    constants.PTY_OPOST: 0,
    constants.PTY_ONLCR: 0,
    constants.PTY_ICRNL: 0,
    constants.PTY_IXON: 0,
    constants.PTY_IXANY: 0,
    constants.PTY_ISTRIP: 0,
    constants.PTY_CS8: 1,
}  # a terminal that passes every byte and shows none


class SshProcess(asyncssh.SSHClientSession[bytes]):
    """A program started over an SSH channel."""

    def __init__(self, lost: Callable[[Exception], HostUnreachable]) -> None:
        self._lost = lost
        self._channel: Any = None
        self._out = ByteQueue()
        self._error = ByteQueue()
        self._room = asyncio.Event()
        self._room.set()
        self._status = -1
        self._ended = asyncio.Event()

    # -- what asyncssh calls ----------------------------------------------------------------------------------------

    def connection_made(self, chan: Any) -> None:
        """The channel is open."""
        self._channel = chan
        brake = Brake(chan.pause_reading, chan.resume_reading)
        self._out.stop_with(brake)
        self._error.stop_with(brake)

    def data_received(self, data: bytes, datatype: int | None) -> None:
        """Bytes on one of the two outputs."""
        (self._error if datatype == constants.EXTENDED_DATA_STDERR else self._out).feed(data)

    def eof_received(self) -> bool:
        """Both outputs have ended; the input stays open until we close it."""
        self._out.end()
        self._error.end()
        return True

    def exit_status_received(self, status: int) -> None:
        """The program exited."""
        self._status = status

    def exit_signal_received(self, signal: str, core_dumped: bool, msg: str, lang: str) -> None:  # noqa: ARG002, FBT001  # asyncssh's names
        """A signal ended the program."""
        self._status = -_signal_number(signal)

    def pause_writing(self) -> None:
        """The channel's window is full."""
        self._room.clear()

    def resume_writing(self) -> None:
        """The channel takes bytes again."""
        self._room.set()

    def connection_lost(self, exc: Exception | None) -> None:
        """The channel is closed: in peace, or with the connection."""
        error = self._lost(exc) if exc is not None else None
        self._out.end(error)
        self._error.end(error)
        self._room.set()
        self._ended.set()

    # -- Process ----------------------------------------------------------------------------------------------------

    def write(self, data: bytes) -> None:
        """Queue `data` for standard input; without effect once the channel is closed."""
        if not self._ended.is_set() and not self._channel.is_closing():
            self._channel.write(data)

    async def drain(self) -> None:
        """Wait until the window has room."""
        await self._room.wait()

    def write_eof(self) -> None:
        """Close standard input."""
        if not self._ended.is_set() and not self._channel.is_closing():
            self._channel.write_eof()

    async def read(self, size: int) -> bytes:
        """Give up to `size` bytes of standard output, b"" at its end."""
        return await self._out.read(size)

    async def read_error(self, size: int) -> bytes:
        """Give up to `size` bytes of standard error, b"" at its end."""
        return await self._error.read(size)

    async def wait(self) -> int:
        """Give the exit status, minus the signal's number, or -1 if the server did not say."""
        await self._ended.wait()
        return self._status

    def close(self) -> None:
        """Close the channel."""
        if self._channel is not None:
            self._channel.close()
        self._out.end()
        self._error.end()


def _signal_number(name: str) -> int:
    return int(getattr(signal, f"SIG{name}", signal.SIGKILL))
