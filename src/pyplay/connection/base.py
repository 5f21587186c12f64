"""What a connection is: a way to start programs on one host. Everything else is built on that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from pyplay.diagnostics.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence


class Process(Protocol):
    """A program running on a host, its standard streams as bytes."""

    def write(self, data: bytes) -> None:
        """Queue `data` for the program's standard input."""
        ...

    async def drain(self) -> None:
        """Wait until enough of what was written has left."""
        ...

    def write_eof(self) -> None:
        """Close the program's standard input."""
        ...

    async def read(self, size: int) -> bytes:
        """Give up to `size` bytes of standard output, b"" at its end.

        Raises HostUnreachable if the connection is lost.
        """
        ...

    async def read_error(self, size: int) -> bytes:
        """Give up to `size` bytes of standard error, b"" at its end."""
        ...

    async def wait(self) -> int:
        """Give the exit status, or minus the signal's number. -1 if it will never be known."""
        ...

    def close(self) -> None:
        """Let go of the program: closes its streams at once, does not wait."""
        ...


class Connection(Protocol):
    """A way to start programs on one host."""

    async def start(self, argv: Sequence[str], *, pty: bool = False) -> Process:
        """Start `argv` on the host, its three standard streams connected as bytes.

        Takes words, not a shell line: quoting for the remote shell is the implementation's work. How the program ended
        is an answer (`Process.wait`), not an error. Raises HostUnreachable if there is no connection or it is lost.
        """
        ...

    @property
    def alive(self) -> bool:
        """Tell whether the connection is usable as far as is known without asking the host."""
        ...

    @property
    def far(self) -> bool:
        """Tell whether the way to the host is long, or may be: what is sent first is short, then, and sent at once."""
        ...

    async def close(self) -> None:
        """End the connection and all that was started over it."""
        ...


PLAIN_SHELL = "/bin/sh"
"""The shell where none is named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionOptions:
    """Everything that decides where a connection goes, all templates rendered. Equal options share a connection."""

    kind: str = "ssh"  # ssh, openssh, local, or an engine's name
    host: str = ""  # inventory name, for messages
    address: str = ""
    port: int | None = None
    user: str | None = None
    password: str | None = None
    private_key_file: str | None = None
    private_key: str | None = None  # the key itself
    passphrase: str | None = None  # of the private key
    pkcs11_provider: str | None = None  # the library of a smart card; `password` is its PIN then
    ssh_executable: str = "ssh"
    ssh_args: str = ""
    ssh_common_args: str = ""
    ssh_extra_args: str = ""
    host_key_checking: bool | None = None  # None: as ssh config says, strict otherwise
    timeout: float = 10.0
    retries: int = 0
    shell_executable: str = PLAIN_SHELL
    directory: str | None = None  # local: where programs start; None: where the controller stands
    engine_options: tuple[tuple[str, str], ...] = ()  # those of the engine that are set


@dataclass(frozen=True, slots=True, kw_only=True)
class BecomeOptions:
    """As whom to run. Equal options on one connection share a Runner."""

    method: str = "sudo"
    user: str = "root"
    password: str | None = None
    exe: str | None = None
    flags: str | None = None
    chdir: str | None = None  # sudo: the directory to go to before it is called
    prompts: tuple[str, ...] = ()  # more words for "Password" in its prompts
    timeout: float | None = None  # seconds that it may take; None: as the caller says


def missing_password(method: str) -> str:
    """Say that `method` asks for a password and none was given."""
    return f"Missing {method} password: give it with -K or ansible_become_password"


def wrong_password(method: str) -> str:
    """Say that `method` did not take the password."""
    return f"Incorrect {method} password: -K or ansible_become_password gave it"
