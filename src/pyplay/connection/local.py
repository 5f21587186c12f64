"""Programs on the controller itself: `ansible_connection: local`."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import os
import signal
import subprocess
import termios
import tty
from contextlib import suppress
from typing import TYPE_CHECKING

from pyplay.connection.stream import Brake, ByteQueue
from pyplay.diagnostics.dataclass import dataclass
from pyplay.diagnostics.errors import HostUnreachable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyplay.connection.base import ConnectionOptions

REAP = 2.0


class _Reader(asyncio.Protocol):
    """Fills a ByteQueue from a pipe, with the pipe's transport as the brake."""

    def __init__(self, queue: ByteQueue) -> None:
        self.queue = queue

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.ReadTransport)  # noqa: S101  # what connect_read_pipe gives
        self.queue.stop_with(Brake(transport.pause_reading, transport.resume_reading))

    def data_received(self, data: bytes) -> None:
        self.queue.feed(data)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # a broken pipe is an end like any other
        self.queue.end()


class _Writer(asyncio.BaseProtocol):
    """Knows when the pipe to a program is full."""

    def __init__(self) -> None:
        self.room = asyncio.Event()
        self.room.set()

    def pause_writing(self) -> None:
        self.room.clear()

    def resume_writing(self) -> None:
        self.room.set()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # the reader tells the end
        self.room.set()


class LocalProcess:
    """A program on the controller, in a session of its own, so that Ctrl-C at the terminal does not reach it."""

    def __init__(self, child: subprocess.Popen[bytes]) -> None:
        self._child = child
        self._out = ByteQueue()
        self._error = ByteQueue()
        self._transports: list[asyncio.BaseTransport] = []
        self._writer = _Writer()
        self._stdin: asyncio.WriteTransport | None = None

    @property
    def ended(self) -> bool:
        """Whether the program has ended and was reaped."""
        return self._child.poll() is not None

    async def connect(self, stdin: int, stdout: int, stderr: int | None) -> None:
        """Take over the near ends of the program's streams."""
        loop = asyncio.get_running_loop()
        self._stdin, _ = await loop.connect_write_pipe(lambda: self._writer, os.fdopen(stdin, "wb", 0))
        self._transports.append(self._stdin)
        for number, queue in ((stdout, self._out), (stderr, self._error)):
            if number is None:
                queue.end()
                continue
            transport, _ = await loop.connect_read_pipe(lambda q=queue: _Reader(q), os.fdopen(number, "rb", 0))
            self._transports.append(transport)

    def write(self, data: bytes) -> None:
        """Queue `data` for standard input."""
        if self._stdin is not None and not self._stdin.is_closing():
            self._stdin.write(data)

    async def drain(self) -> None:
        """Wait until the pipe has room."""
        await self._writer.room.wait()

    def write_eof(self) -> None:
        """Close standard input."""
        if self._stdin is not None:
            self._stdin.close()

    async def read(self, size: int) -> bytes:
        """Give up to `size` bytes of standard output, b"" at its end."""
        return await self._out.read(size)

    async def read_error(self, size: int) -> bytes:
        """Give up to `size` bytes of standard error, b"" at its end."""
        return await self._error.read(size)

    async def wait(self) -> int:
        """Give the exit status, or minus the signal's number."""
        if self._child.poll() is None:
            await _exited(self._child)
        return self._child.returncode

    def close(self) -> None:
        """Close the streams at once, and hang up on the program as a terminal would that goes away."""
        for transport in self._transports:
            transport.close()
        self._out.end()
        self._error.end()
        if self._child.poll() is None:
            with suppress(OSError):
                os.killpg(self._child.pid, signal.SIGHUP)

    async def reap(self) -> None:
        """Wait a little for the program to end; what does not end is left to the system."""
        try:
            async with asyncio.timeout(REAP):
                await self.wait()
        except TimeoutError:
            self._child.returncode = -1


@dataclass(frozen=True, slots=True)
class _Given:
    """What a program gets beside its words."""

    environment: Mapping[str, str] | None
    descriptors: tuple[int, ...]


