"""How long logins may take."""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING, Any

import asyncssh
import pytest
from hosts import drive, embedded, ssh_options

from pyplay.connection.base import ConnectionOptions
from pyplay.connection.open import Connector
from pyplay.connection.ssh_library import load_ssh
from pyplay.connection.ssh_time import SlowLogin
from pyplay.diagnostics.errors import HostUnreachable

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def slow_to_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have servers think for 0.4 s before they let anybody in, as one does that asks a directory."""
    let_in = asyncssh.SSHServerConnection.send_userauth_success

    async def think(self: Any) -> None:
        await asyncio.sleep(0.4)
        await let_in(self)

    monkeypatch.setattr(asyncssh.SSHServerConnection, "send_userauth_success", think)


@pytest.mark.usefixtures("slow_to_decide")
def test_a_server_may_think_longer_about_who_one_is_than_connecting_may_take(tmp_path: Path) -> None:
    async def go() -> None:
        async with embedded(tmp_path) as (fleet, connector):
            assert (await connector.open(ssh_options(fleet, fleet.hosts[0], timeout=0.3))).alive

    drive(go())


@pytest.mark.usefixtures("slow_to_decide")
def test_but_not_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load_ssh(), "LOGIN_TIMEOUT", 0.2)

    async def go() -> None:
        async with embedded(tmp_path) as (fleet, connector):
            with pytest.raises(HostUnreachable, match=r"port \d+: the login was not done within 0.2 s") as caught:
                await connector.open(ssh_options(fleet, fleet.hosts[0], timeout=0.1))
            assert isinstance(caught.value.__cause__, SlowLogin)

    drive(go())


def test_a_server_that_says_nothing_is_told_from_one_that_is_not_there() -> None:
    """What is there and silent may be too busy: it is worth another try when there is more quiet."""

    async def go() -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:  # takes connections, and never looks at them
            port = server.getsockname()[1]
            options = ConnectionOptions(host="h", address="127.0.0.1", port=port, ssh_args="-F none", timeout=0.1)
            connector = Connector()
            with pytest.raises(HostUnreachable, match=rf"no answer from port {port} within 0.1 s") as caught:
                await connector.open(options)
            assert isinstance(caught.value.__cause__, SlowLogin)
        with pytest.raises(HostUnreachable, match="Conn") as caught:
            await connector.open(options)
        assert not isinstance(caught.value.__cause__, SlowLogin)
        await connector.close()

    drive(go())
