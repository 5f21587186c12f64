"""The zygote by itself."""

from __future__ import annotations

import errno
import os
import signal
import socket
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from pyplay.diagnostics.errors import WorkerError
from pyplay.workers.zygote import Zygote


def test_it_ends_quietly_when_the_controller_is_gone_before_its_answer() -> None:
    def slowly(_: object) -> Any:
        time.sleep(0.2)
        return lambda _socket: None

    before, after = os.pipe()  # the other end is closed when the zygote is gone
    zygote = Zygote(lambda: None, slowly)
    os.close(after)
    zygote.settle([])
    ours, theirs = socket.socketpair()
    socket.send_fds(zygote._socket, [b"fork"], [theirs.fileno()])
    theirs.close()
    zygote._socket.close()
    assert ours.recv(1) == b""  # the worker had nothing to do
    ours.close()
    assert os.read(before, 1) == b""
    assert os.waitstatus_to_exitcode(os.waitpid(zygote._pid, 0)[1]) == 0
    os.close(before)


def test_it_loads_settles_and_forks_in_this_order() -> None:
    ours, theirs = os.pipe()

    def work(channel: socket.socket) -> None:
        os.write(theirs, b"w")
        channel.close()

    def settle(_: object) -> Any:
        os.write(theirs, b"s")
        return work

    zygote = Zygote(lambda: os.write(theirs, b"l"), settle)
    zygote.settle([])
    workers = [zygote.fork() for _ in range(2)]
    for worker in workers:
        assert worker.socket.recv(1) == b""
        worker.socket.close()
        assert zygote.reap(worker.pid) == "exit status 0"
    zygote.close()
    zygote.close()
    assert os.read(ours, 9) == b"lsww"
    os.close(ours)
    os.close(theirs)


def test_one_that_is_expected_is_forked_before_it_is_asked_for() -> None:
    ours, theirs = os.pipe()
    before = files()
    zygote = Zygote(nothing, lambda _: lambda _: os.write(theirs, b"w"))
    zygote.settle([])
    zygote.expect()
    assert os.read(ours, 9) == b"w"
    first, second = zygote.fork(), zygote.fork()
    assert os.read(ours, 9) == b"w"
    for worker in (first, second):
        assert worker.socket.recv(1) == b""
        worker.socket.close()
        assert zygote.reap(worker.pid) == "exit status 0"
    zygote.close()
    assert files() <= before
    os.close(ours)
    os.close(theirs)


def test_one_that_was_expected_in_vain_ends_with_the_zygote(capfd: pytest.CaptureFixture[str]) -> None:
    ours, theirs = os.pipe()
    before = files()
    zygote = Zygote(nothing, lambda _: lambda channel: os.write(theirs, channel.recv(1) or b"end"))
    zygote.settle([])
    zygote.expect()
    time.sleep(0.05)  # it has answered by now
    zygote.close()
    assert capfd.readouterr() == ("", "")
    assert os.read(ours, 9) == b"end"
    assert files() <= before
    os.close(ours)
    os.close(theirs)


def nothing(*_: object) -> Any:
    return nothing


def buggy(*_: object) -> Any:
    raise ZeroDivisionError("a bug")


def no_fork() -> int:
    raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))


def files() -> set[str]:
    """Give what is open in this process, pipes and sockets by number. What earlier tests left may go at any time."""
    found = set[str]()
    for entry in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):
            found.add(str(entry.readlink()))
    return found


@pytest.mark.parametrize(
    ("end", "told"), [(signal.SIGKILL, "killed by SIGKILL"), (signal.SIGTERM, "killed by SIGTERM")]
)
@pytest.mark.parametrize("when", ["before settle", "before fork", "expecting", "after fork"])
def test_one_that_is_killed_at_any_time_is_told_as_what_it_is(end: signal.Signals, told: str, when: str) -> None:
    before = files()
    zygote = Zygote(nothing, nothing)
    if when != "before settle":
        zygote.settle([])
    if when == "expecting":
        zygote.expect()
    if when == "after fork":
        zygote.fork().socket.close()
    os.kill(zygote._pid, end)
    zygote.settle([])
    with pytest.raises(WorkerError, match=f"is gone: {told}") as caught:
        zygote.fork()
    assert not caught.value.is_bug
    assert zygote.reap(1) == "its parent process is gone"
    zygote.close()
    assert files() <= before


def test_one_that_ends_by_a_bug_has_told_it_and_is_known_by_it(capfd: pytest.CaptureFixture[str]) -> None:
    zygote = Zygote(nothing, buggy)
    zygote.settle([])
    with pytest.raises(WorkerError, match="is gone: exit status 70") as caught:
        zygote.fork()
    zygote.close()
    assert caught.value.is_bug
    assert capfd.readouterr().err.count("pyplay has a bug: ZeroDivisionError: a bug; please report it") == 1


def test_a_process_that_the_system_refuses_is_no_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    before = files()
    zygote = Zygote(lambda: setattr(os, "fork", no_fork), nothing)
    zygote.settle([])
    with pytest.raises(WorkerError, match=r"the system refuses .*Resource temporarily unavailable"):
        zygote.fork()
    zygote.close()
    monkeypatch.setattr(os, "fork", no_fork)
    with pytest.raises(WorkerError, match=r"the system refuses .*Resource temporarily unavailable"):
        Zygote(nothing, nothing)
    assert files() <= before
