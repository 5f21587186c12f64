"""Reaching a host through the system's ssh: one process of it per program, each with a login of its own.

For hosts that asyncssh cannot reach, or where the user names this connection. Words, files, keys, agents and known
hosts are ssh's own business; what it asks is answered by `askpass`, what it says in the end is read by
`openssh_faults`.
"""

from __future__ import annotations

import asyncio
import random
import shlex
import shutil
import tempfile
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from pyplay.connection.askpass import Answers, Askpass, write_program
from pyplay.connection.openssh_command import ssh_command
from pyplay.connection.openssh_faults import FAILED, LAST, Fault, explain_end, telling
from pyplay.connection.openssh_log import SshLog
from pyplay.connection.openssh_process import OpensshProcess, spawn
from pyplay.connection.ssh_config import SshConfigError
from pyplay.connection.ssh_crowd import Doors, TurnedAway, door_of
from pyplay.connection.ssh_target import plan_login
from pyplay.connection.stream import GREETING
from pyplay.diagnostics.errors import HostUnreachable
from pyplay.source.paths import is_socket

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from pyplay.connection.base import ConnectionOptions
    from pyplay.connection.host_key_texts import HostKeyQuestion
    from pyplay.connection.local import LocalProcess
    from pyplay.connection.login_texts import AskPassphrase
    from pyplay.connection.ssh_config import SshConfig
    from pyplay.connection.ssh_target import Plan

LOGINS = 20  # at once per worker
LOGIN_TIMEOUT = 60.0  # beyond the time for connecting
LONGEST_DIRECTORY = 60  # a socket's path has room for some hundred bytes


