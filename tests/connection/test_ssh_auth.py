"""What a login by key asks of a server: no more than it must, and no way in is lost by it."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import asyncssh
import pytest
from asyncssh import auth
from hosts import drive, embedded, ssh_options

from pyplay.connection import ssh_auth
from pyplay.diagnostics.errors import HostUnreachable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SIGNED, ASKED, NONE = ("publickey", True), ("publickey", False), ("none", False)

Requests = list[tuple[str, bool]]


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> Requests:
    """Give what clients ask servers for, as it happens: the method, and whether the request is signed."""
    told: Requests = []
    send = asyncssh.SSHClientConnection.send_userauth_request

    async def spy(self: Any, method: bytes, *args: bytes, key: Any = None, trivial: bool = True) -> None:
        told.append((method.decode(), key is not None))
        await send(self, method, *args, key=key, trivial=trivial)

    monkeypatch.setattr(asyncssh.SSHClientConnection, "send_userauth_request", spy)
    return told


@pytest.fixture
def open_door(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have servers let in whoever asks for `none`, after anything else was refused."""

    async def welcome(self: Any, _packet: Any) -> None:
        await self._conn.send_userauth_success()

    null: Any = getattr(auth, "_server_auth_handlers")[b"none"]  # noqa: B009  # a name of asyncssh's own
    monkeypatch.setattr(null, "supported", classmethod(lambda _cls, _conn: True))
    monkeypatch.setattr(null, "_start", welcome)


def log_in(tmp_path: Path, *, refused: str = "", keys: bool = True, **changes: Any) -> None:
    """Log in to a host that takes the key, or not; `refused`: how the refusal is told."""

    async def go() -> None:
        async with embedded(tmp_path, keys=keys) as (fleet, connector):
            options = ssh_options(fleet, fleet.hosts[0], **changes)
            if refused:
                with pytest.raises(HostUnreachable, match=refused):
                    await connector.open(options)
            else:
                await connector.open(options)

    drive(go())


def test_a_key_is_one_signed_request(tmp_path: Path, requests: Requests) -> None:
    log_in(tmp_path)
    assert requests == [SIGNED]


@pytest.mark.usefixtures("open_door")
def test_none_is_asked_for_where_the_key_is_not_taken(tmp_path: Path, requests: Requests) -> None:
    log_in(tmp_path, keys=False)
    assert requests == [SIGNED, NONE]


def test_a_refusal_is_told_as_ever(tmp_path: Path, requests: Requests) -> None:
    log_in(tmp_path, keys=False, refused=r"login as demo was refused \(tried: \S+\)")
    assert requests == [SIGNED, NONE]


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"password": "demo-pass"}, id="there is a password too"),
        pytest.param({"ssh_extra_args": "-o PreferredAuthentications=publickey"}, id="the order is told"),
    ],
)
def test_the_ways_are_asked_for_where_there_may_be_others(
    tmp_path: Path, requests: Requests, changes: dict[str, Any]
) -> None:
    log_in(tmp_path, **changes)
    assert requests == [NONE, SIGNED]


@pytest.mark.parametrize(("library", "asked"), [(False, [SIGNED]), (True, [NONE, SIGNED])])
def test_tickets_are_another_way_where_there_is_a_library_for_them(
    tmp_path: Path, requests: Requests, monkeypatch: pytest.MonkeyPatch, *, library: bool, asked: Requests
) -> None:
    monkeypatch.setattr(ssh_auth, "has_gssapi", lambda: library)
    log_in(tmp_path, ssh_extra_args="-o GSSAPIAuthentication=yes")
    assert requests == asked


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[str]:
    """Give the socket of an ssh-agent without keys."""
    path = str(tmp_path / "agent")
    process = subprocess.Popen(["ssh-agent", "-D", "-a", path], stdout=subprocess.DEVNULL)
    for _ in range(100):
        if (tmp_path / "agent").exists():
            break
        subprocess.run(["sleep", "0.02"], check=True)
    yield path
    process.terminate()
    process.wait()


def add_key(agent: str, path: Path) -> None:
    subprocess.run(["ssh-add", str(path)], env={"SSH_AUTH_SOCK": agent}, check=True, capture_output=True)


@pytest.mark.skipif(shutil.which("ssh-agent") is None, reason="needs ssh-agent")
def test_a_key_of_an_agent_is_asked_about_before_it_signs(tmp_path: Path, requests: Requests, agent: str) -> None:
    """The agent may ask a person for each signature: none is made for a server that does not take the key."""

    async def go() -> None:
        async with embedded(tmp_path) as (fleet, connector):
            add_key(agent, fleet.key_file)
            words = f"-F none -o UserKnownHostsFile={fleet.known_hosts} -o IdentityAgent={agent}"
            options = ssh_options(fleet, fleet.hosts[0], private_key_file=None, ssh_common_args=words)
            await connector.open(options)

    drive(go())
    assert requests == [ASKED, SIGNED]


def test_one_failure_that_ends_the_login_is_a_refusal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`MaxAuthTries 1`: the server hangs up at the key, and has no time to name other ways."""

    def hang_up(self: Any, *_: Any) -> None:
        self.disconnect(2, "Too many authentication failures")

    monkeypatch.setattr(asyncssh.SSHServerConnection, "send_userauth_failure", hang_up)
    log_in(tmp_path, keys=False, refused=r"login as demo was refused \(tried: \S+\)")
