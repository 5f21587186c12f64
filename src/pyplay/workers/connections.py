"""The connections and Runners of one worker: one per destination, opened once however many tasks want it.

A connection belongs to its options, a Runner to (connection, become, interpreter). Both stay open from task to task and
are closed when no host that used them has a play left. What is found dead between tasks is made again silently.
Hosts are made ready at a certain pace, and what fell silent in a crowd is tried once more.
A refused become is remembered, not tried again per task: the next wrong password may lock the account.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Protocol, TypeVar

from pyplay.connection.become import NotStarted
from pyplay.connection.ssh_time import SlowLogin
from pyplay.diagnostics.errors import BecomeError, HostUnreachable, RunnerError
from pyplay.workers.pace import Pace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pyplay.connection.base import Connection, ConnectionOptions
    from pyplay.shipping.client import RunnerClient
    from pyplay.workers.connection_options import Destination

T = TypeVar("T")


class Transport(Protocol):
    """What opens connections: `connection.open.Connector`. Equal options share one as long as it lives."""

    async def open(self, options: ConnectionOptions) -> Connection:
        """Give a live connection. Raises HostUnreachable."""
        ...

    async def release(self, options: ConnectionOptions) -> None:
        """Close the connection of `options`, if there is one."""
        ...

    async def close(self) -> None:
        """Close everything."""
        ...


Start = Callable[["Connection", "Destination"], Awaitable["RunnerClient"]]


class Connections:
    """Opens, shares and closes what the tasks of this worker's hosts run over. `start` starts a Runner."""

    def __init__(self, transport: Transport, start: Start) -> None:
        self._transport, self._start = transport, start
        self._connections: dict[ConnectionOptions, Connection] = {}
        self._users: dict[ConnectionOptions, set[str]] = {}
        self._runners: dict[Destination, asyncio.Task[RunnerClient]] = {}
        self._refused: dict[Destination, BecomeError] = {}
        self._pace = Pace()
        self._noted: dict[str, int] = {}  # which task reported what was found of a host
        self._closing: dict[ConnectionOptions, asyncio.Event] = {}

    async def connection(self, options: ConnectionOptions, user: str) -> Connection:
        """Give an open connection, on behalf of the host `user`. Raises HostUnreachable."""
        kept = await self._kept(options, user)
        if kept is not None:
            return kept
        return await self._paced(lambda: self._opened(options, user))

    async def runner(self, destination: Destination, user: str) -> RunnerClient:
        """Give a live Runner, on behalf of the host `user`. Raises HostUnreachable, BecomeError, RunnerError."""
        await self._settled(destination.connection)
        self._users.setdefault(destination.connection, set()).add(user)
        refused = self._refused.get(destination)
        if refused is not None:
            raise refused
        starting = self._runners.get(destination)
        if starting is None or not _usable(starting):
            starting = self._runners[destination] = asyncio.create_task(self._started(destination, user, starting))
        try:
            return await _unbroken(asyncio.shield(starting), destination.connection)
        except BecomeError as error:
            self._refused[destination] = error
            raise

    def to_be_noted(self, host: str, task_id: int, known: Callable[[], bool]) -> bool:
        """Tell whether the task is to report what was found of `host`: the first since its connections were made.

        Also the first after it was forgotten: when it is no longer `known`.
        """
        noted = self._noted.get(host)
        if noted == task_id or (noted is not None and known()):
            return False
        self._noted[host] = task_id
        return True

    async def release(self, hosts: Iterable[str]) -> None:
        """Close what only `hosts` used."""
        gone = set(hosts)
        for host in gone:
            self._noted.pop(host, None)
        for users in self._users.values():
            users.difference_update(gone)
        await self._close_those([options for options, users in self._users.items() if not users])

    async def reset(self, host: str) -> None:
        """Close every connection to `host`, whoever uses it, and what runs over it.

        What is local is shared by all who are, whose calls may be running: there the next call has a new Runner.
        """
        self._noted.pop(host, None)
        which = {options for options, users in self._users.items() if _goes_to(options, host, users)}
        near = {options for options in which if options.kind == "local"}
        self._forget_refused(near)
        for destination, starting in self._runners.items():
            if destination.connection in near and starting.done() and _usable(starting):
                starting.result().renew()
        await self._close_those(list(which - near))

    async def drop(self, options: ConnectionOptions) -> None:
        """Close one connection and the Runners over it."""
        await self._close_those([options])

    async def close(self) -> None:
        """Close everything: Runners first, so that nothing of them remains on the hosts."""
        await self._close_those(list(self._users))
        await self._transport.close()

    async def _close_those(self, which: list[ConnectionOptions]) -> None:
        """Close connections and the Runners over them, and forget what was refused there.

        One that is being closed is waited for, not closed again: by then there may be a new one in its place.
        """
        gone = {options for options in which if options not in self._closing}
        under_way = [self._closing[options] for options in which if options in self._closing]
        done = asyncio.Event()
        for options in gone:
            self._closing[options] = done
        try:
            await self._close_now(gone)
        finally:
            for options in gone:
                del self._closing[options]
            done.set()
        for closing in under_way:
            await closing.wait()

    async def _settled(self, options: ConnectionOptions) -> None:
        """Wait until a connection that is being closed is closed: the next one must not be taken for it."""
        while (closing := self._closing.get(options)) is not None:
            await closing.wait()

    async def _close_now(self, gone: set[ConnectionOptions]) -> None:
        self._forget_refused(gone)
        runners = [self._runners.pop(key) for key in [key for key in self._runners if key.connection in gone]]
        await asyncio.gather(*(_shut(starting) for starting in runners), return_exceptions=True)
        for options in gone:
            self._connections.pop(options, None)
            self._users.pop(options, None)
        await asyncio.gather(*(self._transport.release(options) for options in gone), return_exceptions=True)

    def _forget_refused(self, connections: set[ConnectionOptions]) -> None:
        for destination in [key for key in self._refused if key.connection in connections]:
            del self._refused[destination]

    async def _started(
        self, destination: Destination, user: str, dead: asyncio.Task[RunnerClient] | None
    ) -> RunnerClient:
        """Start a Runner in its turn."""
        if dead is not None:
            await asyncio.gather(_shut(dead), return_exceptions=True)
        return await self._paced(lambda: self._begun(destination, user))

    async def _begun(self, destination: Destination, user: str) -> RunnerClient:
        """Start a Runner; where its connection turns out to have died since the last task, over a new one."""
        options = destination.connection
        kept = self._connections.get(options)
        connection = await self._opened(options, user)
        try:
            return await self._start(connection, destination)
        except HostUnreachable:
            if connection is not kept:
                raise
        self._connections.pop(options, None)
        await self._transport.release(options)
        return await self._start(await self._opened(options, user), destination)

    async def _kept(self, options: ConnectionOptions, user: str) -> Connection | None:
        """Give the connection that is there and alive, and note that `user` uses it."""
        await self._settled(options)
        self._users.setdefault(options, set()).add(user)
        kept = self._connections.get(options)
        return kept if kept is not None and kept.alive else None

    async def _opened(self, options: ConnectionOptions, user: str) -> Connection:
        """Give the connection that is there, or open one."""
        kept = await self._kept(options, user)
        if kept is not None:
            return kept
        found = self._connections[options] = await _unbroken(self._transport.open(options), options)
        return found

    async def _paced(self, ready: Callable[[], Awaitable[T]]) -> T:
        """Have a host made ready in its turn; once more, if it fell silent while there were many."""
        async with self._pace.turn() as turn:
            try:
                return await ready()
            except (HostUnreachable, RunnerError) as error:
                turn.silent = _fell_silent(error)
                if not (turn.silent and turn.crowded):
                    raise
        async with self._pace.turn():
            return await ready()