class OpensshTransport:
    """Starts ssh for the hosts of one worker; what its processes share is in a private directory."""

    def __init__(
        self,
        config: Callable[[str | None], SshConfig],
        *,
        ask: Callable[[HostKeyQuestion], Awaitable[bool]] | None = None,
        ask_passphrase: AskPassphrase | None = None,
        warn: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._config, self._warn = config, warn
        self.ask, self.ask_passphrase = ask, ask_passphrase
        self.slots = asyncio.Semaphore(LOGINS)
        self.doors = Doors()
        self._directory: Path | None = None
        self._numbers = count(1)

    def connect(self, options: ConnectionOptions, why: str = "") -> OpensshConnection:
        """Give a connection; nothing is started yet. `why` it is this kind is for messages.

        Raises HostUnreachable if ssh is not installed, or for what nobody could honour.
        """
        if options.private_key:
            reason = "ansible_private_key cannot be given to ssh: use ansible_private_key_file, or an agent"
            raise HostUnreachable(options.host, options.address, f"{reason} ({why})" if why else reason)
        if shutil.which(options.ssh_executable) is None:
            reason = f"there is no program `{options.ssh_executable}` here" + (
                f", which is needed: {why}" if why else ""
            )
            raise HostUnreachable(options.host, options.address, reason)
        try:
            plan = plan_login(options, self._config)
        except SshConfigError as error:
            raise HostUnreachable(options.host, options.address, str(error)) from error
        for warning in plan.warnings:
            self._warn(warning)
        return OpensshConnection(options, plan, self, why)

    def place(self, kind: str) -> Path:
        """Give a new path in the private directory."""
        return self.directory() / f"{next(self._numbers)}.{kind}"

    def directory(self) -> Path:
        """Give the private directory, made when it is first needed."""
        if self._directory is None:
            usual = tempfile.gettempdir()
            where = usual if len(usual) <= LONGEST_DIRECTORY else "/tmp"  # noqa: S108  # mkdtemp makes it private
            self._directory = Path(tempfile.mkdtemp(prefix="pyplay-ssh-", dir=where))
            write_program(self._directory)
        return self._directory

    def close(self) -> None:
        """Remove the directory."""
        if self._directory is not None:
            shutil.rmtree(self._directory, ignore_errors=True)
            self._directory = None


class OpensshConnection:
    """Starts programs on one host, each by an ssh of its own."""

    def __init__(self, options: ConnectionOptions, plan: Plan, transport: OpensshTransport, why: str) -> None:
        self._options, self._plan, self._transport, self._why = options, plan, transport, why
        self._running: set[OpensshProcess] = set()
        self._closed = False

    @property
    def alive(self) -> bool:
        """Whether it was not closed: each program has a login of its own."""
        return not self._closed

    async def start(self, argv: Sequence[str], *, pty: bool = False) -> OpensshProcess:
        """Log in and start `argv`, its words quoted for the login shell. Raises HostUnreachable."""
        if self._closed:
            raise self._unreachable("the connection was closed")
        command = shlex.join(argv)
        for attempt in range(self._options.retries + 1):
            found = await self._transport.doors.enter(
                door_of(self._plan.target), partial(self._log_in, command, pty=pty)
            )
            if isinstance(found, OpensshProcess):
                self._running = {process for process in self._running if not process.ended}
                self._running.add(found)
                return found
            if not found.passing or attempt == self._options.retries:
                raise self._unreachable(found.reason)
            await asyncio.sleep(min(2**attempt, 30) * random.uniform(0.5, 1))  # noqa: S311  # spreads hosts, no secret
        raise AssertionError

    async def _log_in(self, command: str, *, pty: bool) -> OpensshProcess | Fault:
        """Log in once. Raises HostUnreachable with TurnedAway as its cause."""
        async with self._transport.slots:
            found = await _Login(self._options, self._plan, self._transport, self._lost).run(command, pty=pty)
        target = self._plan.target
        if isinstance(found, Fault) and found.early and not target.jumps and not target.proxy_command:
            turned = TurnedAway()
            raise self._unreachable(f"port {target.port}: {turned}") from turned
        return found

    @property
    def far(self) -> bool:
        """It may be: ssh does not say."""
        return True

    async def close(self) -> None:
        """Hang up on all that was started."""
        self._closed = True
        running, self._running = self._running, set()
        for process in running:
            process.close()
        await asyncio.gather(*(process.reap() for process in running))

    def _lost(self, lines: Sequence[str]) -> HostUnreachable:
        return self._unreachable(f"the connection was lost: {'; '.join(lines[-LAST:])}")

    def _unreachable(self, reason: str) -> HostUnreachable:
        because = f" (through ssh, since {self._why})" if self._why else ""
        return HostUnreachable(self._options.host, self._plan.target.address, reason + because)


class _Login:
    """One start of ssh, until it has logged in or given up."""

    def __init__(
        self,
        options: ConnectionOptions,
        plan: Plan,
        transport: OpensshTransport,
        lost: Callable[[Sequence[str]], HostUnreachable],
    ) -> None:
        self._options, self._plan, self._transport, self._lost = options, plan, transport, lost
        self._answers = Answers(options, plan.target, transport.ask, transport.ask_passphrase)
        self._said = b""

    async def run(self, command: str, *, pty: bool) -> OpensshProcess | Fault:
        """Give the program once ssh has logged in, else why it did not."""
        log = SshLog(self._transport.place("log"))
        askpass = Askpass(self._transport.place("ask"), self._answers)
        await log.open()
        await askpass.open()
        try:
            asks = self._answers.ask_passphrase is not None
            argv = ssh_command(self._options, self._plan, log.path, command, pty=pty, asks=asks)
            environment = askpass.environment(self._transport.directory() / "askpass")
            local = await spawn(argv, environment, pty=pty)
            return await self._logged_in(local, log)
        finally:
            await askpass.close()

    async def _logged_in(self, local: LocalProcess, log: SshLog) -> OpensshProcess | Fault:
        """Wait until ssh says that it has logged in, until the program is heard, or until ssh ends."""
        if self._shared():
            log.authenticated.set()  # ssh goes over an open connection: it does not log in, and does not say so
        first = asyncio.ensure_future(local.read(65536))
        hearing = asyncio.ensure_future(self._hear(local))
        ended, known = asyncio.ensure_future(local.wait()), asyncio.ensure_future(log.authenticated.wait())
        limit = self._plan.target.connect_timeout * max(1, self._plan.target.attempts) + LOGIN_TIMEOUT
        try:
            async with asyncio.timeout(limit):
                await asyncio.wait({first, ended, known}, return_when=asyncio.FIRST_COMPLETED)
                if not known.done() and not (first.done() and first.result()):
                    await ended
                    await log.drain()
        except TimeoutError:
            return await self._given_up(local, log, first, limit)
        except BaseException:
            await _let_go(local, log, first)
            raise
        finally:
            for task in (hearing, ended, known):
                task.cancel()
            await asyncio.gather(hearing, return_exceptions=True)
        if log.authenticated.is_set() or not ended.done() or ended.result() != FAILED:
            return OpensshProcess(local, log, first, self._said, self._lost)
        await _let_go(local, log, first)
        return explain_end(self._lines(log), FAILED, self._answers)

    async def _given_up(self, local: LocalProcess, log: SshLog, first: asyncio.Future[bytes], limit: float) -> Fault:
        await _let_go(local, log, first)
        last = "; ".join(telling(self._lines(log))[-LAST:])
        return Fault(f"no login within {limit:g} s" + (f"; last heard: {last}" if last else ""))

    async def _hear(self, local: LocalProcess) -> None:
        while len(self._said) < GREETING and (data := await local.read_error(65536)):
            self._said += data  # what comes after it waits for its reader

    def _lines(self, log: SshLog) -> list[str]:
        return [*log.lines, *self._said.decode("utf-8", "replace").splitlines()]

    def _shared(self) -> bool:
        path = self._plan.target.control_path
        return path is not None and is_socket(path)


async def _let_go(local: LocalProcess, log: SshLog, first: asyncio.Future[bytes]) -> None:
    first.cancel()
    local.close()
    await local.reap()
    await log.close()
