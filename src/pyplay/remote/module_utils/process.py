"""Running programs on the host, for modules."""

import os
import select
import time

from pyplay.remote.module_utils import spawn

SYSTEM_DIRS = ("/usr/local/sbin", "/usr/sbin", "/sbin", "/usr/local/bin", "/usr/bin", "/bin")
_AFTER_EXIT = 50  # milliseconds between looks whether a program whose output stays open has ended
_BETWEEN = 0.005  # seconds between looks whether one that has closed its output has ended


class TimedOut(OSError):
    """A program ran longer than it was given."""


class Prompted(Exception):
    """A program asked for something that nobody is there to answer. `output` is what it had written (bytes)."""

    def __init__(self, output: bytes) -> None:
        """Take what it had written."""
        Exception.__init__(self, "the program asks for input")
        self.output = output


def find(name: str, extra: tuple = ()) -> object:
    """Give the path of the program `name`, looked for in PATH, `extra` and the system's directories, or None."""
    if os.sep in name:
        return name if os.access(name, os.X_OK) and not os.path.isdir(name) else None
    for directory in list(extra) + os.environ.get("PATH", "").split(os.pathsep) + list(SYSTEM_DIRS):
        path = os.path.join(directory, name)
        if directory and os.access(path, os.X_OK) and not os.path.isdir(path):
            return path
    return None


def plain_environment() -> dict:
    """Give the environment for programs whose output is read: messages in English, no paging, UTF-8 where possible."""
    environment = dict(os.environ)
    environment.update({"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "LC_MESSAGES": "C.UTF-8", "LANGUAGE": "C"})
    return environment


def run(
    argv: object,
    stdin: object = None,
    cwd: object = None,
    environment: object = None,
    executable: object = None,
    umask: object = None,
    binary: bool = False,
    plain: bool = True,
    timeout: object = None,
    pass_fds: tuple = (),
    started: object = None,
    prompt: object = None,
) -> tuple:
    r"""Run a program and give (exit status, stdout, stderr).

    `argv` is a list of words, or a text for the shell (`executable`, else /bin/sh). `stdin` is bytes or text. The
    environment is this process's with `environment` on top, and the C locale unless `plain` is false. Output is text
    (bytes that are not UTF-8 shown as \xNN) unless `binary`. A program killed by signal N has status -N.

    The call ends when the program itself has ended, not when its output is closed: a daemon that it started may hold
    that open for ever. `started` is called with the Popen object. Raises OSError where it cannot be started, TimedOut
    after `timeout` seconds, Prompted where its standard output matches `prompt` (a pattern of bytes) and no `stdin` is
    there.
    """
    env = plain_environment() if plain else dict(os.environ)
    env.update(environment or {})
    words = [executable or "/bin/sh", "-c", argv] if isinstance(argv, str) else list(argv)
    feeds = stdin is not None
    if cwd is None and umask is None and started is None and not pass_fds:
        child = spawn.start(words, words[0], env, feeds)
    else:
        lower = None if umask is None else lambda: os.umask(umask)
        child = spawn.start_with_all(words, feeds, cwd=cwd, env=env, preexec_fn=lower, pass_fds=pass_fds)
    if isinstance(stdin, str):
        stdin = stdin.encode("utf-8", "surrogateescape")
    try:
        if started is not None:
            started(child.popen)
        out, err = _talk(child, stdin, timeout, prompt if stdin is None else None)
    except BaseException:
        child.kill()
        child.wait()
        raise
    finally:
        child.close()
    if binary:
        return child.returncode, out, err
    return child.returncode, out.decode("utf-8", "backslashreplace"), err.decode("utf-8", "backslashreplace")


def _talk(child: object, stdin: object, timeout: object, prompt: object) -> tuple:
    """Feed `stdin`, collect both outputs until the child has ended; gives them as bytes."""
    parts = {child.stdout: [], child.stderr: []}
    pending = memoryview(stdin or b"")
    limit = None if timeout is None else time.monotonic() + timeout
    poll, left = select.poll(), set(parts)
    for number in parts:
        poll.register(number, select.POLLIN)
    if child.stdin is not None:
        poll.register(child.stdin, select.POLLOUT)
        left.add(child.stdin)
    for number in left:
        os.set_blocking(number, False)
    ended = False
    while left:
        ready = poll.poll(0 if ended else _AFTER_EXIT)
        for number, _ in ready:
            if number in parts:
                more = _take(number, parts[number])
            else:
                pending = _feed(number, pending)
                more = bool(pending)
            if not more:
                poll.unregister(number)
                left.remove(number)
                if number not in parts:
                    child.close_stdin()
        if not ready:
            if ended:
                break
            ended = child.poll() is not None
        if prompt is not None and prompt.search(b"".join(parts[child.stdout])):
            raise Prompted(b"".join(parts[child.stdout]))
        if limit is not None and time.monotonic() > limit:
            raise TimedOut(110, "still running after %s seconds" % timeout)
    if limit is None:
        child.wait()
    while child.poll() is None:
        if time.monotonic() > limit:
            raise TimedOut(110, "still running after %s seconds" % timeout)
        time.sleep(_BETWEEN)
    return b"".join(parts[child.stdout]), b"".join(parts[child.stderr])


def _feed(number: int, pending: memoryview) -> memoryview:
    """Write what the program takes now; gives what is left, nothing where it takes no more."""
    try:
        return pending[os.write(number, pending[:65536]) :] if pending else pending
    except BrokenPipeError:
        return pending[:0]
    except BlockingIOError:
        return pending


def _take(number: int, parts: list) -> bool:
    """Read what is there; false at the end of the stream."""
    try:
        data = os.read(number, 65536)
    except BlockingIOError:
        return True
    if data:
        parts.append(data)
    return bool(data)
