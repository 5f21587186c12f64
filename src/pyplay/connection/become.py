"""Becoming another user: the conversation between starting a program as somebody else and its first own word.

A method (one file each: `sudo`, `su`, `doas`) knows its argv, its prompt and how it says no. The program that is
started writes a marker as soon as it runs. Until then all that is heard is the method's: lectures, prompts.
The password goes to standard input, once and only when asked for; a second prompt means that it was wrong.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import shlex
from dataclasses import field
from typing import TYPE_CHECKING, Protocol

from pyplay.connection.base import missing_password, wrong_password
from pyplay.connection.doas import Doas
from pyplay.connection.stream import GREETING
from pyplay.connection.su import Su
from pyplay.connection.sudo import Sudo
from pyplay.diagnostics.dataclass import dataclass
from pyplay.diagnostics.errors import BecomeError, RunnerError
from pyplay.diagnostics.patterns import late_pattern

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyplay.connection.base import BecomeOptions, Connection, Process

TAIL = 4096
ERRORS = 1 << 20  # bytes of standard error that are kept
SHOWN = 300  # characters of what was heard, where a fault is told: its beginning and its end
_UNREADABLE = late_pattern(r"[^\x20-\x7e\t\n\u00a0-\ud7ff\ue000-\ufffc]+")


class BecomeMethod(Protocol):
    """One way of becoming another user."""

    name: str
    pty: bool  # whether it must have a terminal from the start

    def command(self, options: BecomeOptions, argv: Sequence[str], key: str) -> list[str]:
        """Give the words that run `argv` as the user; `key` is a random text for the prompt."""
        ...

    def asks(self, said: bytes, key: str) -> bool:
        """Tell whether what was said since the last answer ends by asking for a password."""
        ...

    def refusal(self, said: bytes) -> str | None:
        """Give why it will not do it, None as long as it has not said so."""
        ...

    def wants_pty(self, said: bytes) -> bool:
        """Tell whether it refused for want of a terminal."""
        ...


METHODS: Mapping[str, BecomeMethod] = {method.name: method for method in (Sudo(), Su(), Doas())}


def method_of(become: BecomeOptions) -> BecomeMethod:
    """Give the way of becoming another user that `become` names. Raises BecomeError if there is none of that name."""
    method = METHODS.get(become.method)
    if method is None:
        raise BecomeError(become.method, become.user, f"unknown become method; known are {', '.join(sorted(METHODS))}")
    return method


@dataclass(slots=True)
class Started:
    """A program that has written its marker: `line` is the rest of the marker's line, `rest` what came after it."""

    process: Process
    line: str
    rest: bytes
    said: bytes = b""  # the last of what was said before, on both streams
    errors: bytes = b""  # all that has come on standard error: what was said before, and what the program wrote since


@dataclass(slots=True)
class _Talk:
    """What was heard so far."""

    marker: bytes
    words: Sequence[str]  # the command
    out: bytearray = field(default_factory=bytearray)
    said: bytearray = field(default_factory=bytearray)
    unanswered: bytearray = field(default_factory=bytearray)
    errors: bytearray = field(default_factory=bytearray)
    answered: bool = False
    heard: int = 0  # bytes in all

    def hear(self, data: bytes, *, out: bool) -> None:
        self.heard += len(data)
        if out:
            self.out += data
            kept = len(self.marker) + 1
            if len(self.out) > kept and self._place() < 0:  # it is the host's chatter, however much there is
                self.out[:-kept] = b" "  # no beginning of a line
        else:
            self.errors += data
            del self.errors[:-ERRORS]
        self.said += data
        self.unanswered += data
        for heard in (self.said, self.unanswered):
            del heard[: -2 * TAIL]

    def found(self) -> tuple[str, bytes] | None:
        """Give the marker's line and what follows it, once the line is whole."""
        at = self._place()
        end = self.out.find(b"\n", at)
        if at < 0 or end < 0:
            return None
        line = bytes(self.out[at + len(self.marker) : end]).decode("utf-8", "surrogateescape").strip()
        return line, bytes(self.out[end + 1 :])

    @property
    def begun(self) -> bool:
        """Whether the marker is there, its line whole or not."""
        return self._place() >= 0

    def _place(self) -> int:
        """Give where the marker begins a line, -1 if it does not; in the midst of one somebody repeats our command."""
        return 0 if self.out.startswith(self.marker) else self.out.find(b"\n" + self.marker) + 1 or -1


