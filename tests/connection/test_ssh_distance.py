"""How far a host is."""

from __future__ import annotations

import asyncio
import socket
import struct
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from hosts import embedded, ssh_options

from pyplay.connection.ssh_distance import is_far

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's own figure")
def test_this_machine_is_near(tmp_path: Path) -> None:
    async def go() -> bool:
        async with embedded(tmp_path) as (fleet, connector):
            return (await connector.open(ssh_options(fleet, fleet.hosts[0]))).far

    assert asyncio.run(go()) is False


def link(answer: bytes | OSError) -> SimpleNamespace:
    """Give a socket of which the kernel says this."""

    def getsockopt(level: int, option: int, size: int) -> bytes:
        assert (level, option) == (socket.IPPROTO_TCP, socket.TCP_INFO)
        if isinstance(answer, OSError):
            raise answer
        return answer[:size]

    return SimpleNamespace(getsockopt=getsockopt)


@pytest.mark.skipif(not hasattr(socket, "TCP_INFO"), reason="a kernel that says nothing")
@pytest.mark.parametrize(
    ("known", "far"),
    [
        ({"socket": link(bytes(148) + struct.pack("I", 300) + bytes(90))}, False),
        ({"socket": link(bytes(148) + struct.pack("I", 20000) + bytes(90))}, True),
        ({"socket": link(bytes(148) + struct.pack("I", 300)), "remote_peername": ("behind", 22)}, True),
        ({"socket": link(bytes(104))}, True),
        ({"socket": link(OSError(95, "not supported"))}, True),
        ({}, True),
    ],
)
def test_a_host_is_far_unless_the_kernel_knows_better(known: dict[str, Any], far: bool) -> None:  # noqa: FBT001  # a case
    connection: Any = SimpleNamespace(get_extra_info=known.get)
    assert is_far(connection) is far
