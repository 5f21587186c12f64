"""Logins at servers that turn some away."""

from __future__ import annotations

import asyncio

import pytest
from hosts import drive

from pyplay.connection import ssh_crowd
from pyplay.connection.base import ConnectionOptions
from pyplay.connection.ssh_config import SshConfig
from pyplay.connection.ssh_crowd import Doors, TurnedAway, door_of
from pyplay.connection.ssh_target import find_target
from pyplay.diagnostics.errors import HostUnreachable


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ssh_crowd, "PAUSES", (0.002,) * 40)


class Server:
    """Takes so many logins at a time, turns others away, and counts."""

    def __init__(self, room: int) -> None:
        self.room, self.inside, self.turned = room, 0, 0

    async def login(self) -> str:
        if self.inside == self.room:
            self.turned += 1
            raise HostUnreachable("h", "h", "full") from TurnedAway()
        self.inside += 1
        await asyncio.sleep(0.002)
        self.inside -= 1
        return "in"


def test_all_get_in_and_few_knock_twice() -> None:
    async def go() -> None:
        doors, server = Doors(), Server(room=1)
        found = await asyncio.gather(*(doors.enter("door", server.login) for _ in range(20)))
        assert found == ["in"] * 20
        assert server.turned < 60  # without turns it would be 190

    drive(go())


def test_other_faults_are_not_tried_again() -> None:
    calls = 0

    async def refuse() -> None:
        nonlocal calls
        calls += 1
        raise HostUnreachable("h", "h", "refused")

    async def go() -> None:
        with pytest.raises(HostUnreachable, match="refused"):
            await Doors().enter("door", refuse)

    drive(go())
    assert calls == 1


def target_of(**options: str) -> object:
    given = ConnectionOptions(host="h", address="198.51.100.1", user="u", **options)
    return door_of(find_target(given, lambda _: SshConfig([])))


def test_a_jump_host_is_a_door_of_its_own() -> None:
    """Who goes through a narrow server to itself must not wait for himself."""
    near, far = target_of(), target_of(ssh_common_args="-J u@198.51.100.1")
    assert near != far
    assert near == target_of(ssh_common_args="-o ServerAliveInterval=5")

    async def go() -> None:
        doors, server = Doors(), Server(room=1)
        await asyncio.gather(*(doors.enter(door, server.login) for door in (near, near, far, far)))  # all narrow now
        assert await doors.enter(far, lambda: doors.enter(near, server.login)) == "in"

    drive(go())
