"""One program on a host behind one process of the system's ssh."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import tty
from typing import TYPE_CHECKING

from pyplay.connection.local import LocalProcess
from pyplay.connection.openssh_faults import FAILED, telling
from pyplay.connection.relayed import RelayedProcess

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pyplay.connection.openssh_log import SshLog
    from pyplay.diagnostics.errors import HostUnreachable

PARTING = 1.0  # seconds that ssh gets between the end of its output and its own


async def spawn(argv: Sequence[str], environment: Mapping[str, str], *, pty: bool) -> LocalProcess:
    """Start ssh, away from our terminal. With `pty` its input is a raw terminal: ssh asks for the same one there."""
    near, far = os.openpty() if pty else (-1, -1)
    try:
        if pty:
            tty.setraw(far)
        child = subprocess.Popen(  # noqa: ASYNC220  # a fork takes no time worth a thread
            list(argv),
            stdin=far if pty else subprocess.PIPE,
            stdout=far if pty else subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(environment),
            start_new_session=True,
            bufsize=0,
        )
    except BaseException:
        if pty:
            os.close(near)
        raise
    finally:
        if pty:
            os.close(far)
    stdin, stdout = (os.dup(near), near) if pty else (_taken(child.stdin), _taken(child.stdout))
    process = LocalProcess(child)
    await process.connect(stdin, stdout, _taken(child.stderr))
    return process


def _taken(stream: object) -> int:
    """Give a descriptor of ours for a stream of Popen's, which is closed."""
    assert hasattr(stream, "fileno") and hasattr(stream, "close")  # noqa: PT018, S101  # PIPE was asked for
    descriptor = os.dup(stream.fileno())  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType, reportAttributeAccessIssue]  # as above
    stream.close()  # pyright: ignore[reportUnknownMemberType, reportAttributeAccessIssue]  # as above
    return descriptor


class OpensshProcess(RelayedProcess):
    """A program on the host. `first` and `said` are what was read of its two outputs while ssh logged in."""

    def __init__(
        self,
        local: LocalProcess,
        log: SshLog,
        first: asyncio.Future[bytes],
        said: bytes,
        lost: Callable[[Sequence[str]], HostUnreachable],
    ) -> None:
        super().__init__(local, said)
        self._log, self._lost = log, lost
        self._first: asyncio.Future[bytes] | None = first
        self._ahead = b""
        self._tail = b""  # the end of standard error, where ssh takes its leave
        self._closed = False
        self._ending = asyncio.ensure_future(self._end())

    @property
    def ended(self) -> bool:
        """Whether ssh has ended."""
        return self._local.ended

    async def read(self, size: int) -> bytes:
        """Give up to `size` bytes of standard output, b"" at its end. Raises HostUnreachable if ssh lost the host."""
        data = await self._read(size)
        if not data and not self._closed:
            await self._take_leave()
        return data

    async def _read(self, size: int) -> bytes:
        if self._first is not None:
            self._ahead = await asyncio.shield(self._first)
            self._first = None
        if not self._ahead:
            return await self._local.read(size)
        data, self._ahead = self._ahead[:size], self._ahead[size:]
        return data

    async def _take_leave(self) -> None:
        """Tell the program's own end from ssh's, which says why it gives up. Raises HostUnreachable."""
        try:
            async with asyncio.timeout(PARTING):
                status = await asyncio.shield(self._ending)
        except TimeoutError:
            return
        if status != FAILED:
            return
        gone = re.search(rb"Connection to \S+ closed by remote host\.\s*$", self._tail)
        said = telling(self._log.after_login()) + ([gone[0].decode("utf-8", "replace").strip()] if gone else [])
        if said:
            raise self._lost(said)

    async def read_error(self, size: int) -> bytes:
        """Give up to `size` bytes of standard error, b"" at its end."""
        data = await super().read_error(size)
        self._tail = (self._tail + data)[-1024:]
        return data

    def close(self) -> None:
        """Close the streams at once and hang up on ssh."""
        self._closed = True
        super().close()

    async def reap(self) -> None:
        """Wait a little for ssh to end."""
        await self._local.reap()
        self._ending.cancel()
        await asyncio.gather(self._ending, return_exceptions=True)
        await self._log.close()

    async def _end(self) -> int:
        """Wait for ssh, read the rest of its log, and give how it ended."""
        status = await self._local.wait()
        await self._log.close()
        return status