class NotStarted(RunnerError):  # noqa: N818  # the fact, as HostUnreachable
    """The program ended, or stayed silent, before its first word. `status` is its exit status, None if it lives on."""

    def __init__(self, status: int | None, said: str) -> None:
        self.status, self.said = status, said
        super().__init__(f"ended with status {status} before it began: {said}" if status is not None else said)


async def start_program(
    connection: Connection,
    become: BecomeOptions | None,
    argv: Sequence[str],
    *,
    marker: str,
    first: bytes = b"",
    timeout: float = 15.0,  # noqa: ASYNC109  # a bound on the conversation, with an error of its own
) -> Started:
    """Start `argv`, as another user where `become` says so, and wait for the line that begins with `marker`.

    `first` is written to its standard input: at once without `become`, else when the marker has been seen (before it,
    what is written might be taken for the password). `timeout` (seconds) bounds the whole conversation.
    Raises BecomeError if becoming was refused, NotStarted if the program ended without a marker, HostUnreachable.
    """
    if become is None:
        return await _begin(connection, None, None, argv, marker, first, timeout, pty=False)
    method = method_of(become)
    seconds = become.timeout or timeout
    try:
        return await _begin(connection, method, become, argv, marker, first, seconds, pty=method.pty)
    except _NeedsTerminal:
        return await _begin(connection, method, become, argv, marker, first, seconds, pty=True)


def _asks_in(prompts: Sequence[str], said: bytes) -> bool:
    """Tell whether what was said ends in one of `prompts` and a colon, ASCII or full width."""
    text = said.decode("utf-8", "replace").rstrip()
    return any(text.endswith(prompt.rstrip(": ") + colon) for prompt in prompts for colon in ":：")  # noqa: RUF001  # as said


class _NeedsTerminal(Exception):  # noqa: N818  # a turn of the conversation
    """The method wants a terminal."""


async def _begin(  # noqa: PLR0917  # start_program, once or twice
    connection: Connection,
    method: BecomeMethod | None,
    options: BecomeOptions | None,
    argv: Sequence[str],
    marker: str,
    first: bytes,
    timeout: float,  # noqa: ASYNC109  # as above
    *,
    pty: bool,
) -> Started:
    key = secrets.token_hex(8)
    words = method.command(options, argv, key) if method and options else list(argv)
    process = await connection.start(words, pty=pty)
    talk = _Talk(marker.encode(), argv)
    try:
        if method is None:
            process.write(first)
        async with asyncio.timeout(timeout):
            line, rest = await _converse(process, talk, method, options, key, pty=pty)
    except TimeoutError:
        process.close()
        raise _silence(method, options, talk, timeout) from None
    except BaseException:
        process.close()
        raise
    if method is not None:
        process.write(first)
    return Started(process, line, rest, bytes(talk.said[-TAIL:]), bytes(talk.errors))


async def _converse(
    process: Process, talk: _Talk, method: BecomeMethod | None, options: BecomeOptions | None, key: str, *, pty: bool
) -> tuple[str, bytes]:
    """Listen on both streams until the marker is there; answer the one prompt."""
    out = asyncio.ensure_future(process.read(65536))
    error = asyncio.ensure_future(process.read_error(65536))
    waiting = {out, error}
    try:
        while waiting:
            done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for task in sorted(done, key=lambda task: task is out):
                data = task.result()
                talk.hear(data, out=task is out)
                if data and task is out:
                    out = asyncio.ensure_future(process.read(65536))
                    waiting.add(out)
                elif data:
                    error = asyncio.ensure_future(process.read_error(65536))
                    waiting.add(error)
            found = talk.found()
            if found is not None:
                return found
            if talk.heard > GREETING:
                raise _not_begun(method, options, talk, f"it wrote more than {GREETING} bytes before it began")
            if method is not None and options is not None:
                _answer(process, talk, method, options, key, pty=pty)
    finally:
        for task in (out, error):
            task.cancel()
    status = await process.wait()
    raise _ended(method, options, talk, status)