def _fell_silent(error: Exception) -> bool:
    """Tell whether the host was there and then gave no answer in time: it, or this machine, may be too busy for it."""
    cause = error.__cause__
    return isinstance(cause, SlowLogin) or (isinstance(cause, NotStarted) and cause.status is None)


async def _unbroken(opening: Awaitable[T], options: ConnectionOptions) -> T:
    """Give what `opening` gives; that somebody else stopped it means that there is no connection."""
    try:
        return await opening
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        reason = "the connection was closed while it was being opened"
        raise HostUnreachable(options.host, options.address, reason) from None


def _usable(starting: asyncio.Task[RunnerClient]) -> bool:
    """Tell whether a Runner is being started, or runs."""
    if not starting.done():
        return True
    return not starting.cancelled() and starting.exception() is None and starting.result().alive


async def _shut(starting: asyncio.Task[RunnerClient]) -> None:
    """Close a Runner, or stop starting it."""
    if not starting.done():
        starting.cancel()
        await asyncio.gather(starting, return_exceptions=True)
    if not starting.cancelled() and starting.exception() is None:
        await starting.result().close()


def _goes_to(options: ConnectionOptions, host: str, users: set[str]) -> bool:
    """Tell whether a connection is one to `host`; local ones are shared by all who are local."""
    return options.host == host or (options.kind == "local" and host in users)
