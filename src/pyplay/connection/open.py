"""From options to a connection: one per (worker, options), with what connections share."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

from pyplay.connection.local import LocalConnection
from pyplay.diagnostics.errors import HostUnreachable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from pyplay.connection.base import Connection, ConnectionOptions
    from pyplay.connection.host_keys import HostKeyQuestion
    from pyplay.connection.ssh import SshTransport

SSH_KINDS = frozenset({"ssh", "smart", "paramiko", "paramiko_ssh", "ansible.builtin.ssh"})
LOCAL_KINDS = frozenset({"local", "ansible.builtin.local"})


class Connector:
    """Opens connections for one worker. Made inside its event loop; holds no connection until asked for one.

    Equal options give the same connection as long as it lives. Configuration files, known hosts, keys, the agent and
    jump hosts are read or connected once. `ask_host_key` is asked about unknown host keys (a terminal's user); without
    it they are refused.
    """

    def __init__(self, *, ask_host_key: Callable[[HostKeyQuestion], Awaitable[bool]] | None = None) -> None:
        self._ask = ask_host_key
        self._ssh: SshTransport | None = None
        self._open: dict[ConnectionOptions, asyncio.Task[Connection]] = {}

    async def open(self, options: ConnectionOptions) -> Connection:
        """Give a live connection for `options`. Raises HostUnreachable."""
        task = self._open.get(options)
        if task is None or _is_dead(task):
            task = self._open[options] = asyncio.create_task(self._connect(options))
        try:
            return await asyncio.shield(task)
        except BaseException:
            if task.done() and self._open.get(options) is task:
                del self._open[options]
            raise

    async def release(self, options: ConnectionOptions) -> None:
        """Close the connection of `options`, if there is one."""
        task = self._open.pop(options, None)
        if task is not None:
            await _close(task)

    async def close(self) -> None:
        """Close every connection, jump hosts last."""
        tasks = list(self._open.values())
        self._open.clear()
        await asyncio.gather(*(_close(task) for task in tasks))
        if self._ssh is not None:
            await self._ssh.close()
            self._ssh = None

    async def _connect(self, options: ConnectionOptions) -> Connection:
        if options.kind in LOCAL_KINDS:
            return LocalConnection(options)
        if options.kind in SSH_KINDS:
            if self._ssh is None:
                from pyplay.connection.ssh_library import load_ssh  # noqa: PLC0415  # loaded where it is needed

                self._ssh = cast("SshTransport", load_ssh().SshTransport(ask=self._ask))
            return await self._ssh.connect(options)
        known = ", ".join(sorted(LOCAL_KINDS | SSH_KINDS))
        raise HostUnreachable(options.host, options.address, f"unknown connection `{options.kind}`; known are {known}")


def _is_dead(task: asyncio.Task[Connection]) -> bool:
    if not task.done():
        return False
    return task.cancelled() or task.exception() is not None or not task.result().alive


async def _close(task: asyncio.Task[Connection]) -> None:
    if not task.done():
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    if not task.cancelled() and task.exception() is None:
        await task.result().close()
