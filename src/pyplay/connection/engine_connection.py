"""Programs in what an engine enters: each is started by a process of the engine, over plain streams.

A shell inside says that it is there before it becomes the program. So what the engine itself says, and how it ends, is
never taken for the program's: who does not get that far is unreachable, for the engine's own reason.
"""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import shutil
import tempfile
from typing import TYPE_CHECKING

from pyplay.connection.engine import PRIVATE, Target
from pyplay.connection.engines import ENGINES
from pyplay.connection.local import LocalConnection
from pyplay.connection.relayed import RelayedProcess
from pyplay.connection.stream import GREETING
from pyplay.diagnostics.errors import HostUnreachable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyplay.connection.base import ConnectionOptions
    from pyplay.connection.engine import Entry
    from pyplay.connection.local import LocalProcess

GRACE = 20.0
"""Seconds for entering beyond the time for connecting: an engine may have to log in, or to start a container."""

TAIL = 4096
LAST = 3  # lines of the engine that are shown
_LOGGED = re.compile(r"[EWIF]\d{4} \d\d:|time=\S+ level=(?:debug|info|warning)")  # as kubectl and podman keep a log
ARRIVED = 'echo "$1"; shift; exec "$@"'
ARRIVED_RAW = f"stty raw -echo; {ARRIVED}"  # a terminal that passes every byte and shows none


def entry_of(options: ConnectionOptions, *, pty: bool = False) -> Entry:
    """Give how the engine that `options` name enters where they say."""
    given = dict(options.engine_options)
    return ENGINES[options.kind].entry(Target(address=options.address, user=options.user, options=given, pty=pty))


class EngineConnection:
    """Starts programs in one container, pod or directory."""

    def __init__(self, options: ConnectionOptions) -> None:
        self._options = options
        self._local = LocalConnection(options)

    @property
    def alive(self) -> bool:
        """Whether it was not closed: each program is started anew."""
        return self._local.alive

    async def start(self, argv: Sequence[str], *, pty: bool = False) -> EngineProcess:
        """Enter, and start `argv` there. Raises HostUnreachable with what the engine said if it does not get there."""
        if not self.alive:
            raise self._unreachable("the connection was closed")
        entry = entry_of(self._options, pty=pty)
        if shutil.which(entry.words[0]) is None:
            raise self._unreachable(f"there is no program `{entry.words[0]}` here, which {self._options.kind} needs")
        marker = f"PYPLAY-{secrets.token_hex(8)}"
        shell = [self._options.shell_executable, "-c", ARRIVED_RAW if pty else ARRIVED, "sh", marker]
        process = await self._start([*entry.words, *shell, *argv], entry, pty=pty)
        return await self._arrived(process, marker.encode())

    @property
    def far(self) -> bool:
        """An engine is here, or near, as a rule."""
        return False

    async def close(self) -> None:
        """Hang up on all that was started; Runners end themselves then."""
        await self._local.close()

    async def _start(self, argv: Sequence[str], entry: Entry, *, pty: bool) -> LocalProcess:
        if entry.private is None:
            environment = {**os.environ, **entry.environment} if entry.environment else None
            return await self._local.start(argv, pty=pty, environment=environment)
        file = _private_file(entry.private)
        try:
            path = f"/dev/fd/{file}"
            given = {name: value.replace(PRIVATE, path) for name, value in entry.environment.items()}
            return await self._local.start(argv, pty=pty, environment={**os.environ, **given}, descriptors=(file,))
        finally:
            os.close(file)

    async def _arrived(self, local: LocalProcess, marker: bytes) -> EngineProcess:
        """Wait until the shell inside is heard. What came with its word is the program's."""
        said = bytearray()
        hearing = asyncio.ensure_future(_hear(local, said))
        seconds = self._options.timeout + GRACE
        try:
            async with asyncio.timeout(seconds):
                before, rest = await _until(local, marker)
        except TimeoutError:
            await _let_go(local)
            raise self._unreachable(f"no answer within {seconds:g} s{_last(said, '; last heard: ')}") from None
        except _TalksOn:
            await _let_go(local)
            raise self._unreachable(f"it wrote more than {GREETING} bytes before the program began") from None
        except BaseException:
            local.close()
            raise
        finally:
            hearing.cancel()
            await asyncio.gather(hearing, return_exceptions=True)
        if rest is not None:
            return EngineProcess(local, rest, bytes(said))
        await _hear(local, said)
        status = await local.wait()
        local.close()
        said[:0] = before
        why = _last(said) or f"it ended with status {status} without a word"
        raise self._unreachable(f"{self._options.kind} starts no {self._options.shell_executable} there: {why}")

    def _unreachable(self, reason: str) -> HostUnreachable:
        return HostUnreachable(self._options.host, self._options.address, reason)


class EngineProcess(RelayedProcess):
    """A program inside. `rest` and `said` are what was read of its two outputs already."""

    def __init__(self, local: LocalProcess, rest: bytes, said: bytes) -> None:
        super().__init__(local, said)
        self._rest = rest

    async def read(self, size: int) -> bytes:
        """Give up to `size` bytes of standard output, b"" at its end."""
        if self._rest:
            data, self._rest = self._rest[:size], self._rest[size:]
            return data
        return await self._local.read(size)

    def close(self) -> None:
        """Close the streams at once, and hang up on the engine."""
        self._rest = b""
        super().close()


class _TalksOn(Exception):  # noqa: N818  # what it does
    """A program does not come to its first word."""


async def _until(local: LocalProcess, marker: bytes) -> tuple[bytes, bytes | None]:
    """Return what was said before the marker's line and after it; None after it if there was none to the end.

    Raises _TalksOn for what says more than GREETING bytes without it.
    """
    out, heard = b"", 0
    while data := await local.read(65536):
        out += data
        heard += len(data)
        if heard > GREETING:
            raise _TalksOn
        at = out.find(marker)
        end = out.find(b"\n", at)
        if at >= 0 and end >= 0:
            return out[:at], out[end + 1 :]
        out = out if at >= 0 else out[-TAIL:]
    return out, None


async def _hear(local: LocalProcess, said: bytearray) -> None:
    while len(said) < GREETING and (data := await local.read_error(65536)):
        said += data  # what comes after it waits for its reader


async def _let_go(local: LocalProcess) -> None:
    local.close()
    await local.reap()


def _last(said: bytes | bytearray, lead: str = "") -> str:
    """Give the last lines of what an engine said, on one line."""
    told = [line.strip() for line in bytes(said).decode("utf-8", "replace").splitlines() if line.strip()]
    lines = [line for line in told if not _LOGGED.match(line)] or told
    return lead + "; ".join(lines[-LAST:]) if lines else ""


def _private_file(text: str) -> int:
    """Give a descriptor of a file that holds `text` and has no name: in memory, or on disk where that cannot be."""
    if hasattr(os, "memfd_create"):
        file = os.memfd_create("private")
    else:
        with tempfile.TemporaryFile() as unnamed:
            file = os.dup(unnamed.fileno())
    os.write(file, text.encode())
    os.lseek(file, 0, os.SEEK_SET)
    return file
