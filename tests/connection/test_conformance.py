"""What every Connection must do, run over all of them."""

from __future__ import annotations

import asyncio
import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from hosts import LAB, drive, embedded, lab_options, local_options, ssh_options

from pyplay.connection.open import Connector

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from pyplay.connection.base import Connection, Process

IN_LAB = [pytest.mark.lab, pytest.mark.skipif(not LAB, reason="no lab")]
NEEDS_SSH = pytest.mark.skipif(not shutil.which("ssh"), reason="needs ssh")
KINDS = [
    "local",
    "ssh",
    pytest.param("openssh", marks=NEEDS_SSH),
    "docker",
    pytest.param("chroot", marks=pytest.mark.skipif(os.geteuid() != 0, reason="needs root")),
    pytest.param("lab", marks=IN_LAB),
    pytest.param("lab openssh", marks=IN_LAB),
]


@pytest.fixture(params=KINDS)
def over(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Callable[[Connection], Awaitable[Any]]], Any]:
    """Give a function that runs a check over one kind of connection."""

    if request.param == "docker":
        _stand_in_docker(tmp_path, monkeypatch)
    others = {
        "local": local_options(),
        "docker": local_options(kind="docker", address="web1"),
        "chroot": local_options(kind="chroot", address="/"),
        "lab": lab_options(),
        "lab openssh": lab_options(kind="openssh"),
    }

    async def check_ssh(check: Callable[[Connection], Awaitable[Any]]) -> Any:
        async with embedded(tmp_path) as (fleet, connector):
            return await check(await connector.open(ssh_options(fleet, fleet.hosts[0], kind=request.param)))

    async def check_other(check: Callable[[Connection], Awaitable[Any]]) -> Any:
        connector = Connector()
        try:
            return await check(await connector.open(others[request.param]))
        finally:
            await connector.close()

    return lambda check: drive(check_ssh(check) if request.param in ("ssh", "openssh") else check_other(check))


