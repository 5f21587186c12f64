"""The matrix of `docs/connections.md`: words and hosts that asyncssh can do, that ssh does for it, that nobody can do."""

from __future__ import annotations

import re
import socket
import subprocess
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

DOCS = Path(__file__).parents[2] / "docs" / "connections.md"
PORT = 2222
ID = "- hosts: h1\n  gather_facts: false\n  tasks:\n  - {{command: {command}, register: r, changed_when: false{more}}}\n  - debug: {{msg: 'said {{{{ r.stdout }}}}'}}\n"
ASYNCSSH, SSH = "asyncssh", "ssh"


@dataclass(frozen=True)
class Row:
    """One try: how the host's sshd is set up, the words given, and who reaches it, or what is said instead."""

    host: str
    words: str
    result: str


MATRIX = (
    Row("", "", ASYNCSSH),
    Row("", "connection: openssh", SSH),
    Row("KexAlgorithms=sntrup761x25519-sha512@openssh.com", "", SSH),
    Row("", "-o KexAlgorithms=sntrup761x25519-sha512@openssh.com", SSH),
    Row("", "-o KexAlgorithms=sntrup761x25519-sha512@openssh.com,curve25519-sha256", ASYNCSSH),
    Row("KexAlgorithms=diffie-hellman-group14-sha1", "-o KexAlgorithms=+diffie-hellman-group14-sha1", ASYNCSSH),
    Row("Ciphers=3des-cbc", "-c 3des-cbc", ASYNCSSH),
    Row("Ciphers=3des-cbc", "", "no matching cipher found"),
    Row("MACs=hmac-sha1 Ciphers=aes128-ctr", "-m hmac-sha1", ASYNCSSH),
    Row("HostKeyAlgorithms=ssh-ed25519", "-o HostKeyAlgorithms=-rsa-sha2-256", ASYNCSSH),
    Row("", "-o PKCS11Provider=/nonexistent.so", SSH),
    Row("", "-o SecurityKeyProvider=/nonexistent.so", SSH),
    Row("", "-o VerifyHostKeyDNS=yes", SSH),
    Row("", "-o CheckHostIP=yes", SSH),
    Row("", "-o CanonicalizeHostname=yes", SSH),
    Row("", "-o GSSAPIAuthentication=yes", ASYNCSSH),
    Row("", "-B lab0", SSH),
    Row("", "-o 'KnownHostsCommand=/bin/cat KNOWN' -o UserKnownHostsFile=/dev/null", SSH),
    Row("", "-o RevokedHostKeys=KNOWN", "the host key was REVOKED"),
    Row("", "-o RemoteCommand=false -N -q -vvv -t", ASYNCSSH),
    Row("", "-o RequiredRSASize=2048 -o CASignatureAlgorithms=ssh-ed25519", ASYNCSSH),
    Row("", "-o Frobnicate=yes", "ssh's option `frobnicate` is not known"),
    Row("", "-W 198.18.0.12:22", "ssh's -W cannot be honoured"),
    Row("MaxAuthTries=1 PubkeyAuthentication=no PasswordAuthentication=no KbdInteractiveAuthentication=yes", "", "login as deploy was refused"),
)  # fmt: skip


def inventory(lab, *, words: str = "", port: int = PORT, user: str = "deploy", key: bool = True, more: str = "") -> str:
    """Give an inventory of h1 that is reached by these words."""
    known = (
        f"-o UserKnownHostsFile={lab.state}/known_hosts -o GlobalKnownHostsFile=/dev/null -o StrictHostKeyChecking=yes"
    )
    words = words.replace("KNOWN", f"{lab.state}/known_hosts").replace("'", '"')
    lines = [
        "h1 ansible_host=198.18.0.11",
        "[all:vars]",
        f"ansible_port={port}",
        f"ansible_user={user}",
        f"ansible_ssh_common_args='{words} -F none {known} -o HostKeyAlias=198.18.0.11 -o IdentityAgent=none'",
        f"ansible_ssh_private_key_file={lab.state}/id_ed25519" if key else "",
        more,
    ]
    return str(lab.write("inventory.ini", "\n".join(lines) + "\n"))


@contextmanager
def sshd(lab, options: str) -> Iterator[None]:
    """Run one more sshd on h1, set up by these options."""
    words = " ".join(f"-o {option}" for option in options.split())
    lab.exec("h1", f"/usr/sbin/sshd -p {PORT} -o PidFile=/run/sshd-matrix.pid {words}", check=True)
    try:
        yield
    finally:
        lab.exec("h1", "kill $(cat /run/sshd-matrix.pid); sleep 0.1")


