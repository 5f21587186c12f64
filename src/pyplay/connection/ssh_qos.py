"""IPQoS: the class of service that packets ask for. Source: ssh_config(5), IPQoS; RFC 2474, 2597, 3246, 5865, 8622."""

from __future__ import annotations

import socket

from pyplay.connection.ssh_config import SshConfigError

CLASSES = {
    **{f"cs{number}": number << 5 for number in range(8)},
    **{f"af{row}{drop}": (row * 8 + drop * 2) << 2 for row in range(1, 5) for drop in range(1, 4)},
    "ef": 46 << 2,
    "va": 44 << 2,
    "le": 1 << 2,
    "lowdelay": 0x10,
    "throughput": 0x08,
    "reliability": 0x04,
}


def read_class(value: str, place: str) -> int | None:
    """Give the class for sessions without a terminal: the last of one or two names. None: nothing is asked for.

    Raises SshConfigError for a name that is not known.
    """
    name = (value.lower().split() or ["none"])[:2][-1]
    if name == "none":
        return None
    found = CLASSES.get(name)
    if found is None:
        try:
            found = int(name, 0)
        except ValueError:
            raise SshConfigError(f"{place}: {name} is no class of service") from None
    return found


def set_class(sock: socket.socket, wanted: int | None) -> None:
    """Let the packets of a socket ask for a class."""
    if wanted is None:
        return
    if sock.family == socket.AF_INET6:
        sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_TCLASS, wanted)
    else:
        sock.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, wanted)
