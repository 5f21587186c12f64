"""The zygote: a quiet copy of the controller, made once, that forks workers and their replacements.

It loads what workers are made of, is settled with what they work on (`handover`), and then forks them. It has no event
loop and no thread, so forking it is safe at any time, and its objects are frozen out of the garbage collector, so
workers share their memory. It holds nothing of any worker: a worker's socket comes with the request (SCM_RIGHTS) and is
closed here after the fork, so no worker inherits a sibling's. It ends at end-of-file of its own socket; so do the
workers of theirs. Whatever ends the controller, `kill -9` included, ends them all.
"""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from pyplay.diagnostics.bugs import BUG_STATUS, REFUSED_STATUS, is_refusal, last_words, refused
from pyplay.diagnostics.errors import WorkerError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    RunWorker = Callable[[socket.socket], None]

_MOST = 4096
_REAP_SECONDS = 2.0
_COLLECT_AFTER = 50_000  # objects


class WorkerHandle:
    """A worker as the controller knows it."""

    __slots__ = ("pid", "socket")

    def __init__(self, pid: int, channel: socket.socket) -> None:
        self.pid, self.socket = pid, channel


class Zygote:
    """The controller's handle on the zygote.

    `load` is called in the zygote first, beside what the controller goes on with. `settle`, called there with the file
    descriptors that `settle` here sends, gives what a forked worker does with its socket.

    Raises WorkerError if the system refuses the process.
    """

    def __init__(self, load: Callable[[], object], settle: Callable[[Sequence[int]], RunWorker]) -> None:
        ours, theirs = _pair(socket.SOCK_SEQPACKET)
        gc.freeze()  # without a collection, which takes 25 ms and finds little: a run's first objects stay to its end
        _flush()
        try:
            self._pid = os.fork()
        except OSError as error:
            ours.close()
            raise _refusal(error) from error
        else:
            if self._pid == 0:
                _leave(lambda: _serve(ours, theirs, load, settle))
        finally:
            gc.unfreeze()
            theirs.close()
        self._socket, self._forked = ours, False
        self._expected: socket.socket | None = None  # our end of a worker's that was asked for
        self._end: str | None = None  # how it ended, once it has

    def settle(self, descriptors: Sequence[int]) -> None:
        """Give the zygote what its workers work on; to be called once, before the first `fork`.

        What it makes of that, it makes beside what the controller goes on with. One that is gone is noticed by `fork`.
        """
        with suppress(OSError):
            socket.send_fds(self._socket, [b"settle"], list(descriptors))

    def expect(self) -> None:
        """Have a worker forked as soon as the zygote is settled, which the next `fork` gives.

        Raises WorkerError if the system refuses a socket, or if the zygote is gone.
        """
        self._expected = self._ask()

    def fork(self) -> WorkerHandle:
        """Fork a worker and give its pid and our end of its socket.

        Raises WorkerError if the system refuses, or if the zygote is gone.
        """
        channel = self._expected or self._ask()
        self._expected = None
        try:
            kind, text = self._answer()
        except OSError as error:
            channel.close()
            raise self._gone() from error
        if kind == "errno":
            channel.close()
            raise _refusal(OSError(int(text), os.strerror(int(text))))
        return WorkerHandle(int(text), channel)

    def _ask(self) -> socket.socket:
        """Ask for a worker and give our end of its socket; `_answer` says what came of it."""
        ours, theirs = _pair(socket.SOCK_STREAM)
        self._forked = True
        try:
            socket.send_fds(self._socket, [b"fork"], [theirs.fileno()])
        except OSError as error:
            ours.close()
            raise self._gone() from error
        finally:
            theirs.close()
        return ours

    def _gone(self) -> WorkerError:
        end = self._wait()
        message = f"the process that forks pyplay's workers is gone: {end}"
        return WorkerError(message, is_bug=end == _ended(BUG_STATUS))

    def reap(self, pid: int) -> str:
        """Wait for the worker to be gone (killing it if it lingers) and say how it ended."""
        try:
            self._socket.send(f"reap {pid}".encode())
            return self._answer()[1]
        except OSError:
            return "its parent process is gone"

    def close(self) -> None:
        """End the zygote, once. Workers end by the end-of-file of their own sockets."""
        if self._socket.fileno() < 0:
            return
        self._socket.close()
        if self._expected is not None:
            self._expected.close()
        if not self._forked:
            os.kill(self._pid, signal.SIGTERM)  # it may still be loading what nobody will use
        self._wait()

    def _wait(self) -> str:
        """Wait for the zygote, which is ending, and say how it ended."""
        if self._end is None:
            self._end = _ended(os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1]))
        return self._end

    def _answer(self) -> tuple[str, str]:
        """Give the kind of an answer (`pid`, `errno`, `end`) and what it says."""
        data = self._socket.recv(_MOST)
        if not data:
            raise ConnectionResetError("the process that forks workers is gone")
        kind, _, text = data.decode().partition(" ")
        return kind, text


