"""Running programs on the host, for modules."""

import os
import selectors
import subprocess
import time

SYSTEM_DIRS = ("/usr/local/sbin", "/usr/sbin", "/sbin", "/usr/local/bin", "/usr/bin", "/bin")
_AFTER_EXIT = 0.05  # seconds between looks whether a program whose output stays open has ended


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
    shell = isinstance(argv, str)
    child = subprocess.Popen(  # a shell where the caller has a shell line
        argv,
        shell=shell,
        executable=executable if shell else None,
        stdin=subprocess.PIPE if stdin is not None else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=cwd,
        env=env,
        preexec_fn=None if umask is None else lambda: os.umask(umask),  # noqa: PLW1509  # modules have no threads
        pass_fds=pass_fds,
    )
    if isinstance(stdin, str):
        stdin = stdin.encode("utf-8", "surrogateescape")
    try:
        if started is not None:
            started(child)
        out, err = _talk(child, stdin, timeout, prompt if stdin is None else None)
    except BaseException:
        child.kill()
        child.wait()
        raise
    finally:
        for stream in (child.stdin, child.stdout, child.stderr):
            if stream is not None:
                stream.close()
    if binary:
        return child.returncode, out, err
    return child.returncode, out.decode("utf-8", "backslashreplace"), err.decode("utf-8", "backslashreplace")


def _talk(child: object, stdin: object, timeout: object, prompt: object) -> tuple:
    """Feed `stdin`, collect both outputs until the child has ended; gives them as bytes."""
    parts = {child.stdout: [], child.stderr: []}
    pending = memoryview(stdin or b"")
    limit = None if timeout is None else time.monotonic() + timeout
    with selectors.DefaultSelector() as selector:
        for stream in parts:
            os.set_blocking(stream.fileno(), False)
            selector.register(stream, selectors.EVENT_READ)
        if child.stdin is not None:
            os.set_blocking(child.stdin.fileno(), False)
            selector.register(child.stdin, selectors.EVENT_WRITE)
        ended = False
        while selector.get_map():
            ready = selector.select(0 if ended else _AFTER_EXIT)
            for key, _ in ready:
                if key.fileobj is child.stdin:
                    pending = _feed(selector, child.stdin, pending)
                elif not _take(key.fileobj, parts[key.fileobj]):
                    selector.unregister(key.fileobj)
            if not ready:
                if ended:
                    break
                ended = child.poll() is not None
            if prompt is not None and prompt.search(b"".join(parts[child.stdout])):
                raise Prompted(b"".join(parts[child.stdout]))
            if limit is not None and time.monotonic() > limit:
                raise TimedOut(110, "still running after %s seconds" % timeout)
    try:
        child.wait(None if limit is None else max(0.0, limit - time.monotonic()))
    except subprocess.TimeoutExpired:
        raise TimedOut(110, "still running after %s seconds" % timeout) from None
    return b"".join(parts[child.stdout]), b"".join(parts[child.stderr])


def _feed(selector: object, stream: object, pending: memoryview) -> memoryview:
    try:
        if pending:
            pending = pending[os.write(stream.fileno(), pending[:65536]) :]
    except BrokenPipeError:
        pending = pending[:0]
    except BlockingIOError:
        return pending
    if not pending:
        selector.unregister(stream)
        stream.close()
    return pending


def _take(stream: object, parts: list) -> bool:
    """Read what is there; false at the end of the stream."""
    try:
        data = os.read(stream.fileno(), 65536)
    except BlockingIOError:
        return True
    if data:
        parts.append(data)
    return bool(data)
