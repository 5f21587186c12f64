"""Throw-away SSH hosts for demonstrations and tests: asyncssh's server on loopback ports, without root.

    python examples/embedded_hosts.py --hosts 3 --dir .demo

Each host has a directory of its own as home and as the place where its commands start; its programs run as you.
Beside them stand `inventory.ini`, the client's key and `known_hosts` with the hosts' keys.
Prints `ready` once all take logins, and runs until killed, or with `--until-eof` until its standard input ends.
"""

# ruff: noqa: ARG002, ASYNC240  # asyncssh's signatures; files are written before anything is served

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import signal
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncssh

USER = "demo"
PASSWORD = "demo-pass"


@dataclass
class HostRules:
    """How a host behaves towards those who log in."""

    sessions: int = 10  # at once per connection, as sshd's MaxSessions
    passwords: dict[str, str] = field(default_factory=lambda: {USER: PASSWORD})
    keys: bool = True
    environment: dict[str, str] = field(default_factory=dict)
    greeting: str = ""  # what a noisy profile prints before every command


class _Server(asyncssh.SSHServer):
    """Logins of one host."""

    def __init__(self, host: EmbeddedHost) -> None:
        self.host = host
        self.sessions = 0

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self.host.connections.append(conn)
        self.host.logins += 1

    def begin_auth(self, username: str) -> bool:
        return True

    def password_auth_supported(self) -> bool:
        return bool(self.host.rules.passwords)

    def validate_password(self, username: str, password: str) -> bool:
        return self.host.rules.passwords.get(username) == password

    def public_key_auth_supported(self) -> bool:
        return self.host.rules.keys

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        return key.public_data in self.host.trusted

    def session_requested(self) -> Any:
        if self.sessions >= self.host.rules.sessions:
            return False
        self.sessions += 1
        return _Session(self)

    def connection_requested(self, dest_host: str, dest_port: int, orig_host: str, orig_port: int) -> bool:
        return True  # as a jump host


class _Session(asyncssh.SSHServerSession):
    """One command: a process whose streams are those of the channel."""

    def __init__(self, server: _Server) -> None:
        self.server = server
        self.host = server.host
        self.channel: Any = None
        self.transport: Any = None
        self.pending: list[bytes] = []
        self.ended = False

    def connection_made(self, chan: Any) -> None:
        self.channel = chan
        chan.set_encoding(None)

    def exec_requested(self, command: str) -> bool:
        self.command = command
        return True

    def shell_requested(self) -> bool:
        self.command = ""
        return True

    def pty_requested(self, term_type: str, term_size: Any, term_modes: Any) -> bool:
        return True

    def session_started(self) -> None:
        task = asyncio.ensure_future(self._run())
        self.host.starting.add(task)
        task.add_done_callback(self.host.starting.discard)

    async def _run(self) -> None:
        environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(self.host.home),
            "USER": USER,
            "LOGNAME": USER,
            "SHELL": "/bin/sh",
            "LANG": "C.UTF-8",
            **self.host.rules.environment,
            **self.channel.get_environment(),
        }
        if self.host.rules.greeting:
            self.channel.write(self.host.rules.greeting.encode())
        loop = asyncio.get_running_loop()
        self.host.commands.append(self.command)
        self.transport, _ = await loop.subprocess_exec(
            lambda: _Pump(self),
            *(["/bin/sh", "-c", self.command] if self.command else ["/bin/sh"]),
            cwd=self.host.home,
            env=environment,
            start_new_session=True,
        )
        self.host.processes.add(self.transport)
        stdin = self.transport.get_pipe_transport(0)
        for data in self.pending:
            stdin.write(data)
        if self.ended:
            stdin.close()

    def data_received(self, data: bytes, datatype: int | None) -> None:
        self.host.received += len(data)
        if self.transport is None:
            self.pending.append(data)
        else:
            self.transport.get_pipe_transport(0).write(data)

    def eof_received(self) -> bool:
        self._end_input()
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        self.server.sessions -= 1
        self._end_input()
        if self.transport is not None:
            for number in (1, 2):
                pipe = self.transport.get_pipe_transport(number)
                if pipe is not None:
                    pipe.close()

    def _end_input(self) -> None:
        self.ended = True
        if self.transport is not None:
            self.transport.get_pipe_transport(0).close()


class _Pump(asyncio.SubprocessProtocol):
    """From a process to its channel."""

    def __init__(self, session: _Session) -> None:
        self.session = session

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        with contextlib.suppress(OSError):
            self.session.channel.write(data, asyncssh.EXTENDED_DATA_STDERR if fd == 2 else None)

    def connection_lost(self, exc: Exception | None) -> None:
        """It has ended, and so have its outputs: the moment at which sshd closes the channel."""
        session = self.session
        session.host.processes.discard(session.transport)
        code = session.transport.get_returncode()
        session.transport.close()
        if code is None:
            return
        with contextlib.suppress(OSError):
            if code < 0:
                session.channel.exit_with_signal(signal.Signals(-code).name[3:])
            else:
                session.channel.exit(code)


