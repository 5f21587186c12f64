"""Hosts behind the system's ssh: real servers on the loopback interface."""

from __future__ import annotations

import asyncio
import base64
import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import asyncssh
import pytest
from hosts import builder, drive, embedded, ssh_options

from pyplay.connection.askpass import Answers
from pyplay.connection.base import ConnectionOptions
from pyplay.connection.openssh_faults import explain_end
from pyplay.connection.ssh_config import SshConfig
from pyplay.connection.ssh_target import find_target
from pyplay.connection.tickets import may_have_tickets
from pyplay.diagnostics.errors import HostUnreachable
from pyplay.diagnostics.model import Diagnostic, Severity
from pyplay.shipping.client import RunnerClient
from pyplay.shipping.result import parse_result

if TYPE_CHECKING:
    from pyplay.connection.base import Connection
    from pyplay.connection.open import Connector

pytestmark = pytest.mark.skipif(not shutil.which("ssh"), reason="needs ssh")


async def output(connection: Connection, line: str = "echo $USER") -> str:
    """Run a shell line on the host and give its output."""
    process = await connection.start(["sh", "-c", line])
    process.write_eof()
    out = b""
    while data := await process.read(1000):
        out += data
    return out.decode().strip()


def told(connector: Connector) -> list[Diagnostic]:
    """Give the list that gets what the connector tells."""
    heard: list[Diagnostic] = []
    connector._tell = heard.append
    return heard


def test_a_password_is_given_without_being_seen(tmp_path: Path) -> None:
    async def go() -> None:
        async with embedded(tmp_path, keys=False) as (fleet, connector):
            options = ssh_options(fleet, fleet.hosts[0], kind="openssh", password="demo-pass", private_key_file=None)
            connection = await connector.open(options)
            process = await connection.start(["sh", "-c", "echo ready; cat"])
            assert await process.read(100) == b"ready\n"
            seen = told_of_processes()
            assert any(b"SSH_ASKPASS=" in each for each in seen)
            assert not any(b"demo-pass" in each for each in seen)
            process.close()
            assert await output(connection) == "demo"

    drive(go())


def told_of_processes() -> list[bytes]:
    """Give the words and the environments of this process's children."""
    found = subprocess.run(["pgrep", "-P", str(os.getpid())], capture_output=True, text=True, check=False).stdout
    there = [Path("/proc", pid) for pid in found.split() if Path("/proc", pid).exists()]
    return [(process / name).read_bytes() for process in there for name in ("cmdline", "environ")]


def test_a_runner_runs_over_it(tmp_path: Path) -> None:
    async def go() -> None:
        async with embedded(tmp_path) as (fleet, connector):
            connection = await connector.open(ssh_options(fleet, fleet.hosts[0], kind="openssh"))
            client = await RunnerClient.start(connection, host="e1", address="127.0.0.1")
            try:
                answer = await client.call(builder().build("ping"), {"data": "x" * 300_000})
                assert parse_result(answer)["ping"] == "x" * 300_000
            finally:
                await client.close()
            assert fleet.hosts[0].logins == 1

    drive(go())


@pytest.mark.parametrize(
    ("changes", "match"),
    [
        pytest.param({"password": "no", "private_key_file": None}, "login as demo was refused .*; the password is wrong", id="wrong password"),
        pytest.param({"private_key_file": None}, "login as demo was refused .*nobody could answer `demo@127.0.0.1's password:`", id="no password"),
        pytest.param({"ssh_common_args": "-F none -o UserKnownHostsFile=/dev/null"}, r"the host key is not known \(\S+ SHA256:\S+\).*ssh-keyscan -p", id="unknown key"),
        pytest.param({"port": 1}, "port 1: Connection refused", id="closed port"),
        pytest.param({"address": "no.such.host.invalid"}, "the name no.such.host.invalid cannot be resolved", id="unknown name"),
        pytest.param({"ssh_executable": "/no/ssh"}, "there is no program `/no/ssh` here", id="no ssh"),
        pytest.param({"private_key": "x"}, "ansible_private_key cannot be given to ssh", id="a key in a variable"),
        pytest.param({"ssh_args": "-W a:1"}, "ssh's -W cannot be honoured", id="another use of ssh"),
    ],
)  # fmt: skip
def test_refusals_say_why(tmp_path: Path, changes: dict[str, Any], match: str) -> None:
    async def go() -> None:
        async with embedded(tmp_path) as (fleet, connector):
            options = ssh_options(fleet, fleet.hosts[0], kind="openssh", **changes)
            with pytest.raises(HostUnreachable, match=match):
                await (await connector.open(options)).start(["true"])

    drive(go())


