"""What ssh asks while it logs in, answered without a terminal: its SSH_ASKPASS program asks us over a private socket.

The program is a few lines in a directory that only we can enter; a secret is written to the socket when a prompt that
it belongs to has been read there, and stands in no command line, environment or file. Source: ssh(1), SSH_ASKPASS.
"""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import sys
from collections import Counter
from dataclasses import field
from typing import TYPE_CHECKING

from pyplay.connection.host_key_texts import HostKeyQuestion
from pyplay.connection.login_texts import ATTEMPTS
from pyplay.diagnostics.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from pyplay.connection.base import ConnectionOptions
    from pyplay.connection.login_texts import AskPassphrase
    from pyplay.connection.ssh_target import SshTarget

SOCKET = "PYPLAY_ASKPASS"
"""The variable that tells the program where to ask."""

PROGRAM = """\
import os, socket, sys
asking = socket.socket(socket.AF_UNIX)
asking.connect(os.environ["PYPLAY_ASKPASS"])
kind = os.environ.get("SSH_ASKPASS_PROMPT", "")
asking.sendall((kind + "\\n" + " ".join(sys.argv[1:])).encode("utf-8", "surrogateescape"))
asking.shutdown(socket.SHUT_WR)
answer = b"".join(iter(lambda: asking.recv(4096), b""))
if not answer:
    sys.exit(1)
sys.stdout.buffer.write(answer)
"""

_HOST_KEY = re.compile(r"host '(?:\[?(?P<name>[^\s'\]]+))", re.IGNORECASE)
_FINGERPRINT = re.compile(r"(?P<type>\S+) key fingerprint is:?\s+(?P<print>\S+?)\.?\s*$", re.MULTILINE)
_KEY = re.compile(r"key '?(?P<path>[^']+?)'?(?: \([^)]*\))?:\s*$")
_ASKED_OF = re.compile(r"\(?[^\s@()]+@(?P<host>[^\s()]+?)(?:'s|\))")


def write_program(directory: Path) -> Path:
    """Write the SSH_ASKPASS program into `directory` and give its path."""
    path = directory / "askpass"
    python = shlex.quote(sys.executable)
    path.write_text(f'#!/bin/sh\nexec {python} -I -S -c {shlex.quote(PROGRAM)} "$@"\n')
    path.chmod(0o700)
    return path


@dataclass(slots=True)
class Answers:
    """What one login may be told, and what was asked in it. Each secret is given once: asked again, it was wrong."""

    options: ConnectionOptions
    target: SshTarget
    ask_key: Callable[[HostKeyQuestion], Awaitable[bool]] | None = None
    ask_passphrase: AskPassphrase | None = None
    asked: Counter[str] = field(default_factory=Counter[str])  # how often for the passphrase of which key
    given: set[str] = field(default_factory=set[str])
    wrong: set[str] = field(default_factory=set[str])
    unanswered: str = ""  # the last prompt that nobody could answer
    key: str = ""  # kind and fingerprint of a host key that was asked about

    async def answer(self, kind: str, prompt: str) -> str | None:
        """Give the line that answers `prompt`, None for a refusal. `kind` is SSH_ASKPASS_PROMPT's."""
        if "(yes/no" in prompt:
            return await self._host_key(prompt)
        if kind or self._is_elsewhere(prompt):
            self.unanswered = prompt
            return None
        if "passphrase" in prompt.lower():
            return await self._passphrase(prompt)
        pin = re.search(r"\bPIN\b", prompt) is not None
        return self._once("PIN" if pin else "password", self._password(pin=pin), prompt)

    async def _passphrase(self, prompt: str) -> str | None:
        """Give the passphrase that is set, else the one that a person types."""
        named = _KEY.search(prompt)
        if self.options.passphrase is not None or self.ask_passphrase is None or named is None:
            return self._once("passphrase", self.options.passphrase, prompt)
        times = self.asked[named["path"]]
        self.asked[named["path"]] += 1
        typed = await self.ask_passphrase(named["path"], times) if times < ATTEMPTS else None
        if typed is None:
            self.unanswered = prompt
        return typed

    def _password(self, *, pin: bool) -> str | None:
        """Give the password; with a smart card it is the PIN, and nothing but that."""
        return self.options.password if pin == bool(self.options.pkcs11_provider) else None

    def _once(self, name: str, secret: str | None, prompt: str) -> str | None:
        if secret is None:
            self.unanswered = prompt
        elif name in self.given:
            self.wrong.add(name)
        else:
            self.given.add(name)
            return secret
        return None

    def _is_elsewhere(self, prompt: str) -> bool:
        """Tell whether another host (a jump host) asks for its password: ours is none of its business."""
        found = _ASKED_OF.search(prompt)
        ours = (self.target.address, self.target.name, self.target.key_name)
        return found is not None and not any(name[:100] == found["host"][:100] for name in ours)

    async def _host_key(self, prompt: str) -> str:
        named, shown = _HOST_KEY.search(prompt), _FINGERPRINT.search(prompt)
        kind, fingerprint = (shown["type"], shown["print"]) if shown else ("", "")
        self.key = f"{kind} {fingerprint}".strip()
        if self.ask_key is None:
            return "no"
        address = named["name"] if named else self.target.address
        question = HostKeyQuestion(self.options.host, address, self.target.port, kind, fingerprint)
        return "yes" if await self.ask_key(question) else "no"


class Askpass:
    """Listens on a socket of one login."""

    def __init__(self, path: Path, answers: Answers) -> None:
        self._path, self._answers = path, answers
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        """Begin to listen. The socket is ours alone."""
        self._server = await asyncio.start_unix_server(self._serve, self._path)
        self._path.chmod(0o600)

    async def close(self) -> None:
        """Listen no more."""
        if self._server is not None:
            self._server.close()
            self._server = None
            self._path.unlink(missing_ok=True)

    def environment(self, program: Path) -> dict[str, str]:
        """Give the environment in which ssh asks here and nowhere else; older releases ask for a DISPLAY, too."""
        return {
            "DISPLAY": "-",
            **os.environ,
            "SSH_ASKPASS": str(program),
            "SSH_ASKPASS_REQUIRE": "force",
            SOCKET: str(self._path),
        }

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        kind, _, prompt = (await reader.read()).decode("utf-8", "replace").partition("\n")
        line = await self._answers.answer(kind, prompt)
        if line is not None:
            writer.write(line.encode("utf-8", "surrogateescape") + b"\n")
        writer.close()
        await asyncio.gather(writer.wait_closed(), return_exceptions=True)
