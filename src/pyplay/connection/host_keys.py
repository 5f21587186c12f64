"""known_hosts(5): which keys a host may show. Files are read once per worker and looked up by name, not searched.

Keys are decoded when a connection asks for them: a file may hold those of thousands of hosts.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import secrets
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import asyncssh

from pyplay.connection.ssh_config import matches
from pyplay.diagnostics.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True, slots=True)
class KeyLine:
    """One line: its marker (`@cert-authority`, `@revoked` or ""), the key as text, and where it stands."""

    marker: str
    key: str
    place: str


@dataclass(slots=True)
class KnownKeys:
    """The keys known for one host."""

    trusted: list[asyncssh.SSHKey] = field(default_factory=list[asyncssh.SSHKey])
    authorities: list[asyncssh.SSHKey] = field(default_factory=list[asyncssh.SSHKey])
    revoked: list[asyncssh.SSHKey] = field(default_factory=list[asyncssh.SSHKey])
    places: dict[str, str] = field(default_factory=dict[str, str])  # key type → file:line

    def drop_small(self, bits: int) -> None:
        """Trust no RSA key of fewer than `bits` bits."""
        self.trusted = [key for key in self.trusted if not is_small(key, bits)]


def is_small(key: asyncssh.SSHKey, bits: int) -> bool:
    """Tell whether `key` is an RSA key of fewer than `bits` bits."""
    size: Any = getattr(key.pyca_key, "key_size", bits)
    return bits > 0 and key.get_algorithm() == "ssh-rsa" and size < bits


class KnownHosts:
    """The lines of some known_hosts files by name."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._exact: dict[str, list[KeyLine]] = {}
        self._patterns: list[tuple[list[str], KeyLine]] = []
        self._hashed: list[tuple[bytes, bytes, KeyLine]] = []
        for path in paths:
            self._read(Path(path).expanduser())

    def lookup(self, name: str, port: int) -> KnownKeys:
        """Give the keys for a host; one on another port than 22 is first looked up as `[name]:port`."""
        plain = name.lower()
        lines = list(self._lines(plain if port == 22 else f"[{plain}]:{port}"))
        if not lines and port != 22:
            lines = [line for line in self._lines(plain) if line.marker == "@cert-authority"]
        keys = KnownKeys()
        for line in lines:
            try:
                key = asyncssh.import_public_key(line.key)
            except asyncssh.KeyImportError:
                continue
            targets = {"": keys.trusted, "@cert-authority": keys.authorities, "@revoked": keys.revoked}
            targets.get(line.marker, keys.revoked).append(key)
            keys.places.setdefault(key.get_algorithm(), line.place)
        return keys

    def remember(self, name: str, port: int, key: asyncssh.SSHKey, path: str | None, *, hashed: bool) -> None:
        """Trust a key from now on, and write it to `path` for later runs. Raises OSError if that is not possible."""
        entry = name.lower() if port == 22 else f"[{name.lower()}]:{port}"
        text = key.export_public_key("openssh").decode().split()
        line = " ".join(text[:2])
        self._exact.setdefault(entry, []).append(KeyLine("", line, "this run"))
        if path is None or path == "/dev/null":
            return
        file = Path(path).expanduser()
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        shown = _hash_name(entry) if hashed else entry
        descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(descriptor, "ab") as stream:
            stream.write(f"{shown} {line}\n".encode())

    def _lines(self, entry: str) -> Iterable[KeyLine]:
        yield from self._exact.get(entry, ())
        for patterns, line in self._patterns:
            if matches(entry, patterns):
                yield line
        for salt, digest, line in self._hashed:
            if hmac.compare_digest(hmac.digest(salt, entry.encode(), "sha1"), digest):
                yield line

    def _read(self, path: Path) -> None:
        try:
            text = path.read_text("utf-8", "surrogateescape")
        except OSError:
            return
        for number, line in enumerate(text.splitlines(), 1):
            words = line.split()
            if not words or words[0].startswith("#"):
                continue
            marker = words.pop(0) if words[0].startswith("@") else ""
            if len(words) >= 3:
                self._add(words[0], KeyLine(marker, f"{words[1]} {words[2]}", f"{path}:{number}"))

    def _add(self, names: str, line: KeyLine) -> None:
        if names.startswith("|1|"):
            salt, _, digest = names[3:].partition("|")
            self._hashed.append((base64.b64decode(salt), base64.b64decode(digest), line))
        elif any(mark in names for mark in "*?!"):
            self._patterns.append((names.split(","), line))
        else:
            for name in names.split(","):
                self._exact.setdefault(name.lower(), []).append(line)


def _hash_name(entry: str) -> str:
    """Hide a name as HashKnownHosts does."""
    salt = secrets.token_bytes(20)
    digest = hmac.new(salt, entry.encode(), hashlib.sha1).digest()
    return f"|1|{base64.b64encode(salt).decode()}|{base64.b64encode(digest).decode()}"
