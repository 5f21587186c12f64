"""From options to a connection: one per (worker, options), with what connections share."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

from pyplay.connection.kinds import LOCAL_KINDS, OPENSSH_KINDS, SSH_KINDS
from pyplay.connection.local import LocalConnection
from pyplay.connection.ssh_table import NeedsSsh
from pyplay.diagnostics.errors import HostUnreachable
from pyplay.diagnostics.model import Diagnostic, Severity

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from pyplay.connection.base import Connection, ConnectionOptions
    from pyplay.connection.host_key_texts import HostKeyQuestion
    from pyplay.connection.login_texts import AskPassphrase
    from pyplay.connection.openssh import OpensshTransport
    from pyplay.connection.ssh import SshTransport
    from pyplay.connection.ssh_config import SshConfig, SshConfigs

PLAIN_PROGRAMS = frozenset({"ssh", "/usr/bin/ssh", "/bin/ssh"})


class Connector:
    """Opens connections for one worker. Made inside its event loop; holds no connection until asked for one.

    Equal options give the same connection as long as it lives. Configuration files, known hosts, keys, the agent and
    jump hosts are read or connected once. `ask_host_key` is asked about unknown host keys (a terminal's user); without
    it they are refused. `ask_passphrase` is asked for those of keys. `tell` is given what a user may want to know:
    unknown words, and which hosts the system's ssh reaches, and why.
    """

    def __init__(
        self,
        *,
        ask_host_key: Callable[[HostKeyQuestion], Awaitable[bool]] | None = None,
        ask_passphrase: AskPassphrase | None = None,
        tell: Callable[[Diagnostic], None] = lambda _: None,
    ) -> None:
        self._ask, self._ask_passphrase, self._tell = ask_host_key, ask_passphrase, tell
        self._configs: SshConfigs | None = None
        self._ssh: SshTransport | None = None
        self._openssh: OpensshTransport | None = None
        self._through_ssh: dict[ConnectionOptions, str] = {}  # and why
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
        if self._openssh is not None:
            self._openssh.close()
            self._openssh = None

    async def _connect(self, options: ConnectionOptions) -> Connection:
        if options.kind in LOCAL_KINDS:
            return LocalConnection(options)
        if options.kind in OPENSSH_KINDS:
            return self._system_ssh().connect(options)
        if options.kind in SSH_KINDS:
            return await self._connect_ssh(options)
        return _through_engine(options)

    async def _connect_ssh(self, options: ConnectionOptions) -> Connection:
        """Go by asyncssh, or by the system's ssh where only that can."""
        why = self._through_ssh.get(options) or _needs_program(options)
        if why is None:
            try:
                return await self._own_ssh().connect(options)
            except NeedsSsh as need:
                why = need.reason
        connection = self._system_ssh().connect(options, why)
        if options not in self._through_ssh:
            self._through_ssh[options] = why
            message = f"{options.host} is reached through {options.ssh_executable}: {why}"
            self._tell(Diagnostic("through-ssh", message, severity=Severity.NOTE))
        return connection

    def _own_ssh(self) -> SshTransport:
        if self._ssh is None:
            from pyplay.connection.ssh_library import load_ssh  # noqa: PLC0415  # loaded where it is needed

            own = load_ssh().SshTransport(
                ask=self._ask, ask_passphrase=self._ask_passphrase, config=self._config, warn=self._warn
            )
            self._ssh = cast("SshTransport", own)
        return self._ssh

    def _system_ssh(self) -> OpensshTransport:
        if self._openssh is None:
            from pyplay.connection.openssh import OpensshTransport  # noqa: PLC0415  # as above

            self._openssh = OpensshTransport(
                self._config, ask=self._ask, ask_passphrase=self._ask_passphrase, warn=self._warn
            )
        return self._openssh

    def _config(self, file: str | None) -> SshConfig:
        if self._configs is None:
            from pyplay.connection.ssh_config import SshConfigs  # noqa: PLC0415  # as above

            self._configs = SshConfigs()
        return self._configs.get(file)

    def _warn(self, text: str) -> None:
        self._tell(Diagnostic("ssh-word", text, severity=Severity.WARNING))


def _through_engine(options: ConnectionOptions) -> Connection:
    from pyplay.connection.engine_connection import EngineConnection  # noqa: PLC0415  # loaded where it is needed
    from pyplay.connection.engines import ALL, ENGINES  # noqa: PLC0415  # as above

    if options.kind not in ENGINES:
        known = ", ".join(sorted((*LOCAL_KINDS, *SSH_KINDS, *OPENSSH_KINDS, *(engine.name for engine in ALL))))
        raise HostUnreachable(options.host, options.address, f"unknown connection `{options.kind}`; known are {known}")
    return EngineConnection(options)


def _needs_program(options: ConnectionOptions) -> str | None:
    """Give why the system's ssh is needed, if the options themselves say so."""
    if options.ssh_executable not in PLAIN_PROGRAMS:
        return f"ssh_executable is {options.ssh_executable}"
    if options.pkcs11_provider:
        return "a PKCS#11 provider is named, which asyncssh does not use here"
    return None


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