def test_a_changed_key_is_refused_with_the_mend(tmp_path: Path) -> None:
    async def go() -> None:
        async with embedded(tmp_path) as (fleet, connector):
            other = asyncssh.generate_private_key("ssh-ed25519").export_public_key().decode()
            known = tmp_path / "known"
            known.write_text(f"[127.0.0.1]:{fleet.hosts[0].port} {other}")
            words = f"-F none -o UserKnownHostsFile={known}"
            options = ssh_options(fleet, fleet.hosts[0], kind="openssh", ssh_common_args=words)
            connection = await connector.open(options)
            with pytest.raises(HostUnreachable, match=rf"CHANGED to \S+ SHA256:\S+; {known}:1 holds .*ssh-keygen -R"):
                await connection.start(["true"])

    drive(go())


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        pytest.param({"ssh_extra_args": "-o PKCS11Provider=/no.so"}, "ssh_extra_args -o PKCS11Provider=/no.so: PKCS11Provider", id="word"),
        pytest.param({"ssh_extra_args": "-R 0:localhost:1"}, "ssh_extra_args -R: RemoteForward", id="letter"),
        pytest.param({"ssh_executable": "{ssh}"}, "ssh_executable is", id="a program of the user's own"),
        pytest.param({"pkcs11_provider": "/no.so", "password": "1234"}, "a PKCS#11 provider is named", id="smart card"),
    ],
)  # fmt: skip
def test_what_asyncssh_cannot_do_goes_through_ssh(tmp_path: Path, changes: dict[str, Any], reason: str) -> None:
    wrapper = tmp_path / "my ssh"
    wrapper.write_text('#!/bin/sh\nexec ssh "$@"\n')
    wrapper.chmod(0o755)

    async def go() -> None:
        async with embedded(tmp_path) as (fleet, connector):
            heard = told(connector)
            given = {name: value.replace("{ssh}", str(wrapper)) for name, value in changes.items()}
            options = ssh_options(fleet, fleet.hosts[0], **given)
            assert await output(await connector.open(options)) == "demo"
            await connector.release(options)
            assert await output(await connector.open(options)) == "demo"
            assert [(one.severity, reason in one.message) for one in heard] == [(Severity.NOTE, True)]

    drive(go())


def reason_to_go_through_ssh(tmp_path: Path, **changes: Any) -> str:
    """Give what is told of a host that takes no key, and that ssh cannot get into either."""
    heard: list[Diagnostic] = []

    async def go() -> None:
        async with embedded(tmp_path, keys=False) as (fleet, connector):
            connector._tell = heard.append
            with pytest.raises(HostUnreachable):
                await output(await connector.open(ssh_options(fleet, fleet.hosts[0], **changes)))

    drive(go())
    return heard[0].message if heard else ""


@pytest.mark.parametrize("tickets", [True, False])
def test_a_refused_login_is_tried_with_tickets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, tickets: bool
) -> None:
    monkeypatch.setattr("pyplay.connection.ssh.may_have_tickets", lambda: tickets)
    reason = reason_to_go_through_ssh(tmp_path, ssh_extra_args="-o GSSAPIAuthentication=yes")
    assert ("GSSAPIAuthentication is on and python-gssapi is not installed" in reason) is tickets


@pytest.mark.parametrize(
    ("variable", "config", "expected"),
    [("KRB5CCNAME", "", True), ("", "[libdefaults]\n default_ccache_name = KEYRING:x\n", True), ("", "", False)],
)
def test_tickets_are_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, config: str, *, expected: bool
) -> None:
    for name in ("KRB5CCNAME", "KRB5_CLIENT_KTNAME"):
        monkeypatch.delenv(name, raising=False)
    if variable:
        monkeypatch.setenv(variable, "FILE:/x")
    (tmp_path / "krb5.conf").write_text(config)
    monkeypatch.setattr("pyplay.connection.tickets.CONFIG", tmp_path / "krb5.conf")
    monkeypatch.setattr("os.getuid", lambda: 987654)
    assert may_have_tickets() is expected


def test_a_refused_login_is_tried_over_an_open_connection() -> None:
    with tempfile.TemporaryDirectory(prefix="cp-", dir="/tmp") as short, socket.socket(socket.AF_UNIX) as master:
        master.bind(f"{short}/master")
        words = f"-o ControlPath={short}/%n-none -S {short}/master"  # the first one holds
        assert reason_to_go_through_ssh(Path(short), ssh_args=words) == ""
        words = f"-S {short}/master"
        assert f"there is an open connection at {short}/master" in reason_to_go_through_ssh(Path(short), ssh_args=words)


def test_a_named_security_key_goes_through_ssh(tmp_path: Path) -> None:
    parts = [b"sk-ssh-ed25519@openssh.com", bytes(32), b"ssh:"]
    blob = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    (tmp_path / "id_sk.pub").write_text(f"sk-ssh-ed25519@openssh.com {base64.b64encode(blob).decode()}\n")
    reason = reason_to_go_through_ssh(tmp_path, private_key_file=str(tmp_path / "id_sk"))
    assert f"{tmp_path}/id_sk needs a security key" in reason


