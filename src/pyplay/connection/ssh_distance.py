"""How far away the other end of a TCP connection is, as the kernel has measured it."""

from __future__ import annotations

import socket
import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncssh

FAR = 0.005
"""Seconds of round trip from which on bytes count more than a host's milliseconds.

A connection that has carried little sends some 14 KB and then waits for an answer: RFC 6928.
"""

_INFO = 152
_SHORTEST = 148  # `tcpi_min_rtt` in linux/tcp.h, microseconds; the latest ones hold what a busy host needed, too


def is_far(connection: asyncssh.SSHClientConnection) -> bool:
    """Tell whether a round trip takes long; where that is not known (another kernel, another host between), it may."""
    link = connection.get_extra_info("socket")
    if link is None or connection.get_extra_info("remote_peername") is not None:
        return True
    try:
        found = link.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _INFO)
    except (OSError, AttributeError):
        return True
    return len(found) < _INFO or struct.unpack_from("I", found, _SHORTEST)[0] >= FAR * 1e6