@pytest.mark.lab
@pytest.mark.parametrize("row", MATRIX, ids=lambda row: f"{row.host or 'plain'} | {row.words or 'no words'}")
def test_a_row_of_the_matrix(lab, row: Row) -> None:
    words, kind = ("", "openssh") if row.words.startswith("connection") else (row.words, "ssh")
    with sshd(lab, row.host):
        run = lab.play(ID.format(command="id -un", more=""), "-v", "-c", kind, inventory=inventory(lab, words=words))
    text = run.out + run.err
    if row.result in (ASYNCSSH, SSH):
        assert run.code == 0, text
        assert "said deploy" in text
        assert ("h1 is reached through ssh: " in text) is (row.result == SSH and kind == "ssh")
    else:
        assert row.result in text


@pytest.mark.lab
def test_passwords_for_login_and_sudo_through_ssh(lab) -> None:
    where = inventory(
        lab, port=22, user="ops", key=False, more="ansible_password=ops-pass\nansible_become_password=ops-pass"
    )
    play = ID.format(command="id -un", more=", become: true")
    run = lab.play(play, "-c", "openssh", inventory=where)
    assert run.code == 0, run.out + run.err
    assert "said root" in run.out


@pytest.mark.lab
def test_a_forwarded_port_is_there_for_tasks(lab) -> None:
    def greet() -> None:
        with server.accept()[0] as guest:
            guest.sendall(b"from the controller\n")

    with socket.create_server(("127.0.0.1", 0)) as server:
        greeter = threading.Thread(target=greet)
        greeter.start()
        words = f"-R 18080:127.0.0.1:{server.getsockname()[1]}"
        play = ID.format(command="bash -c 'head -1 </dev/tcp/127.0.0.1/18080'", more="")
        run = lab.play(play, inventory=inventory(lab, port=22, words=words))
        greeter.join(1)
    assert "said from the controller" in run.out, run.out + run.err


@pytest.mark.lab
def test_an_open_master_lets_in_who_has_no_key(lab) -> None:
    path = lab.directory / "master"
    known = ("-o", f"UserKnownHostsFile={lab.state}/known_hosts")
    login = ("ssh", "-F", "none", *known, "-S", str(path))
    subprocess.run(
        [*login, "-i", f"{lab.state}/id_ed25519", "-MNf", "deploy@198.18.0.11"], check=True, capture_output=True
    )
    try:
        run = lab.play(
            ID.format(command="id -un", more=""), "-v", inventory=inventory(lab, port=22, key=False, words=f"-S {path}")
        )
    finally:
        subprocess.run([*login, "-O", "exit", "198.18.0.11"], check=False, capture_output=True)
    assert run.code == 0, run.out + run.err
    assert f"there is an open connection at {path}" in run.err


@pytest.mark.lab
def test_hosts_behind_a_bastion_share_its_connection(lab) -> None:
    key = f"IdentityFile {lab.state}/id_ed25519\n UserKnownHostsFile {lab.state}/known_hosts\n User deploy"
    lab.write("config", f"Host 198.18.0.12\n {key}\n ProxyJump bastion\nHost bastion\n HostName 198.18.0.11\n {key}\n")
    hosts = "\n".join(
        f"b{number} ansible_host=198.18.0.12 ansible_ssh_args='-F config -o ServerAliveInterval={number}'"
        for number in range(1, 9)
    )
    count = "journalctl -u ssh --no-pager | grep -c 'Accepted publickey.*198.18.0.1 ' || true"
    before = int(lab.exec("h1", count))
    run = lab.play(
        "- hosts: all\n  gather_facts: false\n  tasks: [ping: ]\n", inventory=str(lab.write("many.ini", hosts + "\n"))
    )
    assert run.code == 0, run.out + run.err
    assert 1 <= int(lab.exec("h1", count)) - before <= 2  # one per worker


def test_the_documentation_shows_the_matrix() -> None:
    wanted = [
        f"| {f'`{row.host}`' if row.host else 'as it comes'} | {f'`{row.words}`' if row.words else 'none'} | "
        f"{row.result if row.result in (ASYNCSSH, SSH) else f'says: {row.result}'} |"
        for row in MATRIX
    ]
    part = DOCS.read_text("utf-8").partition("## Tried")[2].partition("\n## ")[0]
    assert re.findall(r"^\| (?!host|---).*$", part, re.MULTILINE) == wanted, "\n".join(
        ["the table should be:", *wanted]
    )
