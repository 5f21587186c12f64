"""One host that is logged in to over SSH."""

from __future__ import annotations

import asyncio
import shlex
from typing import TYPE_CHECKING, Any, cast

import asyncssh

from pyplay.connection.ssh_acks import acknowledge_as_usual
from pyplay.connection.ssh_distance import is_far
from pyplay.connection.ssh_faults import text_of
from pyplay.connection.ssh_process import RAW, SshProcess
from pyplay.diagnostics.errors import HostUnreachable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from pyplay.connection.base import ConnectionOptions

MAX_CONNECTIONS = 8  # to one host, where the server allows few sessions on each


class SshConnection:
    """Starts programs on one host over SSH; a second connection is made if the server allows no more sessions."""

    def __init__(
        self,
        options: ConnectionOptions,
        first: asyncssh.SSHClientConnection,
        login: Callable[[], Awaitable[asyncssh.SSHClientConnection]],
    ) -> None:
        self._options = options
        self._connections = [first]
        self._login = login
        self._growing = asyncio.Lock()
        self._closed = False

    @property
    def alive(self) -> bool:
        """Whether a connection is up as far as is known."""
        return not self._closed and any(not connection.is_closed() for connection in self._connections)

    async def start(self, argv: Sequence[str], *, pty: bool = False) -> SshProcess:
        """Start `argv` on the host; the words are quoted for its login shell."""
        command = shlex.join(argv)
        tried = 0
        while True:
            while tried < len(self._connections):
                process = await self._session(self._connections[tried], command, pty=pty)
                if process is not None:
                    return process
                tried += 1
            async with self._growing:
                if tried == MAX_CONNECTIONS:
                    raise self._lost(
                        None, "the server opens no session (MaxSessions, or no process left for the user?)"
                    )
                if tried == len(self._connections):
                    self._connections.append(await self._login())

    @property
    def far(self) -> bool:
        """Whether a round trip takes long, or may."""
        return is_far(self._connections[0])

    async def close(self) -> None:
        """Close the connections; what runs at the other end sees the end of its input."""
        self._closed = True
        for connection in self._connections:
            connection.close()
        await asyncio.gather(*(_closed(connection) for connection in self._connections))

    async def _session(self, connection: asyncssh.SSHClientConnection, command: str, *, pty: bool) -> SshProcess | None:
        """Open a session; None if this connection takes no more of them."""
        if not self.alive:
            raise self._lost(None)
        if connection.is_closed():
            return None
        more: dict[str, Any] = {"request_pty": "force", "term_type": "dumb", "term_modes": RAW} if pty else {}
        open_session: Any = getattr(connection, "create_session")  # noqa: B009  # its type is only partly known
        try:
            _, process = await open_session(lambda: SshProcess(self._lost), command, encoding=None, **more)
        except asyncssh.ChannelOpenError as error:
            if connection.is_closed():
                raise self._lost(error) from error
            return None
        except (OSError, asyncssh.Error) as error:
            raise self._lost(error) from error
        acknowledge_as_usual(connection)
        return cast("SshProcess", process)

    def _lost(self, error: Exception | None, reason: str = "the connection was closed") -> HostUnreachable:
        if error is not None:
            reason = f"the connection was lost: {text_of(error)}"
        return HostUnreachable(self._options.host, self._options.address, reason)


async def _closed(connection: asyncssh.SSHClientConnection) -> None:
    """Wait a little for a connection to close; a dead peer never answers."""
    try:
        async with asyncio.timeout(1):
            await connection.wait_closed()
    except TimeoutError:
        connection.abort()