@dataclass
class EmbeddedHost:
    """One host: its port, home and key. `commands`, `logins` and `received` (bytes) count what was asked of it."""

    name: str
    home: Path
    port: int = 0
    rules: HostRules = field(default_factory=HostRules)
    trusted: set[bytes] = field(default_factory=set)
    key: Any = None
    commands: list[str] = field(default_factory=list)
    logins: int = 0
    received: int = 0
    processes: set[Any] = field(default_factory=set)
    starting: set[Any] = field(default_factory=set)
    connections: list[Any] = field(default_factory=list)
    server: Any = None

    def server_factory(self) -> asyncssh.SSHServer:
        """Give what judges one client."""
        return _Server(self)

    async def listen(self) -> None:
        """Take logins on a free port of the loopback interface (the same one as before, after `stop`)."""
        self.home.mkdir(parents=True, exist_ok=True)
        self.server = await asyncssh.listen(
            "127.0.0.1",
            self.port,
            server_factory=self.server_factory,
            server_host_keys=[self.key],
            encoding=None,
            login_timeout=20,
            gss_host=None,
        )
        self.port = self.server.get_port()

    async def stop(self) -> None:
        """Vanish: cut every connection, end what runs there."""
        for connection in self.connections:
            connection.abort()
        self.connections.clear()
        await asyncio.gather(*self.starting, return_exceptions=True)
        for transport in list(self.processes):
            transport.close()
        for _ in range(100):  # until the last of them is reaped
            if not self.processes:
                break
            await asyncio.sleep(0.02)
        self.server.close()
        await self.server.wait_closed()


class Fleet:
    """Some hosts below one directory, with the files that a client needs to reach them."""

    def __init__(self, directory: Path, names: list[str], rules: HostRules | None = None) -> None:
        self.directory = directory.absolute()
        self.key_file = self.directory / "id_ed25519"
        self.known_hosts = self.directory / "known_hosts"
        self.inventory = self.directory / "inventory.ini"
        self.hosts = [EmbeddedHost(name, self.directory / "hosts" / name, rules=rules or HostRules()) for name in names]

    async def start(self) -> None:
        """Start every host and write the files."""
        self.directory.mkdir(parents=True, exist_ok=True)
        client = await self._key(self.key_file)
        for host in self.hosts:
            host.key = await self._key(self.directory / f"{host.name}.key")
            host.trusted.add(client.public_data)
            await host.listen()
        lines = [f"[127.0.0.1]:{h.port} {h.key.export_public_key().decode().strip()}\n" for h in self.hosts]
        self.known_hosts.write_text("".join(lines))
        self.inventory.write_text(self._inventory())

    async def stop(self) -> None:
        """Stop every host."""
        for host in self.hosts:
            await host.stop()

    def _inventory(self) -> str:
        lines = ["[demo]"]
        lines += [f"{host.name} ansible_host=127.0.0.1 ansible_port={host.port}" for host in self.hosts]
        lines += [
            "",
            "[demo:vars]",
            f"ansible_user={USER}",
            f"ansible_ssh_private_key_file={self.key_file}",
            f"ansible_ssh_common_args=-F none -o UserKnownHostsFile={self.known_hosts} -o IdentityAgent=none",
        ]
        return "\n".join(lines) + "\n"

    @staticmethod
    async def _key(path: Path) -> Any:
        if not path.exists():
            key = asyncssh.generate_private_key("ssh-ed25519")
            path.touch(mode=0o600)
            path.write_bytes(key.export_private_key())
        return asyncssh.read_private_key(path)


async def serve(directory: Path, count: int, *, until_eof: bool) -> None:
    """Run `count` hosts until killed, or until standard input ends."""
    fleet = Fleet(directory, [f"demo{number}" for number in range(1, count + 1)])
    await fleet.start()
    print("ready", flush=True)
    done = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, done.set)
    if until_eof:
        loop.add_reader(sys.stdin, lambda: None if os.read(0, 4096) else done.set())
    await done.wait()
    await fleet.stop()


def main() -> None:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(description="Throw-away SSH hosts on loopback ports.")
    parser.add_argument("--hosts", type=int, default=3, help="how many (default 3)")
    parser.add_argument("--dir", type=Path, default=Path(".demo"), help="where they live (default .demo)")
    parser.add_argument("--until-eof", action="store_true", help="end when standard input does")
    options = parser.parse_args()
    asyncio.run(serve(options.dir, options.hosts, until_eof=options.until_eof))


if __name__ == "__main__":
    main()