def _answer(
    process: Process, talk: _Talk, method: BecomeMethod, options: BecomeOptions, key: str, *, pty: bool
) -> None:
    """React to what the method said: a prompt, a refusal, the wish for a terminal."""
    said = bytes(talk.unanswered)
    if not pty and method.wants_pty(said):
        raise _NeedsTerminal
    reason = method.refusal(said)
    if reason is not None:
        raise BecomeError(method.name, options.user, _elided(reason, talk.words))
    if not method.asks(said, key) and not _asks_in(options.prompts, said):
        return
    if talk.answered:
        raise BecomeError(method.name, options.user, wrong_password(method.name))
    if options.password is None:
        raise BecomeError(method.name, options.user, missing_password(method.name))
    talk.answered = True
    talk.unanswered.clear()
    process.write(options.password.encode() + b"\n")


def _ended(method: BecomeMethod | None, options: BecomeOptions | None, talk: _Talk, status: int) -> Exception:
    said = _shown(talk, options)
    if method is None or options is None or status in (0, 77) or talk.begun:
        return NotStarted(status, said)
    if talk.words[0] in said and re.search(r"not found|No such file|unable to execute", said):
        return NotStarted(127, said)
    if status == 127 and not talk.answered:  # the shell's
        return BecomeError(method.name, options.user, f"there is no {options.exe or method.name} on the host: {said}")
    if talk.answered:
        since = _shown(talk, options, talk.unanswered)
        return BecomeError(method.name, options.user, f"refused: {since}" if since else wrong_password(method.name))
    return BecomeError(method.name, options.user, f"ended with status {status}: {said}" if said else f"status {status}")


def _silence(method: BecomeMethod | None, options: BecomeOptions | None, talk: _Talk, seconds: float) -> Exception:
    return _not_begun(method, options, talk, f"no answer within {seconds:g} s")


def _not_begun(
    method: BecomeMethod | None, options: BecomeOptions | None, talk: _Talk, reason: str
) -> NotStarted | BecomeError:
    """Return the error for a program that was given up for `reason`."""
    said = _shown(talk, options)
    reason += f"; last heard: {said!r}" if said else "; nothing was heard"
    if method is None or options is None:
        return NotStarted(None, reason)
    return BecomeError(method.name, options.user, reason)


def _elided(text: str, words: Sequence[str]) -> str:
    """Give `text` without the command, should somebody have repeated it: nobody wants to read all of a Runner's."""
    for command in (shlex.join(words), " ".join(words), *words):  # shells begin their errors with the word for $0
        if len(command) > SHOWN:
            text = text.replace(command, "…")
    return text


def _shown(talk: _Talk, options: BecomeOptions | None, heard: bytearray | None = None) -> str:
    """Give the last of what was said (or `heard`), without what does not belong there.

    That is the password, should a terminal have echoed it, and our own command.
    """
    text = (talk.said if heard is None else heard)[-TAIL:].decode("utf-8", "replace")
    if options is not None and options.password:
        text = text.replace(options.password, "********")
    text = _elided(text.replace("\r", ""), talk.words)
    if 20 * len(_UNREADABLE.findall(text)) > len(text):
        return "bytes that are no text"
    text = _UNREADABLE.sub("…", text)
    lines = [line.rstrip() for line in text.splitlines() if len(line) <= SHOWN or talk.marker.decode() not in line]
    text = "\n".join(line for line in lines if line.strip(" \t…^"))
    text = text.strip()
    return text if len(text) <= SHOWN else f"{text[: SHOWN // 2].rstrip()} … {text[-SHOWN // 2 :].lstrip()}"
