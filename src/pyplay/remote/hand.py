"""The hand: a child of the Runner that runs one call after another. Python 3.6 and up.

A fork costs a host more than the work of a small module. Modules of ours that leave a process as they found it (they
say so: `shared`) need not pay for it each time. A hand is forked as any child is, with the Runner's work undisturbed
beside it: what hangs, crashes or is killed there is a call like any other. After a call it goes on only where nothing
is left of that: it ended well, its content was read to the end, and umask, directory, descriptors, environment,
signals, users, import path, threads, children and memory are what they were. Else it exits, which ends the call, and
the next one gets a new hand.

Towards the hand, over the pipe that brings contents: length (4 bytes), and by `marshal` the call's number, header, body
and, where it was forked before the module came, that one's description and parts: it compiles them itself, then.
From it, over the channel: `E`, length, the result; one that is large is written to standard output before the exit.
"""

import _signal
import marshal
import os
import sys

from pyplay.remote.child import API, CHANNEL, blobs_of, enter, exit_status, leave, report, run_python
from pyplay.remote.guard import kill_one
from pyplay.remote.module_utils import json_text

CALLS = 500
TEXT = 1 << 16
PIPE = 60000
MEMORY = 16 << 20
SIGNALS = (_signal.SIGTERM, _signal.SIGHUP, _signal.SIGINT, _signal.SIGCHLD, _signal.SIGPIPE, _signal.SIGALRM)


class Hand:
    """A hand, seen from the Runner: its process, what it knows, and the call that it has."""

    def __init__(self, pid, call, runner):
        self.pid = pid
        self.modules = set(runner.modules)
        self.parts = set(runner.sources.parts)
        self.call = call
        self.pipes = call.pipes
        self.feed_fd = call.feed_fd

    def take(self, call, sources):
        """Give the hand a call; gives whether that was possible. If not, it must be let go."""
        header = {key: value for key, value in call.header.items() if key not in ("describe", "new")}
        news = None
        if header["module"] not in self.modules:
            wanted = {entry[0] for entry in call.module.table.values()} - self.parts
            parts = [(digest, sources.parts[digest], digest in sources.compiled) for digest in wanted]
            news = (call.module.description, parts)
        data = marshal.dumps((call.number, header, call.body, news))
        if len(data) > PIPE:
            return False
        try:
            whole = os.write(self.feed_fd, len(data).to_bytes(4, "big") + data) == len(data) + 4
        except OSError:
            return False
        if not whole:  # a system whose pipes hold less: what it has of the call must not be taken for one
            kill_one(self.pid)
            return False
        if news:
            self.modules.add(header["module"])
            self.parts.update(wanted)
        for pipe in self.pipes:
            pipe.call = call
        call.pid, call.pipes, call.feed_fd = self.pid, self.pipes, self.feed_fd
        self.call = call
        return True


def become_hand(runner, call, pipes):
    """Run this call and those that come after it; exits with the status of the last one."""
    status = 1
    try:
        enter(runner, pipes)
        status = serve(runner, call, pipes)
    except SystemExit as error:
        status = exit_status(error)
    except BaseException:  # the edge of the process
        report(__file__)
    finally:
        leave(status)


def serve(runner, call, pipes):
    """Run calls as long as each leaves this process as it was; gives the status of the last."""
    source, target = pipes[4][0], pipes[3][1]
    api = sys.modules[API]
    api.unwind()
    given, before, size, left = call.given, state(), memory(), CALLS
    while True:
        module = runner.modules[call.header["module"]]
        if not module.warm:
            runner.warm(module)
            before = state()
        if module.ready is None:  # as any child
            return run_python(runner, call, module, pipes if call.header.get("channel") else {})
        runner.sources.table = module.table
        wire = attach(call, source, target, CHANNEL in module.table)
        main = sys.modules["__main__"] = module.ready
        main.__name__ = "__main__"
        sys.argv = [module.path]
        text, status = api.answer(main.run, main.OPTIONS, given)
        left -= 1
        unread = wire is not None and wire.unread
        if status or unread or not left or len(text) > TEXT or state() != before or memory() - size > MEMORY:
            sys.stdout.buffer.write(text)
            return status
        write(target, b"E" + len(text).to_bytes(4, "big") + text)
        length = read(source, 4)
        if not length:
            return 0
        call.number, call.header, call.body, news = marshal.loads(read(source, int.from_bytes(length, "big")))
        call.given = None
        if news:
            runner.modules[call.header["module"]] = type(module)(news[0])
            for part in news[1]:
                runner.sources.take(*part)
        given = json_text.read(call.body[: call.header["args"]].decode())["ANSIBLE_MODULE_ARGS"]


def attach(call, source, target, knows):
    """Open the channel of a call, where its module `knows` of channels; gives it, None where none is offered."""
    if not knows:
        return None
    channel = __import__(CHANNEL, None, None, ["attach"])
    offered = call.header.get("channel")
    wire = channel.Channel(source, target, blobs_of(call)) if offered else None
    channel.attach(wire)
    return wire


def write(target, data):
    """Write all of `data`."""
    while data:
        data = data[os.write(target, data) :]


def read(source, size):
    """Read `size` bytes; nothing where the Runner is gone."""
    data = b""
    while len(data) < size:
        piece = os.read(source, size - len(data))
        if not piece:
            return b""
        data += piece
    return data


def state():
    """Give what a call must leave as it found it."""
    mask = os.umask(0o77)
    os.umask(mask)
    free = os.dup(0)  # the lowest number that is not in use: a descriptor left open, or closed, changes it
    os.close(free)
    try:
        here = os.stat(".")[1:3]
    except OSError:
        here = None
    try:
        children = os.waitpid(-1, os.WNOHANG)
    except OSError:
        children = None
    threads = sys.modules["threading"].active_count() if "threading" in sys.modules else 1
    ending = sys.modules["atexit"]._ncallbacks() if "atexit" in sys.modules else 0  # noqa: SLF001  # there is no other way
    users = os.getresuid() + os.getresgid() if hasattr(os, "getresuid") else os.getuid()
    signals = [_signal.getsignal(number) for number in SIGNALS]
    python = [list(sys.path), list(sys.meta_path), sys.getrecursionlimit(), id(sys.stdout), id(sys.stderr)]
    return [mask, free, here, children, threads, ending, users, signals, python, dict(os.environ)]


def memory():
    """Give the bytes of memory that this process holds, 0 where the system does not tell."""
    try:
        number = os.open("/proc/self/statm", os.O_RDONLY)
    except OSError:
        return 0
    try:
        return int(os.read(number, 200).split()[1]) * 4096
    finally:
        os.close(number)