def collect_seldom() -> None:
    """Look for garbage from now on, but not as often as Python does of itself: most of what a run makes stays."""
    gc.set_threshold(_COLLECT_AFTER)
    gc.enable()


def _pair(kind: socket.SocketKind) -> tuple[socket.socket, socket.socket]:
    """Give two sockets of a kind that are connected. Raises WorkerError if the system refuses."""
    try:
        return socket.socketpair(socket.AF_UNIX, kind)
    except OSError as error:
        raise _refusal(error) from error


def _refusal(error: OSError) -> WorkerError:
    message, help_ = refused(f"a process for its workers ({error.strerror})")
    return WorkerError(f"{message}\n  = help: {help_}")


def _ended(code: int) -> str:
    """Say how a process ended, of its exit code; that of one that was killed is below zero."""
    return f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit status {code}"


def _flush() -> None:
    """Write out what is buffered, so that the copy does not write it again."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()


def _leave(work: Callable[[], None]) -> None:
    """Do `work` as a process of its own: nothing of the caller's stack or exit handlers runs."""
    status = 0
    try:
        work()
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else 1
    except KeyboardInterrupt:  # before it could say that it takes none: so is the controller
        status = 1
    except BaseException as error:  # noqa: BLE001  # the edge of this process
        sys.stderr.write(f"[ERROR]: {'; '.join(last_words(error))}\n")
        status = REFUSED_STATUS if is_refusal(error) else BUG_STATUS
    finally:
        _flush()
        os._exit(status)


def _serve(
    theirs: socket.socket,
    control: socket.socket,
    load: Callable[[], object],
    settle: Callable[[Sequence[int]], RunWorker],
) -> None:
    """Answer requests until the controller, which has the socket `theirs`, is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    theirs.close()
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    load()
    run_worker: RunWorker | None = None
    while True:
        try:
            data, descriptors, _, _ = socket.recv_fds(control, _MOST, 2)
        except ConnectionResetError:  # it left an answer unread
            data, descriptors = b"", []
        if not data:
            _reap_all()
            return
        request, _, pid = data.decode().partition(" ")
        if request == "settle":
            run_worker = settle(descriptors)
            gc.freeze()
            collect_seldom()
            continue
        if request == "fork":
            assert run_worker is not None  # noqa: S101  # settled before
            answer = _fork(control, descriptors[0], run_worker)
        else:
            answer = f"end {_reap(int(pid))}"
        with suppress(BrokenPipeError, ConnectionResetError):  # the controller may have been interrupted meanwhile
            control.send(answer.encode())


def _fork(control: socket.socket, descriptor: int, run_worker: RunWorker) -> str:
    channel = socket.socket(fileno=descriptor)
    try:
        pid = os.fork()
    except OSError as error:
        return f"errno {error.errno}"
    else:
        if pid == 0:
            control.close()
            _leave(lambda: run_worker(channel))
        return f"pid {pid}"
    finally:
        channel.close()


def _reap_all() -> None:
    """Wait a moment for workers that are ending, so that what they used counts as used by the controller."""
    deadline = time.monotonic() + _REAP_SECONDS
    while time.monotonic() < deadline:
        try:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                time.sleep(0.002)
        except ChildProcessError:
            return


def _reap(pid: int) -> str:
    deadline = time.monotonic() + _REAP_SECONDS
    while True:
        try:
            found, status = os.waitpid(pid, os.WNOHANG)
        except ChildProcessError:
            return "it is gone"
        if found:
            return _ended(os.waitstatus_to_exitcode(status))
        if time.monotonic() > deadline:
            os.kill(pid, signal.SIGKILL)
        time.sleep(0.002)
