"""Connections to jump hosts, shared by all hosts behind them; each carries so many hosts and no more."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from dataclasses import field
from typing import TYPE_CHECKING

from pyplay.diagnostics.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Generator

    import asyncssh

    from pyplay.connection.base import ConnectionOptions

CARRIED = 200  # hosts over one connection: sshd holds a descriptor for each, and may have some thousand


@dataclass(eq=False, slots=True)
class SharedJump:
    """One connection to a jump host, or the login that makes it, and how many go over it."""

    login: asyncio.Task[asyncssh.SSHClientConnection]
    carried: int = 0

    @property
    def lost(self) -> bool:
        """Whether there is no connection any more."""
        task = self.login
        return task.done() and (task.cancelled() or task.exception() is not None or task.result().is_closed())


@dataclass(slots=True)
class Ride:
    """One host's place on a jump host's connection, given back once."""

    connection: asyncssh.SSHClientConnection
    jump: SharedJump
    over: bool = False

    @contextmanager
    def kept(self) -> Generator[None]:
        """Give the place back only if what is done within fails."""
        try:
            yield
        except BaseException:
            self.end()
            raise

    def end(self) -> None:
        """Give the place back."""
        if not self.over:
            self.over = True
            self.jump.carried -= 1


@dataclass(slots=True)
class JumpPool:
    """The jump connections of one worker, by what they are reached with. `login` logs in to one."""

    login: Callable[[ConnectionOptions], Awaitable[asyncssh.SSHClientConnection]]
    _jumps: dict[ConnectionOptions, list[SharedJump]] = field(
        default_factory=dict["ConnectionOptions", "list[SharedJump]"]
    )

    async def ride(self, way: ConnectionOptions) -> Ride:
        """Give a place on a connection to the jump host that `way` leads to. Raises what `login` raises."""
        jumps = self._jumps[way] = [jump for jump in self._jumps.get(way, ()) if not jump.lost]
        jump = next((jump for jump in jumps if jump.carried < CARRIED), None)
        if jump is None:
            jump = SharedJump(asyncio.ensure_future(self.login(way)))
            jumps.append(jump)
        jump.carried += 1
        try:
            return Ride(await asyncio.shield(jump.login), jump)
        except BaseException:
            jump.carried -= 1
            raise

    def close(self) -> None:
        """Close all of them."""
        for jump in (jump for jumps in self._jumps.values() for jump in jumps):
            jump.login.cancel()
            if not jump.lost and jump.login.done():
                jump.login.result().close()
        self._jumps.clear()
