"""Logging in over SSH, against real servers on the loopback interface."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import ipaddress
import os
import shlex
import shutil
import struct
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import asyncssh
import pytest
from hosts import drive, embedded, ssh_options

from pyplay.connection import ssh_crowd
from pyplay.connection.base import ConnectionOptions
from pyplay.connection.open import Connector
from pyplay.connection.ssh_config import SshConfigs
from pyplay.connection.ssh_faults import explain_login
from pyplay.connection.ssh_keys import Offered
from pyplay.connection.ssh_library import load_ssh
from pyplay.connection.ssh_table import NeedsSsh
from pyplay.connection.ssh_target import plan_login
from pyplay.diagnostics.errors import HostUnreachable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from embedded_hosts import Fleet

    from pyplay.connection.host_key_texts import HostKeyQuestion


async def says(connector: Connector, options: Any, line: str = "echo $USER") -> str:
    """Run a shell line on the host and give its output."""
    process = await (await connector.open(options)).start(["sh", "-c", line])
    process.write_eof()
    out = b""
    while data := await process.read(1000):
        out += data
    return out.decode().strip()


def refused(tmp_path: Path, match: str, changes: dict[str, Any], **rules: Any) -> HostUnreachable:
    """Check that a login with these changes is refused with words like `match`."""

    async def go() -> HostUnreachable:
        async with embedded(tmp_path, **rules) as (fleet, connector):
            given = {name: value(fleet) if callable(value) else value for name, value in changes.items()}
            with pytest.raises(HostUnreachable, match=match) as caught:
                await connector.open(ssh_options(fleet, fleet.hosts[0], **given))
            return caught.value

    return drive(go())  # type: ignore[return-value]


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({}, id="key file"),
        pytest.param({"private_key_file": None, "password": "demo-pass"}, id="password"),
        pytest.param({"private_key_file": "/nonexistent", "password": "demo-pass"}, id="password after a missing key"),
    ],
)
def test_logins(tmp_path: Path, changes: dict[str, Any]) -> None:
    async def go() -> None:
        async with embedded(tmp_path) as (fleet, connector):
            assert await says(connector, ssh_options(fleet, fleet.hosts[0], **changes)) == "demo"

    drive(go())


def test_equal_options_share_one_connection_and_others_do_not(tmp_path: Path) -> None:
    async def go() -> None:
        async with embedded(tmp_path) as (fleet, connector):
            host = fleet.hosts[0]
            options = ssh_options(fleet, host)
            first, second = await asyncio.gather(connector.open(options), connector.open(ssh_options(fleet, host)))
            assert first is second
            await connector.open(ssh_options(fleet, host, timeout=11))
            assert host.logins == 2
            await connector.release(options)
            assert not first.alive
            assert await says(connector, options) == "demo"
            assert host.logins == 3

    drive(go())


@pytest.mark.parametrize(
    ("match", "changes", "rules"),
    [
        pytest.param(r"login as demo was refused \(tried: the password\)", {"private_key_file": None, "password": "no"}, {}, id="wrong password"),
        pytest.param(r"login as nobody was refused", {"user": "nobody"}, {"keys": False}, id="keys not taken"),
        pytest.param(r"/nonexistent/key \(no such file\)", {"private_key_file": "/nonexistent/key"}, {}, id="missing key"),
        pytest.param(r"ssh-keyscan -p \d+ 127.0.0.1 >> ~/.ssh/known_hosts", {"ssh_common_args": "-F none -o UserKnownHostsFile=/dev/null"}, {}, id="unknown key"),
        pytest.param(r"ssh_args: ssh has no option -Z", {"ssh_args": "-Z 1"}, {}, id="unknown option"),
        pytest.param("cannot be resolved", {"address": "no.such.host.invalid"}, {}, id="unknown name"),
        pytest.param("port 1: Conn", {"port": 1}, {}, id="closed port"),
    ],
)  # fmt: skip
def test_refusals_say_why(tmp_path: Path, match: str, changes: dict[str, Any], rules: dict[str, Any]) -> None:
    refused(tmp_path, match, changes, **rules)


def test_a_server_without_a_common_algorithm_is_left_to_ssh(tmp_path: Path) -> None:
    def text(value: bytes) -> bytes:
        return struct.pack(">I", len(value)) + value

    names = [
        b"kex-of-the-future",
        b"ssh-ed25519",
        *[b"aes128-ctr"] * 2,
        *[b"hmac-sha2-256"] * 2,
        *[b"none"] * 2,
        b"",
        b"",
    ]
    payload = bytes([20]) + bytes(16) + b"".join(map(text, names)) + bytes(5)
    padding = 8 - (len(payload) + 5) % 8 + 8
    packet = struct.pack(">IB", len(payload) + padding + 1, padding) + payload + bytes(padding)

    async def offer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"SSH-2.0-test\r\n" + packet)
        await reader.read(4096)
        writer.close()  # at once, as sshd does when it finds nothing in common

    async def go() -> None:
        server = await asyncio.start_server(offer, "127.0.0.1", 0)
        options = ConnectionOptions(
            host="h", address="127.0.0.1", port=server.sockets[0].getsockname()[1], ssh_args="-F none"
        )
        transport = load_ssh().SshTransport()
        with pytest.raises(NeedsSsh, match=r"none of the algorithms for key exchange .* offers: kex-of-the-future"):
            await transport.connect(options)
        await transport.close()
        server.close()

    drive(go())


def test_a_silent_server_is_given_up_after_the_timeout(tmp_path: Path) -> None:
    writers: list[asyncio.StreamWriter] = []

    async def go() -> None:
        server = await asyncio.start_server(lambda _, writer: writers.append(writer), "127.0.0.1", 0)
        async with embedded(tmp_path) as (fleet, connector):
            port = server.sockets[0].getsockname()[1]
            with pytest.raises(HostUnreachable, match=r"within 0.5 s"):
                await asyncio.wait_for(connector.open(ssh_options(fleet, fleet.hosts[0], port=port, timeout=0.5)), 5)
        for writer in writers:
            writer.close()
        server.close()

    drive(go())


async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, port: int) -> None:
    """Pass bytes on to a local port and back, until one side has no more."""

    async def pump(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        while data := await source.read(1 << 16):
            target.write(data)
        target.close()

    answers, questions = await asyncio.open_connection("127.0.0.1", port)
    await asyncio.gather(pump(reader, questions), pump(answers, writer), return_exceptions=True)


@pytest.mark.parametrize("times", [2, 1000])
def test_a_server_that_hangs_up_before_it_greets_is_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    monkeypatch.setattr(ssh_crowd, "PAUSES", (0.01, 0.02, 0.02))
    knocks = 0

    async def go() -> None:
        nonlocal knocks
        async with embedded(tmp_path) as (fleet, connector):
            host = fleet.hosts[0]

            async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                nonlocal knocks
                knocks += 1
                if knocks > times:
                    await relay(reader, writer, host.port)
                writer.close()

            server = await asyncio.start_server(serve, "127.0.0.1", 0)
            port = server.sockets[0].getsockname()[1]
            options = ssh_options(fleet, host, port=port, host_key_checking=False)
            try:
                assert await says(connector, options) == "demo"
            finally:
                server.close()

    if times == 2:
        drive(go())
        assert knocks == 4  # two times in vain, for the key, for the login
        return
    with pytest.raises(HostUnreachable, match=r"the server hung up before it greeted, several times .MaxStartups"):
        drive(go())
    assert knocks == 4


def link_local() -> str:
    """Give a link-local address of this machine, with its scope."""
    lines = [line.split() for line in Path("/proc/net/if_inet6").read_text("ascii").splitlines()]
    found = [(words[0], words[5]) for words in lines if words[3] == "20"]
    return f"{ipaddress.IPv6Address(bytes.fromhex(found[0][0]))}%{found[0][1]}" if found else ""


@pytest.mark.parametrize("address", ["::1", *filter(None, [link_local()])])
def test_addresses_of_ipv6(tmp_path: Path, address: str) -> None:
    async def go() -> None:
        async with embedded(tmp_path) as (fleet, connector):
            host = fleet.hosts[0]
            server = await asyncio.start_server(lambda r, w: relay(r, w, host.port), "::", 0)
            port = server.sockets[0].getsockname()[1]
            options = ssh_options(fleet, host, address=address, port=port, host_key_checking=False)
            assert await says(connector, options) == "demo"
            server.close()

    drive(go())


def test_a_link_local_address_needs_its_scope(tmp_path: Path) -> None:
    refused(tmp_path, "fe80::1 is a link-local address and needs its scope: %INTERFACE", {"address": "fe80::1"})


def test_too_many_keys_are_told_with_the_mend() -> None:
    error = asyncssh.DisconnectError(2, "Too many authentication failures")
    plan = plan_login(ConnectionOptions(host="h", address="h", port=22, ssh_args="-F none"), SshConfigs().get)
    said = explain_login(error, plan.target, Offered(tried=["9 keys of the agent"]), ConnectionOptions())
    assert said.startswith(
        "port 22: Too many authentication failures (offered: 9 keys of the agent); name the right key"
    )


# -- host keys ------------------------------------------------------------------------------------------------------


def test_a_changed_key_is_refused_with_the_mend(tmp_path: Path) -> None:
    def forge(fleet: Fleet) -> str:
        other = asyncssh.generate_private_key("ssh-ed25519").export_public_key().decode()
        fleet.known_hosts.write_text(f"[127.0.0.1]:{fleet.hosts[0].port} {other}")
        return f"-F none -o UserKnownHostsFile={fleet.known_hosts}"

    error = refused(tmp_path, "has CHANGED", {"ssh_common_args": forge})
    assert "known_hosts:1 holds another" in error.reason
    assert "ssh-keygen -R '[127.0.0.1]:" in error.reason


def test_a_changed_kind_of_key_is_noticed_too(tmp_path: Path) -> None:
    def forge(fleet: Fleet) -> str:
        other = asyncssh.generate_private_key("ecdsa-sha2-nistp256").export_public_key().decode()
        fleet.known_hosts.write_text(f"[127.0.0.1]:{fleet.hosts[0].port} {other}")
        return f"-F none -o UserKnownHostsFile={fleet.known_hosts}"

    refused(tmp_path, "has CHANGED", {"ssh_common_args": forge})


@pytest.mark.parametrize(
    ("words", "hashed"),
    [
        ("-o StrictHostKeyChecking=accept-new", False),
        ("-o StrictHostKeyChecking=no", False),
        ("-o StrictHostKeyChecking=accept-new -o HashKnownHosts=yes", True),
    ],
)
def test_new_keys_are_remembered(tmp_path: Path, words: str, *, hashed: bool) -> None:
    file = tmp_path / "new" / "known"
    line = f"-F none -o UserKnownHostsFile={file} -o IdentityAgent=none {words}"

    async def go() -> None:
        async with embedded(tmp_path) as (fleet, connector):
            options = ssh_options(fleet, fleet.hosts[0], ssh_common_args=line)
            assert await says(connector, options) == "demo"
            assert file.read_text().startswith("|1|" if hashed else "[127.0.0.1]:")
            strict = line.replace("accept-new", "yes").replace("=no", "=yes")
            for again in (connector, Connector()):
                assert await says(again, ssh_options(fleet, fleet.hosts[0], ssh_common_args=strict)) == "demo"
                await again.close()
            assert len(file.read_text().splitlines()) == 1

    drive(go())


@pytest.mark.parametrize("answer", [True, False])
def test_a_user_may_be_asked_about_a_key(tmp_path: Path, *, answer: bool) -> None:
    asked: list[HostKeyQuestion] = []

    async def ask(question: HostKeyQuestion) -> bool:
        asked.append(question)
        return answer

    async def go() -> None:
        async with embedded(tmp_path) as (fleet, _):
            connector = Connector(ask_host_key=ask)
            line = f"-F none -o UserKnownHostsFile={tmp_path / 'known'} -o IdentityAgent=none"
            options = ssh_options(fleet, fleet.hosts[0], ssh_common_args=line)
            with contextlib.nullcontext() if answer else pytest.raises(HostUnreachable, match="not known"):
                await connector.open(options)
            await connector.close()
            assert [(q.host, q.address, q.fingerprint[:7]) for q in asked] == [("e1", "127.0.0.1", "SHA256:")]
            assert (tmp_path / "known").exists() is answer

    drive(go())


def test_host_key_checking_off_takes_any_key(tmp_path: Path) -> None:
    async def go() -> None:
        async with embedded(tmp_path) as (fleet, connector):
            line = "-F none -o UserKnownHostsFile=/dev/null -o IdentityAgent=none"
            options = ssh_options(fleet, fleet.hosts[0], ssh_common_args=line, host_key_checking=False)
            assert await says(connector, options) == "demo"

    drive(go())


def test_a_certified_host_key_is_trusted_through_its_authority(tmp_path: Path) -> None:
    authority = asyncssh.generate_private_key("ssh-ed25519")

    async def go() -> None:
        async with embedded(tmp_path) as (fleet, connector):
            host = fleet.hosts[0]
            certificate = authority.generate_host_certificate(host.key, "host", principals=["127.0.0.1"])
            server = await asyncssh.listen(
                "127.0.0.1", 0, server_host_keys=[(host.key, certificate)], password_auth=True,
                server_factory=host.server_factory,
            )  # fmt: skip
            line = authority.export_public_key().decode().strip()
            fleet.known_hosts.write_text(f"@cert-authority *,127.0.0.1 {line}\n")
            options = ssh_options(fleet, host, port=server.get_port(), private_key_file=None, password="demo-pass")
            assert (await connector.open(options)).alive
            server.close()

    drive(go())


# -- jumps, sessions, loss ------------------------------------------------------------------------------------------


def jump_words(fleet: Fleet, tmp_path: Path, how: str) -> str:
    """Give the words by which the last host is reached through the first."""
    config = tmp_path / "config"
    hop = fleet.hosts[0]
    common = (
        f"UserKnownHostsFile {fleet.known_hosts}\n  IdentityFile {fleet.key_file}\n  IdentityAgent none\n  User demo\n"
    )
    config.write_text(
        f"Host hop\n  HostName 127.0.0.1\n  Port {hop.port}\n  {common}"
        f"Host hop2\n  HostName 127.0.0.1\n  Port {fleet.hosts[1].port}\n  ProxyJump hop\n  {common}"
        f"Host *\n  {common}"
    )
    proxy = f"ssh -F {config} -o BatchMode=yes -W %h:%p hop"
    words = {
        "-J": "-J hop",
        "-o": "-o ProxyJump=hop",
        "chain": "-J hop,hop2",
        "nested": "-J hop2",
        "command": f"-o {shlex.quote('ProxyCommand=' + proxy)}",
    }
    return f"-F {config} {words[how]}"


@pytest.mark.parametrize("how", ["-J", "-o", "chain", "nested", "command"])
def test_hosts_behind_a_jump_host(tmp_path: Path, how: str) -> None:
    async def go() -> None:
        async with embedded(tmp_path, 4) as (fleet, connector):
            words = jump_words(fleet, tmp_path, how)
            options = [
                ssh_options(fleet, host, ssh_common_args=words, private_key_file=None) for host in fleet.hosts[2:]
            ]
            homes = await asyncio.gather(*(says(connector, each, "pwd") for each in options))
            assert homes == [str(host.home) for host in fleet.hosts[2:]]
            assert fleet.hosts[0].logins == (2 if how == "command" else 1)  # one jump connection for all behind it

    drive(go())


def test_a_jump_host_is_shared_whatever_else_differs(tmp_path: Path) -> None:
    async def go() -> None:
        async with embedded(tmp_path, 6) as (fleet, connector):
            one, several = (jump_words(fleet, tmp_path, how) for how in ("-J", "chain"))
            hosts = fleet.hosts[2:]
            options = [
                ssh_options(
                    fleet,
                    host,
                    ssh_common_args=several if number % 2 else one,
                    ssh_args=f"-o ServerAliveInterval={number + 1}",
                )
                for number, host in enumerate(hosts)
            ]
            await asyncio.gather(*(says(connector, each) for each in options))
            assert [host.logins for host in fleet.hosts] == [1] * 6  # both jump hosts, too

    drive(go())


def test_a_jump_connection_carries_so_many_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyplay.connection.ssh_jumps.CARRIED", 2)

    async def go() -> None:
        async with embedded(tmp_path, 7) as (fleet, connector):
            words = jump_words(fleet, tmp_path, "-J")
            options = [ssh_options(fleet, host, ssh_common_args=words) for host in fleet.hosts[2:]]
            await asyncio.gather(*(says(connector, each) for each in options))
            assert fleet.hosts[0].logins == 3  # five hosts, two on each
            await connector.release(options[0])
            assert await says(connector, options[0]) == "demo"
            assert fleet.hosts[0].logins == 3  # its place was given back

    drive(go())


def test_a_jump_host_that_is_down_is_named(tmp_path: Path) -> None:
    error = refused(tmp_path, "jump host 127.0.0.1", {"ssh_common_args": "-F none -J 127.0.0.1:1"})
    assert error.host == "e1"


def test_a_server_with_few_sessions_gets_more_connections(tmp_path: Path) -> None:
    async def go() -> None:
        async with embedded(tmp_path, sessions=1) as (fleet, connector):
            connection = await connector.open(ssh_options(fleet, fleet.hosts[0]))
            first = [await connection.start(["cat"]) for _ in range(3)]
            for process in first:
                process.write(b"x")
                assert await process.read(1) == b"x"
            assert fleet.hosts[0].logins == 3

    drive(go())


def only_ssh(_: object) -> None:
    """Say that asyncssh will not do."""
    raise NeedsSsh("only ssh can do this")


def test_a_further_login_that_only_ssh_could_do_is_a_lost_host(tmp_path: Path) -> None:
    async def go() -> None:
        async with embedded(tmp_path, sessions=1) as (fleet, connector):
            connection = await connector.open(ssh_options(fleet, fleet.hosts[0]))
            process = await connection.start(["cat"])
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(connector._ssh, "_target", only_ssh)
                with pytest.raises(HostUnreachable, match="only ssh"):
                    await connection.start(["true"])
            process.close()

    drive(go())


def test_a_server_without_sessions_is_told(tmp_path: Path) -> None:
    async def go() -> None:
        async with embedded(tmp_path, sessions=0) as (fleet, connector):
            connection = await connector.open(ssh_options(fleet, fleet.hosts[0]))
            with pytest.raises(HostUnreachable, match="MaxSessions"):
                await connection.start(["true"])

    drive(go())


def test_a_lost_connection_is_noticed_and_made_again(tmp_path: Path) -> None:
    async def go() -> None:
        async with embedded(tmp_path) as (fleet, connector):
            host, options = fleet.hosts[0], ssh_options(fleet, fleet.hosts[0])
            connection = await connector.open(options)
            process = await connection.start(["cat"])
            await host.stop()
            with pytest.raises(HostUnreachable, match="lost"):
                await process.read(1)
            assert not connection.alive
            with pytest.raises(HostUnreachable):
                await connector.open(options)
            await host.listen()
            assert await says(connector, options) == "demo"

    drive(go())


def test_retries_outlast_a_short_outage(tmp_path: Path) -> None:
    async def go() -> None:
        async with embedded(tmp_path) as (fleet, connector):
            host = fleet.hosts[0]
            await host.stop()
            opening = asyncio.create_task(connector.open(ssh_options(fleet, host, retries=3)))
            await asyncio.sleep(0.2)
            await host.listen()
            assert (await opening).alive

    drive(go())


# -- keys -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[str]:
    """Give the socket of a fresh ssh-agent."""
    path = str(tmp_path / "agent")
    process = subprocess.Popen(["ssh-agent", "-D", "-a", path], stdout=subprocess.DEVNULL)
    for _ in range(100):
        if Path(path).exists():
            break
        subprocess.run(["sleep", "0.02"], check=True)
    yield path
    process.terminate()
    process.wait()


def seal(key: Path) -> None:
    subprocess.run(["ssh-keygen", "-q", "-p", "-N", "secret", "-f", str(key)], check=True)


def add_key(agent: str, path: Path) -> None:
    subprocess.run(["ssh-add", str(path)], env={**os.environ, "SSH_AUTH_SOCK": agent}, check=True, capture_output=True)


def test_keys_of_an_agent(tmp_path: Path, agent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSH_AUTH_SOCK", agent)

    async def go() -> None:
        async with embedded(tmp_path) as (fleet, connector):
            add_key(agent, fleet.key_file)
            line = f"-F none -o UserKnownHostsFile={fleet.known_hosts}"
            options = ssh_options(fleet, fleet.hosts[0], private_key_file=None, ssh_common_args=line)
            assert await says(connector, options) == "demo"

    drive(go())


def test_a_passphrase_opens_a_key_in_a_variable(tmp_path: Path) -> None:
    async def go() -> None:
        async with embedded(tmp_path, passwords={}) as (fleet, connector):
            key = asyncssh.read_private_key(fleet.key_file)
            given = {"private_key_file": None, "private_key": key.export_private_key("pkcs8-pem", "secret").decode()}
            host = fleet.hosts[0]
            assert await says(connector, ssh_options(fleet, host, **given, passphrase="secret")) == "demo"
            with pytest.raises(HostUnreachable, match="tried: ansible_private_key "):
                await connector.open(ssh_options(fleet, host, **given, passphrase="wrong"))

    drive(go())


@pytest.mark.skipif(not shutil.which("ssh"), reason="needs ssh")
def test_a_passphrase_opens_a_key_file(tmp_path: Path) -> None:
    async def go() -> None:
        async with embedded(tmp_path, passwords={}) as (fleet, connector):
            sealed = tmp_path / "sealed"
            sealed.write_bytes(fleet.key_file.read_bytes())
            sealed.chmod(0o600)
            seal(sealed)
            options = ssh_options(fleet, fleet.hosts[0], private_key_file=str(sealed), passphrase="secret")
            assert await says(connector, options) == "demo"

    drive(go())


@pytest.mark.parametrize("bcrypt", [False, True], ids=["PKCS#8", "OpenSSH"])
def test_a_passphrase_is_asked_for_once(tmp_path: Path, *, bcrypt: bool) -> None:
    asked: list[tuple[str, int]] = []

    async def go() -> None:
        async with embedded(tmp_path, count=2, passwords={}) as (fleet, _):
            sealed = tmp_path / "sealed"
            key = asyncssh.read_private_key(fleet.key_file)
            sealed.write_bytes(fleet.key_file.read_bytes() if bcrypt else key.export_private_key("pkcs8-pem", "secret"))
            sealed.chmod(0o600)
            if bcrypt:
                seal(sealed)

            async def ask(path: str, times: int) -> str:
                asked.append((path, times))
                return "secret" if times else "wrong"

            connector = Connector(ask_passphrase=ask)
            try:
                for host in fleet.hosts:
                    options = ssh_options(fleet, host, private_key_file=str(sealed))
                    assert await says(connector, options) == "demo"
            finally:
                await connector.close()
            logins = len(fleet.hosts) if bcrypt and not importlib.util.find_spec("bcrypt") else 1  # ssh keeps nothing
            assert asked == [(str(sealed), 0), (str(sealed), 1)] * logins

    drive(go())


def test_who_tells_no_passphrase_is_not_asked_again(tmp_path: Path) -> None:
    asked: list[int] = []

    async def ask(_: str, times: int) -> str:
        asked.append(times)
        return "" if times else "wrong"

    async def go() -> None:
        async with embedded(tmp_path, passwords={}) as (fleet, _):
            sealed = tmp_path / "sealed"
            sealed.write_bytes(asyncssh.read_private_key(fleet.key_file).export_private_key("pkcs8-pem", "secret"))
            connector = Connector(ask_passphrase=ask)
            for timeout in (10, 11):
                options = ssh_options(fleet, fleet.hosts[0], private_key_file=str(sealed), timeout=timeout)
                with pytest.raises(HostUnreachable, match="it has a passphrase: add it to the agent"):
                    await connector.open(options)
            await connector.close()
        assert asked == [0, 1]

    drive(go())


def test_a_default_key_with_a_passphrase_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    path = tmp_path / ".ssh" / "id_ed25519"
    path.parent.mkdir()
    path.write_bytes(asyncssh.generate_private_key("ssh-ed25519").export_private_key("pkcs8-pem", "secret"))
    refused(tmp_path, r"tried: ~/\.ssh/id_ed25519 .it has a passphrase: add it", {"private_key_file": None})


def test_an_encrypted_key_is_used_through_the_agent(
    tmp_path: Path, agent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSH_AUTH_SOCK", agent)

    async def go() -> None:
        async with embedded(tmp_path) as (fleet, connector):
            sealed = tmp_path / "sealed"
            sealed.write_bytes(fleet.key_file.read_bytes())
            sealed.chmod(0o600)
            seal(sealed)
            asyncssh.read_private_key(fleet.key_file).write_public_key(str(sealed) + ".pub")
            line = f"-F none -o UserKnownHostsFile={fleet.known_hosts} -o IdentitiesOnly=yes"
            options = ssh_options(fleet, fleet.hosts[0], private_key_file=str(sealed), ssh_common_args=line)
            with pytest.raises(HostUnreachable, match="it has a passphrase: add it to the agent"):
                await connector.open(options)
            add_key(agent, fleet.key_file)
            assert await says(connector, options) == "demo"

    drive(go())
