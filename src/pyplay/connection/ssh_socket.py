"""The TCP connection below SSH: the first address of a name that answers."""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING, Any

from pyplay.connection.ssh_qos import set_class

if TYPE_CHECKING:
    from pyplay.connection.ssh_target import SshTarget


async def connect_socket(target: SshTarget) -> socket.socket:
    """Connect to the first address that answers. Raises OSError, TimeoutError."""
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(target.connect_timeout):
        found = await _addresses(loop, target)
        fault: OSError | None = None
        for family, kind, protocol, _, address in found:
            sock = socket.socket(family, kind, protocol)
            sock.setblocking(False)  # noqa: FBT003  # the library's signature
            try:
                set_class(sock, target.service_class)
                if target.bind_address:
                    sock.bind((target.bind_address, 0))
                await loop.sock_connect(sock, address)
            except OSError as error:
                fault = error
                sock.close()
            except BaseException:
                sock.close()
                raise
            else:
                return sock
    raise fault or OSError(f"no address for {target.address}")


async def _addresses(loop: asyncio.AbstractEventLoop, target: SshTarget) -> list[Any]:
    """Give the addresses of a name; a literal one needs no thread to be resolved."""
    for family in (socket.AF_INET, socket.AF_INET6):
        try:
            socket.inet_pton(family, target.address)
        except OSError:
            continue
        address = (target.address, target.port) + ((0, 0) if family is socket.AF_INET6 else ())
        return [(family, socket.SOCK_STREAM, 0, "", address)]
    return list(await loop.getaddrinfo(target.address, target.port, family=target.family, type=socket.SOCK_STREAM))