def _stand_in_docker(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = folder / "docker"
    program.write_text('#!/bin/sh\nwhile [ "$1" != web1 ]; do shift; done\nshift; exec "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)


async def collect(process: Process, stdin: bytes | None = None) -> tuple[int, bytes, bytes]:
    """Feed a program, and give its status and outputs."""

    async def feed() -> None:
        for at in range(0, len(stdin or b""), 65536):
            process.write((stdin or b"")[at : at + 65536])
            await process.drain()
        process.write_eof()

    async def gather(read: Callable[[int], Awaitable[bytes]]) -> bytes:
        pieces = []
        while data := await read(65536):
            pieces.append(data)
        return b"".join(pieces)

    feeder = asyncio.create_task(feed())
    out, error = await asyncio.gather(gather(process.read), gather(process.read_error))
    status = await process.wait()
    await feeder
    return status, out, error


WORDS = ["", " ", "a b", "'", '"', "$HOME", "`id`", "\\", "*", "ü€", "-n", "a\nb", "!x", "~"]


@pytest.mark.parametrize(
    ("argv", "stdin", "expected"),
    [
        pytest.param(["echo", "hello"], None, (0, b"hello\n", b""), id="output"),
        pytest.param(["sh", "-c", "echo out; echo err >&2; exit 3"], None, (3, b"out\n", b"err\n"), id="both outputs"),
        pytest.param(["cat"], b"\0\xff\r\n\x04\x03", (0, b"\0\xff\r\n\x04\x03", b""), id="every byte passes"),
        pytest.param(
            ["printf", r"[%s]\n", *WORDS], None, (0, "".join(f"[{w}]\n" for w in WORDS).encode(), b""), id="words"
        ),
        pytest.param(
            ["sh", "-c", "head -c 3000000 /dev/zero | tr '\\0' x"], None, (0, b"x" * 3000000, b""), id="much output"
        ),
        pytest.param(["sh", "-c", "cat >/dev/null"], b"y" * 3000000, (0, b"", b""), id="much input"),
        pytest.param(["true"], b"z" * 200000, (0, b"", b""), id="input that nobody reads"),
    ],
)
def test_a_program_runs(over: Any, argv: list[str], stdin: bytes | None, expected: tuple[int, bytes, bytes]) -> None:
    async def check(connection: Connection) -> tuple[int, bytes, bytes]:
        return await collect(await connection.start(argv), stdin)

    assert over(check) == expected


def test_a_signal_that_ends_a_program_is_its_status(over: Any) -> None:
    async def check(connection: Connection) -> None:
        status, _, _ = await collect(await connection.start(["sh", "-c", "kill -9 $$"]))
        # A login shell that does not replace itself says 128 + number, OpenSSH 255 for any signal.
        assert status in (-9, 137, 255)

    over(check)


def test_a_missing_program_is_an_answer(over: Any) -> None:
    async def check(connection: Connection) -> None:
        status, _, error = await collect(await connection.start(["/nonexistent/program"]))
        assert status == 127
        assert b"/nonexistent/program" in error

    over(check)


def test_programs_run_side_by_side(over: Any) -> None:
    async def check(connection: Connection) -> None:
        started = [await connection.start(["sh", "-c", f"read x; echo ${{x}}{n}"]) for n in range(5)]
        results = await asyncio.gather(*(collect(process, b"n\n") for process in started))
        assert [out for _, out, _ in results] == [b"n%d\n" % n for n in range(5)]

    over(check)


def test_a_read_may_be_cancelled_without_loss(over: Any) -> None:
    async def check(connection: Connection) -> None:
        process = await connection.start(["cat"])
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(process.read(10), 0.05)
        assert await collect(process, b"late") == (0, b"late", b"")

    over(check)


def test_a_closed_process_reads_as_ended(over: Any) -> None:
    async def check(connection: Connection) -> None:
        process = await connection.start(["cat"])
        process.close()
        assert await process.read(10) == b""
        process.write(b"into the void")

    over(check)


def test_a_terminal_is_raw_and_silent(over: Any, request: pytest.FixtureRequest) -> None:
    if {"ssh", "openssh"} & set(request.node.callspec.params.values()):
        pytest.skip("embedded hosts have no terminals")

    async def check(connection: Connection) -> None:
        process = await connection.start(
            ["sh", "-c", "test -t 0 && test -t 1 && echo yes; head -c 5; exit 4"], pty=True
        )
        out = b""
        process.write(b"\x03\x04\r\n\xff")
        while data := await process.read(100):
            out += data
            if len(out) >= 9:
                break
        assert out == b"yes\n\x03\x04\r\n\xff"
        assert await process.wait() == 4

    over(check)


def test_a_closed_connection_is_not_alive(over: Any) -> None:
    async def check(connection: Connection) -> None:
        assert connection.alive
        await connection.close()
        assert not connection.alive
        with pytest.raises(Exception, match="closed"):
            await connection.start(["true"])

    over(check)


def test_local_programs_start_in_the_given_directory(tmp_path: Path) -> None:
    async def check() -> None:
        connector = Connector()
        connection = await connector.open(local_options(directory=str(tmp_path)))
        assert (await collect(await connection.start(["pwd", "-P"])))[1] == f"{tmp_path}\n".encode()
        await connector.close()

    drive(check())


@pytest.mark.parametrize(("before", "told"), [("link", "link"), ("elsewhere", "real"), (None, "real")])
def test_pwd_names_the_directory_of_a_local_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str | None, told: str
) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    if before is None:
        monkeypatch.delenv("PWD", raising=False)
    else:
        monkeypatch.setenv("PWD", str(tmp_path / before))

    async def check() -> None:
        connector = Connector()
        connection = await connector.open(local_options(directory=str(tmp_path / "real")))
        assert (await collect(await connection.start(["printenv", "PWD"])))[1] == f"{tmp_path / told}\n".encode()
        await connector.close()

    drive(check())


def test_a_local_program_has_a_session_of_its_own() -> None:
    async def check() -> None:
        connector = Connector()
        connection = await connector.open(local_options())
        _, out, _ = await collect(await connection.start(["sh", "-c", "ps -o sid= -p $$; echo $$"]))
        session, pid = out.split()
        assert session == pid
        await connector.close()

    drive(check())


WRITER = """
import os, sys
stream, path, block = int(sys.argv[1]), sys.argv[2], b"x" * 65536
with open(path, "w") as told:
    for number in range(1, 4000):
        at = 0
        while at < len(block):
            at += os.write(stream, block[at:])
        told.seek(0)
        told.write(str(number * len(block)))
        told.flush()
"""
SLOWLY, AT_MOST = 24 << 20, 12 << 20


@pytest.mark.parametrize("stream", [1, 2])
def test_a_program_writes_no_faster_than_it_is_read(
    over: Any, tmp_path: Path, request: pytest.FixtureRequest, stream: int
) -> None:
    if {"ssh", "openssh"} & set(request.node.callspec.params.values()):
        pytest.skip("embedded hosts read all that their programs write")

    async def check(connection: Connection) -> None:
        progress = f"/tmp/{tmp_path.name}-{os.getpid()}-{stream}"
        process = await connection.start(["python3", "-c", WRITER, str(stream), progress])
        read, size = (process.read if stream == 1 else process.read_error), 0
        while size < SLOWLY:
            size += len(await read(65536))
            await asyncio.sleep(0.002)  # slower than any program writes: what is not braked piles up here
        status, told, _ = await collect(await connection.start(["cat", progress]))
        await collect(await connection.start(["rm", "-f", progress]))
        process.close()
        assert (status, int(told) - size < AT_MOST) == (0, True), f"{told!r} were written when {size} were read"

    over(check)
