"""What a server sends before its first program runs is acknowledged at once; later that is left to the kernel."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Any

import pytest
from hosts import drive, embedded, ssh_options

from pyplay.connection import ssh_acks
from pyplay.connection.ssh_acks import acknowledge_as_usual, acknowledge_at_once

if TYPE_CHECKING:
    from pathlib import Path


class Wire:
    """A socket that remembers what it is asked for."""

    def __init__(self, family: int = socket.AF_INET) -> None:
        self.family, self.number, self.asked = family, 5, 0

    def fileno(self) -> int:
        return self.number

    def setsockopt(self, *what: int) -> None:
        assert what == (socket.IPPROTO_TCP, 12, 1)
        self.asked += 1


class Connection:
    """What there is of a connection."""

    def __init__(self, wire: Wire | None) -> None:
        self.wire, self.got = wire, b""

    def get_extra_info(self, name: str) -> Any:
        return {"socket": self.wire}[name]

    def data_received(self, data: bytes) -> None:
        self.got += data


@pytest.fixture(autouse=True)
def _linux(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ssh_acks, "_OPTION", 12)


def test_all_that_comes_is_acknowledged_until_it_is_as_usual() -> None:
    wire = Wire()
    connection: Any = Connection(wire)
    acknowledge_at_once(connection)
    for data in (b"a", b"b"):
        connection.data_received(data)
    assert wire.asked == 2
    wire.number = -1  # closed by what it was sent
    connection.data_received(b"c")
    wire.number = 5
    for _ in range(2):
        acknowledge_as_usual(connection)
        connection.data_received(b"d")
    assert (connection.got, wire.asked) == (b"abcdd", 2)


@pytest.mark.parametrize("wire", [None, Wire(socket.AF_UNIX)], ids=["tunnel", "proxy command"])
def test_what_is_no_tcp_connection_is_left_alone(wire: Wire | None) -> None:
    connection: Any = Connection(wire)
    acknowledge_at_once(connection)
    connection.data_received(b"a")
    assert connection.got == b"a"
    assert wire is None or wire.asked == 0


def test_a_system_without_the_option_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ssh_acks, "_OPTION", None)
    connection: Any = Connection(Wire())
    acknowledge_at_once(connection)
    assert "data_received" not in vars(connection)


def test_a_login_acknowledges_until_its_first_program_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ssh_acks, "_OPTION", getattr(socket, "TCP_QUICKACK", socket.TCP_NODELAY))

    async def go() -> list[bool]:
        async with embedded(tmp_path) as (fleet, connector):
            connection: Any = await connector.open(ssh_options(fleet, fleet.hosts[0]))
            [own] = connection._connections
            found = ["data_received" in vars(own)]
            process = await connection.start(["true"])
            await process.wait()
            return [*found, "data_received" in vars(own)]

    assert drive(go()) == [True, False]
