"""How many hosts are made ready at a time."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from pyplay.workers import pace
from pyplay.workers.pace import FIRST, GROWTH, LONG, MOST, QUICK, UNCOUNTED, Pace, Room

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


@pytest.mark.parametrize(
    ("seconds", "beside", "answered", "hosts", "uncounted"),
    [
        pytest.param(0.1, 10, True, 10 + GROWTH, UNCOUNTED, id="a quick one makes room"),
        pytest.param(0.1, 10, False, 10 + GROWTH, UNCOUNTED, id="so does one that is refused at once"),
        pytest.param(QUICK + 1, 10, True, 10, UNCOUNTED, id="a slower one changes nothing"),
        pytest.param(LONG + 1, 10, True, 5, 0, id="one that took long takes room away, and patience"),
        pytest.param(LONG + 1, 40, True, 10, 0, id="it does not give room"),
        pytest.param(LONG + 1, 1, True, FIRST, 0, id="there is always some"),
        pytest.param(LONG + 1, 10, False, 10, UNCOUNTED, id="a dead host says nothing of how busy anybody is"),
    ],
)
def test_room_is_learnt(seconds: float, beside: int, answered: bool, hosts: int, uncounted: int) -> None:  # noqa: FBT001  # a table
    room = Room(hosts=10)
    room.learn(seconds, beside, answered=answered)
    assert (room.hosts, room.uncounted) == (hosts, uncounted)


def test_room_has_an_end() -> None:
    room = Room()
    for _ in range(100):
        room.learn(0.1, 1, answered=True)
    assert room.hosts == MOST
    assert not room.has_place(MOST, MOST)


@pytest.mark.parametrize(
    ("under_way", "late", "place"),
    [(FIRST, 0, False), (FIRST, 1, True), (FIRST + UNCOUNTED, FIRST + UNCOUNTED, False), (FIRST - 1, 0, True)],
)
def test_the_late_are_not_counted_up_to_a_number(under_way: int, late: int, place: bool) -> None:  # noqa: FBT001  # a table
    assert Room().has_place(under_way, late) is place


class Hosts:
    """Counts who is being made ready, and who was at the most."""

    def __init__(self) -> None:
        self.pace, self.now, self.most = Pace(), 0, 0

    async def ready(self, until: Callable[[], Awaitable[object]]) -> None:
        async with self.pace.turn():
            self.now += 1
            self.most = max(self.most, self.now)
            try:
                await until()
            finally:
                self.now -= 1


def test_a_fleet_begins_with_few_and_goes_on_with_many() -> None:
    async def go() -> None:
        hosts = Hosts()
        fleet = [asyncio.create_task(hosts.ready(lambda: asyncio.sleep(0.001))) for _ in range(300)]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert hosts.now == FIRST
        await asyncio.gather(*fleet)
        assert hosts.most == MOST

    asyncio.run(go())


def test_dead_hosts_do_not_hold_up_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "PATIENCE", 0.001)

    async def go() -> None:
        hosts, never = Hosts(), asyncio.Event()
        dead = [asyncio.create_task(hosts.ready(never.wait)) for _ in range(UNCOUNTED)]
        await asyncio.gather(*(hosts.ready(lambda: asyncio.sleep(0)) for _ in range(5)))
        assert hosts.now == UNCOUNTED
        for task in dead:
            task.cancel()
        await asyncio.gather(*dead, return_exceptions=True)

    asyncio.run(go())


def test_who_is_stopped_gives_the_place_to_the_next() -> None:
    async def go() -> None:
        hosts, never, done = Hosts(), asyncio.Event(), asyncio.Event()
        first = [asyncio.create_task(hosts.ready(never.wait)) for _ in range(FIRST)]
        waiting = [asyncio.create_task(hosts.ready(never.wait)) for _ in range(3)]
        last = asyncio.create_task(hosts.ready(done.wait))
        await asyncio.sleep(0)
        done.set()
        for task in (waiting[0], *first, *waiting[1:]):  # one that waits, those that are at it, and who is next
            task.cancel()
        await last
        assert hosts.now == 0

    asyncio.run(go())