def test_how_a_host_key_was_certified_is_left_to_ssh(tmp_path: Path) -> None:
    known = tmp_path / "authorities"
    authority = asyncssh.generate_private_key("ssh-ed25519").export_public_key().decode()
    known.write_text(f"@cert-authority * {authority}")
    words = f"-F none -o UserKnownHostsFile={known} -o CASignatureAlgorithms=ssh-ed25519"
    assert "CASignatureAlgorithms ssh-ed25519" in reason_to_go_through_ssh(tmp_path, ssh_common_args=words)


def test_unknown_words_are_warned_about_and_do_not_stop_ssh(tmp_path: Path) -> None:
    async def go() -> None:
        async with embedded(tmp_path) as (fleet, connector):
            heard = told(connector)
            options = ssh_options(fleet, fleet.hosts[0], kind="openssh", ssh_extra_args="-o Frobnicate=1")
            assert await output(await connector.open(options)) == "demo"
            assert [one.severity for one in heard] == [Severity.WARNING]

    drive(go())


def test_programs_may_end_with_255_and_say_what_they_like(tmp_path: Path) -> None:
    async def go() -> None:
        async with embedded(tmp_path) as (fleet, connector):
            connection = await connector.open(ssh_options(fleet, fleet.hosts[0], kind="openssh"))
            process = await connection.start(["sh", "-c", "echo Permission denied >&2; exit 255"])
            process.write_eof()
            assert await process.read(100) == b""
            assert await process.read_error(100) == b"Permission denied\n"
            assert await process.wait() == 255

    drive(go())


def test_a_lost_host_is_told(tmp_path: Path) -> None:
    async def go() -> None:
        async with embedded(tmp_path) as (fleet, connector):
            connection = await connector.open(ssh_options(fleet, fleet.hosts[0], kind="openssh"))
            process = await connection.start(["sh", "-c", "echo up; exec cat"])
            assert await process.read(100) == b"up\n"
            reading, heard = asyncio.create_task(process.read(100)), asyncio.create_task(process.read_error(100))
            await asyncio.sleep(0)
            fleet.hosts[0].connections[-1].abort()
            with pytest.raises(HostUnreachable, match="the connection was lost: "):
                await reading
            await heard

    drive(go())


def entries(directory: str) -> list[Path]:
    """Give what is in a directory."""
    return list(Path(directory).iterdir())


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with tempfile.TemporaryDirectory(prefix="left-", dir="/tmp") as short:
        monkeypatch.setattr(tempfile, "tempdir", short)

        async def go() -> None:
            async with embedded(tmp_path) as (fleet, connector):
                connection = await connector.open(ssh_options(fleet, fleet.hosts[0], kind="openssh"))
                process = await connection.start(["cat"])
                assert len(entries(short)) == 1
                await connector.close()
                assert process.ended

        drive(go())
        assert entries(short) == []


def test_retries_outlast_a_short_outage(tmp_path: Path) -> None:
    async def go() -> None:
        async with embedded(tmp_path) as (fleet, connector):
            host = fleet.hosts[0]
            await host.stop()
            connection = await connector.open(ssh_options(fleet, host, kind="openssh", retries=6))
            starting = asyncio.create_task(output(connection))
            await asyncio.sleep(0.3)
            await host.listen()
            assert await starting == "demo"

    drive(go())


def web1_answers() -> Answers:
    """Give what a login to web1 may be told."""
    options = ConnectionOptions(host="web1", address="203.0.113.1", user="ops")
    return Answers(options, find_target(options, lambda _: SshConfig([])))


@pytest.mark.parametrize(
    ("lines", "expected", "passing"),
    [
        (["kex_exchange_identification: Connection closed by remote host"], "kex_exchange_identification", True),
        (["ssh: connect to host x port 22: Connection timed out"], "no answer from port 22 within 10 s", True),
        (["Unable to negotiate with 1.2.3.4 port 22: no matching cipher found. Their offer: x"], "no matching cipher", False),
        (["debug1: x", "Warning: Permanently added 'x'", "something new"], "something new", False),
        (["@ WARNING: REVOKED HOST KEY DETECTED! @", "Host key verification failed."], "was REVOKED", False),
        ([], "ssh ended with status 255 without a word", True),
    ],
)  # fmt: skip
def test_what_ssh_logs_is_put_into_our_words(lines: list[str], expected: str, *, passing: bool) -> None:
    fault = explain_end(lines, 255, web1_answers())
    assert expected in fault.reason
    assert fault.passing is passing
