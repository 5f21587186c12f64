"""Acknowledging at once what a server sends, until its first program runs.

Until then sshd leaves Nagle's algorithm on: of two packets, the second waits until the first is acknowledged. It does
send two after a login, its host keys and that the channel is open, and the kernel on this side, which expects to have
something to say to the first, delays the acknowledgement by 40 ms. So ask the kernel not to wait (tcp(7), TCP_QUICKACK;
it forgets that soon, and is asked whenever something has come). From the first program on sshd has TCP_NODELAY set.
"""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import asyncssh

_RECEIVE = "data_received"  # of a connection, which is an asyncio.Protocol
_OPTION: int | None = getattr(socket, "TCP_QUICKACK", None)  # Linux has it


def acknowledge_at_once(connection: asyncssh.SSHClientConnection) -> None:
    """Have everything that comes over `connection` acknowledged when it comes. To be called when it is made."""
    sock: Any = connection.get_extra_info("socket")
    if _OPTION is None or sock is None or sock.family not in (socket.AF_INET, socket.AF_INET6):
        return
    receive: Any = getattr(connection, _RECEIVE)

    def received(data: bytes, *more: Any) -> None:
        receive(data, *more)
        if sock.fileno() >= 0:
            sock.setsockopt(socket.IPPROTO_TCP, _OPTION, 1)

    setattr(connection, _RECEIVE, received)


def acknowledge_as_usual(connection: asyncssh.SSHClientConnection) -> None:
    """Leave it to the kernel again when to acknowledge: what is said next says so along with it."""
    vars(connection).pop(_RECEIVE, None)
