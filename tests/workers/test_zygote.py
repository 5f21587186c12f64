"""The zygote by itself."""

from __future__ import annotations

import os
import socket
import time

from pyplay.workers.zygote import Zygote


def test_it_ends_quietly_when_the_controller_is_gone_before_its_answer() -> None:
    def slowly(_: object) -> object:
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

    def settle(_: object) -> object:
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
