"""Finding a Python on a host: in the same round trip that starts it.

A candidate is chosen by running it, not by finding it: a pyenv shim exists and fails, a broken one too. So the shell on
the host tries one after the other to *be* the Runner; the first that writes its marker is it.
"""

from __future__ import annotations

import re
import secrets
import shlex
from typing import TYPE_CHECKING

from pyplay.diagnostics.dataclass import dataclass
from pyplay.diagnostics.errors import RunnerError
from pyplay.remote.bootstrap import BOOTSTRAP, TOO_OLD

if TYPE_CHECKING:
    from collections.abc import Sequence

CANDIDATES = (
    "/usr/bin/python3",
    "/usr/libexec/platform-python",
    *(f"python3.{minor}" for minor in range(14, 5, -1)),
    "python3",
)
LAST_RESORT = "/usr/bin/python3"
"""What is tried where none of the candidates that somebody named is there, as ansible-core does."""

_PLAIN = re.compile(r"~?[A-Za-z0-9_./+@:-]+")
AUTOMATIC = frozenset({"", "auto", "auto_silent", "auto_legacy", "auto_legacy_silent"})

_NO_PROCESS = re.compile(r"[Cc]annot fork|fork: (?:retry: )?Resource|BlockingIOError.*Resource temporarily unavailable")
_NO_SHELL = (126, 127)  # what a shell says that cannot start ours
_BY_SIGNAL = (129, 130, 137, 143)

# No single quote, backslash, newline or exclamation mark, for csh and fish. A Runner ends with 0, or by one of these
# signals; all other statuses are those of a candidate that never became one.
SEARCH = (
    'for p in {candidates}; do command -v "$p" >/dev/null 2>&1 || continue; "$p" -I -S -c "$0" "$1"; s=$?; '
    "case $s in 0|129|130|137|143) exit $s;; esac; done; echo; "
    'echo "$1 none"; exit 127'
)


@dataclass(frozen=True, slots=True)
class Interpreter:
    """The Python that was started: its path, its version, and whether it was searched for.

    `last_resort`: it is none of those that were to be searched for.
    """

    path: str
    version: tuple[int, int, int]
    bytecode: str  # see `bytecode.BYTECODE`
    discovered: bool
    last_resort: bool = False


def new_marker() -> str:
    """Give a word that nothing on a host prints by itself."""
    return f"PYPLAY-{secrets.token_hex(8)}"


def is_automatic(interpreter: str | None) -> bool:
    """Tell whether the interpreter is to be searched for."""
    return interpreter is None or interpreter.strip() in AUTOMATIC


def interpreter_command(interpreter: str | None, marker: str, candidates: Sequence[str] = CANDIDATES) -> list[str]:
    """Give the words that start a Runner: a search, or the interpreter that was named (it may have arguments).

    `candidates` are searched in their order; each must be a `is_candidate`.
    """
    if interpreter is None or is_automatic(interpreter):
        return ["/bin/sh", "-c", SEARCH.format(candidates=" ".join(_with_resort(candidates))), BOOTSTRAP, marker]
    words = shlex.split(interpreter)
    if words[0].startswith("~"):
        home, _, rest = words[0].partition("/")
        line = f'exec {home}/{shlex.quote(rest)} {shlex.join(words[1:])} -I -S -c "$0" "$1"'
        return ["/bin/sh", "-c", line, BOOTSTRAP, marker]
    return [*words, "-I", "-S", "-c", BOOTSTRAP, marker]


def _with_resort(candidates: Sequence[str]) -> list[str]:
    return list(dict.fromkeys((*candidates, LAST_RESORT)))


def is_candidate(name: str) -> bool:
    """Tell whether `name` can stand in a search: a path or a program's name that every shell takes as it is."""
    return _PLAIN.fullmatch(name) is not None


def parse_hello(line: str, interpreter: str | None, candidates: Sequence[str] = CANDIDATES) -> Interpreter:
    """Read what follows the marker: version, bytecode, path. Raises RunnerError if the search found nothing."""
    version, _, rest = line.partition(" ")
    bytecode, _, path = rest.partition(" ")
    if version == "none":
        raise RunnerError(no_python(candidates))
    numbers = re.fullmatch(r"(\d+)\.(\d+)\.(\d+)", version)
    if numbers is None:
        raise RunnerError(f"{interpreter or 'Python'} on the host does not say which version it is: {line!r}")
    discovered = is_automatic(interpreter)
    # a bare name may have been found there
    unasked = path == LAST_RESORT not in candidates and all("/" in name for name in candidates)
    return Interpreter(
        path or interpreter or "",
        (int(numbers[1]), int(numbers[2]), int(numbers[3])),
        bytecode,
        discovered=discovered,
        last_resort=discovered and unasked,
    )


def no_python(candidates: Sequence[str] = CANDIDATES) -> str:
    """Give what to say when a host has no Python that we can use."""
    return (
        "no usable Python on the host (3.6 or newer is needed; tried "
        f"{', '.join(_with_resort(candidates))}). "
        "Install one with the raw module, or name one with ansible_python_interpreter"
    )


def never_ran(interpreter: str | None, status: int | None) -> bool:
    """Tell, of a program that ended without a word of ours, that it cannot have been what we asked for.

    The search ends with its own word, unless a signal ends it; no Python that we start ends well before its first word.
    """
    if status is None or status < 0 or status in _NO_SHELL:
        return False
    return status == 0 or (is_automatic(interpreter) and status not in _BY_SIGNAL)


def has_no_process(said: str) -> bool:
    """Whether what was said tells of a user, or a host, that may start no further process."""
    return _NO_PROCESS.search(said) is not None


def explain_no_process(said: str) -> str:
    """Return what to say when a host starts no further process."""
    return f"the host starts no further process for this user; its limit (ulimit -u, nproc) may be reached: {said}"


def explain_refused(status: int, said: str) -> str:
    """Give what to say when a login runs something else than it is told."""
    tail = f": {said}" if said else ""
    return (
        "this login does not run what it is told: its shell (nologin?) or a forced command "
        f"(ForceCommand in sshd_config, command= in authorized_keys) ended with status {status}{tail}"
    )


def explain_end(interpreter: str | None, status: int | None, said: str) -> str:
    """Give what to say when a Python ended before it became a Runner."""
    name = interpreter or "Python"
    if status == TOO_OLD or (status == 2 and "nknown option" in said):
        return f"{name} is older than 3.6; name a newer one with ansible_python_interpreter"
    if status in (126, 127):
        return f"there is no Python that runs at {name}; correct ansible_python_interpreter ({said})"
    if status is None:
        return f"{name} on the host gave no answer: {said}"
    return f"{name} on the host ended with status {status}: {said}"
