"""Starting a program whose streams are pipes to us. Python 3.6 and up.

`subprocess` takes a host 4 ms to load, as long as the smallest programs run. Where the C library tells why a program
could not be started (glibc since 2.24), `posix_spawn` does for all that needs no more; else `subprocess` does it.
"""

import _signal
import errno
import os

PIPE_SIGNALS = (_signal.SIGPIPE, _signal.SIGXFSZ)  # what Python ignores, and programs expect not to


class Program:
    """A program that was started: `stdin` (None where it reads nothing), `stdout`, `stderr` are descriptors of ours."""

    def __init__(self, pid: int, stdin: object, stdout: int, stderr: int) -> None:
        """Take its process and our ends of its pipes."""
        self.pid = pid
        self.stdin, self.stdout, self.stderr = stdin, stdout, stderr
        self.returncode = None

    def poll(self) -> object:
        """Give the exit status (minus a signal's number), None while it runs."""
        return self._reap(os.WNOHANG)

    def wait(self) -> object:
        """Wait until it has ended; gives the exit status."""
        return self._reap(0)

    def _reap(self, how: int) -> object:
        if self.returncode is None:
            try:
                found, status = os.waitpid(self.pid, how)
            except ChildProcessError:  # somebody else has waited for it
                found, status = self.pid, 0
            if found:
                self.returncode = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
        return self.returncode

    def kill(self) -> None:
        """End it at once."""
        if self.poll() is None:
            os.kill(self.pid, _signal.SIGKILL)

    def close_stdin(self) -> None:
        """Let it see the end of its input."""
        number, self.stdin = self.stdin, None
        if number is not None:
            os.close(number)

    def close(self) -> None:
        """Close our ends of its pipes."""
        self.close_stdin()
        os.close(self.stdout)
        os.close(self.stderr)


class Child:
    """The same of a `subprocess.Popen`."""

    def __init__(self, popen: object) -> None:
        """Take it."""
        self.popen = popen
        self.stdin = None if popen.stdin is None else popen.stdin.fileno()
        self.stdout, self.stderr = popen.stdout.fileno(), popen.stderr.fileno()
        self.poll, self.wait, self.kill = popen.poll, popen.wait, popen.kill

    @property
    def returncode(self) -> object:
        """The exit status, None while it is not known."""
        return self.popen.returncode

    def close_stdin(self) -> None:
        """Let it see the end of its input."""
        self.stdin = None
        if self.popen.stdin is not None:
            self.popen.stdin.close()

    def close(self) -> None:
        """Close our ends of its pipes."""
        self.close_stdin()
        self.popen.stdout.close()
        self.popen.stderr.close()


def start(words: list, executable: str, env: dict, feeds: bool) -> object:
    """Start the program `executable` with `words`; it reads from us where one `feeds` it. Raises OSError."""
    if not _tells_why():
        return start_with_all(words, feeds, executable=executable, env=env)
    path = _resolve(executable, env)
    pipes = [os.pipe(), os.pipe()] + ([os.pipe()] if feeds else [])
    actions = [(os.POSIX_SPAWN_DUP2, pipes[0][1], 1), (os.POSIX_SPAWN_DUP2, pipes[1][1], 2)]
    if feeds:
        actions.insert(0, (os.POSIX_SPAWN_DUP2, pipes[2][0], 0))
    else:
        actions.insert(0, (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0))
    actions += [(os.POSIX_SPAWN_CLOSE, number) for number in _inherited()]
    ours, theirs = [pipes[0][0], pipes[1][0]], [pipes[0][1], pipes[1][1]]
    if feeds:
        ours.append(pipes[2][1])
        theirs.append(pipes[2][0])
    try:
        pid = os.posix_spawn(path, words, env, file_actions=actions, setsigdef=PIPE_SIGNALS)
    except BaseException as error:
        for number in ours:
            os.close(number)
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, executable) from None
        raise
    finally:
        for number in theirs:
            os.close(number)
    return Program(pid, ours[2] if feeds else None, ours[0], ours[1])


def start_with_all(words: list, feeds: bool, **how: object) -> Child:
    """Start a program as `subprocess.Popen` does with `how`. Raises OSError."""
    import subprocess  # noqa: PLC0415  # see above

    stdin = subprocess.PIPE if feeds else subprocess.DEVNULL
    return Child(subprocess.Popen(words, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **how))


def _tells_why() -> bool:
    """Tell whether `posix_spawn` is here and says why a program could not be started."""
    try:
        name, version = os.confstr("CS_GNU_LIBC_VERSION").split()
        numbers = tuple(int(word) for word in version.split("."))
    except (AttributeError, ValueError, OSError):
        return False
    return name == "glibc" and numbers >= (2, 24) and hasattr(os, "posix_spawn") and os.path.isdir("/proc/self/fd")


def _resolve(name: str, env: dict) -> str:
    """Give where a program is, in the directories of its PATH if `name` is no path. Raises OSError."""
    if os.path.dirname(name):
        return name
    reason = errno.ENOENT
    for directory in env.get("PATH", os.defpath).split(os.pathsep):
        path = os.path.join(directory, name)
        if os.path.exists(path):
            if os.access(path, os.X_OK) and not os.path.isdir(path):
                return path
            reason = errno.EACCES
    raise OSError(reason, os.strerror(reason), name)


def _inherited() -> list:
    """Give the descriptors of ours that a program would get, but for the standard streams."""
    found = []
    for name in os.listdir("/proc/self/fd"):
        number = int(name)
        try:
            if number > 2 and os.get_inheritable(number):
                found.append(number)
        except OSError:
            continue  # that of the listing
    return found
