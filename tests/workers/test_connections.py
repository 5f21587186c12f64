"""Sharing connections and Runners: opened once, kept, made again silently, closed when nobody needs them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from pyplay.connection.base import BecomeOptions, ConnectionOptions
from pyplay.connection.become import NotStarted
from pyplay.connection.ssh_time import SlowLogin
from pyplay.diagnostics.errors import BecomeError, HostUnreachable, RunnerError
from pyplay.workers.connection_options import Destination
from pyplay.workers.connections import Connections
from pyplay.workers.pace import FIRST

if TYPE_CHECKING:
    from collections.abc import Coroutine


@dataclass(eq=False)
class Thing:
    """A connection or Runner that can be told to be dead."""

    over: Any = None
    alive: bool = True
    renewals: int = 0

    def renew(self) -> None:
        self.renewals += 1

    async def close(self) -> None:
        await asyncio.sleep(0)
        self.alive = False


@dataclass
class Network:
    """A transport that counts, and starts Runners. `trouble` holds what the next starts raise."""

    opened: list[Thing] = field(default_factory=list)
    started: list[Thing] = field(default_factory=list)
    released: list[ConnectionOptions] = field(default_factory=list)
    trouble: list[Exception | None] = field(default_factory=list)
    by_options: dict[ConnectionOptions, Thing] = field(default_factory=dict)
    pause: float = 0.0  # seconds that a start takes

    async def open(self, options: ConnectionOptions) -> Thing:
        await asyncio.sleep(0)
        known = self.by_options.get(options)
        if known is None or not known.alive:
            known = self.by_options[options] = Thing()
            self.opened.append(known)
        return known

    async def release(self, options: ConnectionOptions) -> None:
        self.released.append(options)
        thing = self.by_options.pop(options, None)
        if thing is not None:
            await thing.close()

    async def close(self) -> None:
        for options in list(self.by_options):
            await self.release(options)

    async def start(self, connection: Any, destination: Destination) -> Any:
        del destination
        await asyncio.sleep(self.pause)
        error = self.trouble.pop(0) if self.trouble else None
        if error is not None:
            raise error
        self.started.append(Thing(connection))
        return self.started[-1]


def to(host: str, **become: Any) -> Destination:
    options = ConnectionOptions(host=host, address=host)
    return Destination(connection=options, become=BecomeOptions(**become) if become else None)


@pytest.fixture
def network() -> Network:
    return Network()


def work(network: Network, what: Any) -> Any:
    async def run() -> Any:
        return await what(Connections(network, network.start))

    coroutine: Coroutine[Any, Any, Any] = run()
    return asyncio.run(coroutine)


def test_many_tasks_share_one_runner(network: Network) -> None:
    async def what(connections: Connections) -> None:
        runners = await asyncio.gather(*(connections.runner(to("a"), f"h{n}") for n in range(50)))
        assert len({id(runner) for runner in runners}) == 1
        await connections.runner(to("a", user="root"), "h1")

    work(network, what)
    assert (len(network.opened), len(network.started)) == (1, 2)


def test_a_dead_runner_and_a_dead_connection_are_made_again(network: Network) -> None:
    async def what(connections: Connections) -> None:
        await connections.runner(to("a"), "a")
        network.started[0].alive = False
        await connections.runner(to("a"), "a")
        assert len(network.opened) == 1
        network.opened[0].alive = network.started[1].alive = False
        await connections.runner(to("a"), "a")

    work(network, what)
    assert (len(network.opened), len(network.started)) == (2, 3)


def test_a_connection_that_turns_out_to_be_dead_is_made_again_once(network: Network) -> None:
    lost = HostUnreachable("a", "a", "lost")

    async def what(connections: Connections) -> None:
        await connections.runner(to("a"), "a")
        network.started[0].alive = False
        network.trouble = [lost]
        await connections.runner(to("a"), "a")
        assert len(network.opened) == 2
        network.started[1].alive = False
        network.trouble = [lost, lost]
        with pytest.raises(HostUnreachable):
            await connections.runner(to("a"), "a")

    work(network, what)


def test_a_new_connection_that_fails_is_not_tried_twice(network: Network) -> None:
    async def what(connections: Connections) -> None:
        network.trouble = [HostUnreachable("a", "a", "lost")]
        with pytest.raises(HostUnreachable):
            await connections.runner(to("a"), "a")
        assert len(network.opened) == 1
        await connections.runner(to("a"), "a")

    work(network, what)


def test_a_refused_become_is_remembered_until_the_connection_is_reset(network: Network) -> None:
    async def what(connections: Connections) -> None:
        network.trouble = [BecomeError("sudo", "root", "wrong password")]
        for _ in range(3):
            with pytest.raises(BecomeError):
                await connections.runner(to("a", user="root"), "a")
        assert network.trouble == []
        await connections.runner(to("a", user="other"), "a")
        await connections.reset("a")
        await connections.runner(to("a", user="root"), "a")

    work(network, what)


def test_what_nobody_uses_any_more_is_closed(network: Network) -> None:
    async def what(connections: Connections) -> None:
        await connections.runner(to("a"), "a")
        await connections.runner(to("shared"), "a")
        await connections.runner(to("shared"), "b")
        await connections.release(["a"])
        assert [options.host for options in network.released] == ["a"]
        await connections.release(["b"])
        assert [options.host for options in network.released] == ["a", "shared"]

    work(network, what)
    assert not any(runner.alive for runner in network.started)


def test_a_task_right_after_a_reset_gets_a_new_connection(network: Network) -> None:
    async def what(connections: Connections) -> None:
        old = await connections.runner(to("a"), "a")
        resetting = asyncio.create_task(connections.reset("a"))
        await asyncio.sleep(0)
        new = await connections.runner(to("a"), "a")
        await resetting
        assert new is not old
        assert new.alive

    work(network, what)


def test_a_reset_leaves_the_calls_of_other_local_hosts(network: Network) -> None:
    async def what(connections: Connections) -> None:
        near = ConnectionOptions(host="localhost", address="localhost", kind="local")
        local = Destination(connection=near, become=None)
        root = Destination(connection=near, become=BecomeOptions(user="root"))
        shared: Any = await connections.runner(local, "a")
        assert await connections.runner(local, "b") is shared
        network.trouble = [BecomeError("sudo", "root", "wrong password")]
        with pytest.raises(BecomeError):
            await connections.runner(root, "a")
        await connections.reset("a")
        assert (network.released, shared.alive, shared.renewals) == ([], True, 1)
        assert await connections.runner(local, "a") is shared
        await connections.runner(root, "a")  # what was refused is tried again
        await connections.reset("c")
        assert shared.renewals == 1

    work(network, what)


def test_closing_twice_leaves_the_connection_made_in_between(network: Network) -> None:
    async def what(connections: Connections) -> None:
        await connections.runner(to("a"), "a")
        first = asyncio.create_task(connections.release(["a"]))
        await asyncio.sleep(0)
        second = asyncio.create_task(connections.release(["b"]))
        new = await connections.runner(to("a"), "c")
        await asyncio.gather(first, second)
        assert new.alive
        assert new.over.alive
        assert len(network.released) == 1

    work(network, what)


def test_stopping_what_others_wait_for_makes_the_host_unreachable(network: Network) -> None:
    never = asyncio.Event()

    async def start(connection: Any, destination: Destination) -> Any:
        await never.wait()

    async def run() -> None:
        connections = Connections(network, start)
        waiting = asyncio.create_task(connections.runner(to("a"), "a"))
        await asyncio.sleep(0.01)
        await connections.close()
        with pytest.raises(HostUnreachable, match="closed while it was being opened"):
            await waiting

    asyncio.run(run())


def test_one_task_that_gives_up_does_not_stop_the_others(network: Network) -> None:
    async def what(connections: Connections) -> None:
        first = asyncio.create_task(connections.runner(to("a"), "a"))
        second = asyncio.create_task(connections.runner(to("a"), "b"))
        await asyncio.sleep(0)
        first.cancel()
        assert (await second).alive

    work(network, what)


def silence() -> RunnerError:
    error = RunnerError("no answer within 30 s")
    error.__cause__ = NotStarted(None, "no answer within 30 s")
    return error


def slow_login() -> HostUnreachable:
    error = HostUnreachable("a", "a", "no answer from port 22 within 10 s")
    error.__cause__ = SlowLogin("no answer from port 22 within 10 s")
    return error


@pytest.mark.parametrize("error", [silence(), slow_login()])
def test_who_falls_silent_in_a_crowd_is_tried_once_more(network: Network, error: Exception) -> None:
    """Many hosts on a slow machine: that we start too many of them at a time must not make any unreachable."""
    names = [f"h{number}" for number in range(FIRST + 1)]

    async def what(connections: Connections) -> None:
        network.trouble = [None] * FIRST + [error]
        await asyncio.gather(*(connections.runner(to(name), name) for name in names))

    network.pause = 0.15  # longer than it takes until the late are not counted
    work(network, what)
    assert len(network.started) == len(names)


@pytest.mark.parametrize("error", [silence(), slow_login()])
def test_who_falls_silent_alone_is_not(network: Network, error: Exception) -> None:
    async def what(connections: Connections) -> None:
        network.trouble = [error]
        with pytest.raises(type(error), match="no answer"):
            await connections.runner(to("a"), "a")

    work(network, what)


def test_other_faults_are_not_tried_again_in_a_crowd(network: Network) -> None:
    async def what(connections: Connections) -> None:
        network.trouble = [None] * FIRST + [RunnerError("there is no Python")]
        with pytest.raises(RunnerError, match="there is no Python"):
            await asyncio.gather(*(connections.runner(to(name), name) for name in "abc"))

    network.pause = 0.15
    work(network, what)