def _environment(given: Mapping[str, str] | None, directory: str | None) -> Mapping[str, str] | None:
    """Give the environment of a program in `directory`: as from a shell there, PWD names it. None is ours."""
    if directory is None:
        return given
    own = os.environ if given is None else given
    with suppress(OSError):
        if os.path.samefile(own.get("PWD", ""), directory):  # noqa: PTH121  # plain strings
            return given  # by whatever links it was reached
    return {**own, "PWD": os.path.realpath(directory)}


class LocalConnection:
    """Starts programs on the controller."""

    def __init__(self, options: ConnectionOptions) -> None:
        self._options = options
        self._children: set[LocalProcess] = set()
        self._closed = False

    async def start(
        self,
        argv: Sequence[str],
        *,
        pty: bool = False,
        environment: Mapping[str, str] | None = None,
        descriptors: Sequence[int] = (),
    ) -> LocalProcess:
        """Start `argv`; a program that cannot be started ends with 127 and says why, as under a shell.

        `environment` is the program's whole environment, None for ours; it keeps our open `descriptors`.
        """
        if self._closed:
            raise HostUnreachable(self._options.host, "local", "the connection was closed")
        given = _Given(_environment(environment, self._options.directory), tuple(descriptors))
        process = await (self._start_pty(argv, given) if pty else self._start_pipes(argv, given))
        self._children = {child for child in self._children if not child.ended}
        self._children.add(process)
        return process

    @property
    def alive(self) -> bool:
        """The controller is always there, until closed."""
        return not self._closed

    @property
    def far(self) -> bool:
        """The controller is here."""
        return False

    async def close(self) -> None:
        """Close the streams of all that was started; Runners end themselves then."""
        self._closed = True
        children, self._children = self._children, set()
        for process in children:
            process.close()
        await asyncio.gather(*(process.reap() for process in children))

    async def _start_pipes(self, argv: Sequence[str], given: _Given) -> LocalProcess:
        child = self._spawn(argv, given, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert child.stdin is not None and child.stdout is not None and child.stderr is not None  # noqa: PT018, S101  # as said
        ends = [os.dup(stream.fileno()) for stream in (child.stdin, child.stdout, child.stderr)]
        for stream in (child.stdin, child.stdout, child.stderr):
            stream.close()
        process = LocalProcess(child)
        await process.connect(*ends)
        return process

    async def _start_pty(self, argv: Sequence[str], given: _Given) -> LocalProcess:
        near, far = os.openpty()
        tty.setraw(far)
        try:
            child = self._spawn(argv, given, stdin=far, stdout=far, stderr=far, terminal=far)
        finally:
            os.close(far)
        process = LocalProcess(child)
        await process.connect(os.dup(near), near, None)
        return process

    def _spawn(
        self,
        argv: Sequence[str],
        given: _Given,
        *,
        stdin: int,
        stdout: int,
        stderr: int,
        terminal: int | None = None,
    ) -> subprocess.Popen[bytes]:
        directory = self._options.directory
        preexec = None if terminal is None else (lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0) and None)
        try:
            return subprocess.Popen(
                list(argv),
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                cwd=directory,
                env=given.environment,
                pass_fds=given.descriptors,
                start_new_session=True,
                bufsize=0,
                preexec_fn=preexec,  # noqa: PLW1509  # only for a terminal, and it calls nothing but ioctl
            )
        except OSError as error:
            if error.errno not in (errno.ENOENT, errno.EACCES, errno.ENOTDIR, errno.ENOEXEC):
                raise
            missing = ["sh", "-c", 'echo "$0" >&2; exit 127', f"{argv[0]}: {error.strerror}"]
            return subprocess.Popen(
                missing, stdin=stdin, stdout=stdout, stderr=stderr, start_new_session=True, bufsize=0
            )


async def _exited(child: subprocess.Popen[bytes]) -> None:
    """Wait for a child without blocking the loop: by its pidfd where the kernel has them, else by looking."""
    loop = asyncio.get_running_loop()
    if hasattr(os, "pidfd_open"):
        with suppress(OSError):
            descriptor = os.pidfd_open(child.pid)
            ended = asyncio.Event()
            loop.add_reader(descriptor, ended.set)
            try:
                await ended.wait()
            finally:
                loop.remove_reader(descriptor)
                os.close(descriptor)
    while child.poll() is None:  # noqa: ASYNC110  # without pidfd nothing tells
        await asyncio.sleep(0.02)
