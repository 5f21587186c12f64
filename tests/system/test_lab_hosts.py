"""The second matrix of `docs/connections.md`: hosts that make trouble, and every way of becoming somebody else there."""

from __future__ import annotations

import os
import re
import secrets
import shlex
import shutil
import signal
import subprocess
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

DOCS = Path(__file__).parents[2] / "docs" / "connections.md"
HOST, ADDRESS, PORT = "h3", "198.18.0.13", 2223
WORKS = "works"

PLAY = """
- hosts: all
  gather_facts: false
  tasks:
    - ping:
    - command: id -un
      register: me
    - copy: {content: "text", dest: /mnt/small/copied}
    - raw: echo raw words
      register: raw
    - command: id -un
      become: true
      KEYWORDS
      register: other
    - debug: {msg: "said {{ me.stdout }} {{ other.stdout }}, {{ raw.stdout_lines[-1] }}"}
"""


@dataclass(frozen=True)
class Row:
    """One try: what is odd about the host, and what comes of it: `WORKS`, or words of the one line that is said."""

    what: str
    result: str = WORKS
    sshd: tuple[str, ...] = ()  # options of an sshd of its own
    sudoers: str = ""
    before: str = ""  # run on the host as root
    after: str = ""
    shell: str = ""  # the login shell of a user made for it
    packages: tuple[str, ...] = ()  # of Debian, which the lab does not have
    user: str = "deploy"
    key: str | None = "id_ed25519"
    words: str = ""
    become: Mapping[str, str] = field(default_factory=dict[str, str])  # keywords
    variables: Mapping[str, str] = field(default_factory=dict[str, str])


def shell(path: str, result: str = WORKS, *packages: str) -> Row:
    return Row(f"login shell `{path}`", result, shell=path, packages=packages)


def forced(command: str, result: str) -> Row:
    return Row(f"`ForceCommand {command}`", result, sshd=(f"ForceCommand {command}",))


def sudo(
    what: str, result: str = WORKS, *, sudoers: str = "", password: str = "ops-pass", **become: str
) -> Row:  # the lab's
    given = {"ansible_become_password": password} if password else {}
    return Row(what, result, sudoers=sudoers, user="ops", become=become, variables=given)


def defaults(words: str, result: str = WORKS, **more: str) -> Row:
    return sudo(f"sudo: `Defaults {words}`", result, sudoers=f"Defaults {words}", **more)


def flags(words: str) -> Row:
    return sudo(f"`become_flags: {words}` and a password", become_flags=f'"{words}"')


def su(what: str, result: str = WORKS, *, password: str = "root-pass", **become: str) -> Row:  # the lab's
    given = {"ansible_become_password": password} if password else {}
    return Row(f"su: {what}", result, become={"become_method": "su", **become}, variables=given)


def doas(what: str, conf: str, result: str = WORKS, *, password: str = "", **become: str) -> Row:
    given = {"ansible_become_password": password} if password else {}
    before = f"echo {shlex.quote(conf)} > /etc/doas.conf; chown root /usr/bin/doas; chmod 4755 /usr/bin/doas"
    return Row(
        f"doas: {what}", result, packages=("opendoas",), become={"become_method": "doas", **become}, variables=given,
        before=f"{before}; echo deploy:deploy-pass | chpasswd", after="rm /etc/doas.conf",
    )  # fmt: skip


OLD = (
    "HostKeyAlgorithms ssh-rsa",
    "PubkeyAcceptedAlgorithms ssh-rsa,ssh-ed25519",
    "KexAlgorithms diffie-hellman-group14-sha1",
    "MACs hmac-sha1",
    "Ciphers aes128-cbc",
    "HostKey /run/old_rsa",
)
OLD_KEY = "rm -f /run/old_rsa*; ssh-keygen -q -t rsa -b 2048 -N '' -f /run/old_rsa"
OLD_WORDS = (
    "-o HostKeyAlgorithms=+ssh-rsa -o KexAlgorithms=+diffie-hellman-group14-sha1 -o Ciphers=+aes128-cbc "
    "-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null"
)
NEW = (
    "HostKeyAlgorithms ssh-ed25519",
    "PubkeyAcceptedAlgorithms ssh-ed25519",
    "KexAlgorithms curve25519-sha256",
    "MACs hmac-sha2-512-etm@openssh.com",
    "Ciphers chacha20-poly1305@openssh.com",
)
NOISE = "cp ~deploy/.bashrc /run/bashrc; printf 'echo noise\\necho more >&2\\nprintf unended\\n' > ~deploy/.bashrc"
READ_ONLY = "mount --bind /home/deploy /home/deploy; mount -o remount,ro,bind /home/deploy"

MATRIX = (
    Row("`MaxSessions 1`", sshd=("MaxSessions 1",)),
    Row("`Banner`, and a `.bashrc` that prints", sshd=("Banner /etc/passwd",), before=NOISE, after="mv /run/bashrc ~deploy/.bashrc"),
    forced("/bin/echo not here", "does not run what it is told: its shell (nologin?) or a forced command"),
    forced("internal-sftp", "ended with status 1: This service allows sftp connections only."),
    forced("/bin/echo $SSH_ORIGINAL_COMMAND", "does not run what it is told"),
    shell("/bin/tcsh", WORKS, "tcsh"),
    shell("/bin/bsd-csh", WORKS, "csh"),
    shell("/usr/bin/fish", WORKS, "fish", "libpcre2-32-0"),
    shell("/bin/dash"),
    shell("/usr/sbin/nologin", "ended with status 1: This account is currently not available."),
    shell("/bin/false", "does not run what it is told"),
    shell("/usr/bin/git-shell", "fatal: unrecognized command '…'"),
    Row("only `ssh-rsa`, `diffie-hellman-group14-sha1`, `hmac-sha1`, `aes128-cbc`; these named in the words", sshd=OLD, before=OLD_KEY, words=OLD_WORDS),
    Row("only `ssh-ed25519`, `curve25519-sha256`, `chacha20-poly1305@openssh.com`, an `-etm` MAC", sshd=NEW),
    Row("a key with a passphrase, none given", "it has a passphrase: add it to the agent", key="sealed"),
    Row("a key with a passphrase, given", key="sealed", variables={"ansible_private_key_passphrase": "sesame"}),
    Row("home read-only", before=READ_ONLY, after="umount /home/deploy"),
    Row("`/tmp` noexec", before="mount -t tmpfs -o noexec,mode=1777 t /tmp", after="umount /tmp"),
    Row("`/tmp` full", before="mount -t tmpfs -o size=4k,mode=1777 t /tmp; head -c 4096 /dev/zero > /tmp/full", after="umount /tmp"),
    Row("`/tmp`, `/var/tmp`, `/dev/shm` and home read-only", before=f"for d in /tmp /var/tmp /dev/shm; do mount -t tmpfs -o ro t $d; done; {READ_ONLY}", after="umount /tmp /var/tmp /dev/shm /home/deploy"),
    defaults("requiretty"),
    Row("sudo: `Defaults requiretty` without a password", sudoers="Defaults requiretty"),
    defaults("use_pty"),
    defaults("use_pty,requiretty"),
    defaults("lecture=always"),
    defaults('passprompt_override,passprompt="[sudo] Passwort für %p: "'),
    defaults("timestamp_timeout=0"),
    defaults("targetpw", password="root-pass"),
    defaults("rootpw", "Incorrect sudo password"),
    defaults("rootpw", password="root-pass"),
    defaults("insults", "Incorrect sudo password", password="wrong"),
    sudo("sudo: no password given", "Missing sudo password: give it with -K or ansible_become_password", password=""),
    sudo("sudo: `NOPASSWD` for `/usr/bin/id` alone, no password given", "Missing sudo password", sudoers="ops ALL=(ALL) NOPASSWD: /usr/bin/id", password=""),
    Row("sudo: one command allowed", "sudo does not allow it: Sorry, user plain is not allowed to execute '…'", sudoers="plain ALL=(ALL) /usr/bin/id", user="plain", before="echo plain:plain-pass | chpasswd", variables={"ansible_become_password": "plain-pass"}),
    Row("sudo: not in sudoers", "sudo does not allow it: plain is not in the sudoers file", user="plain", before="echo plain:plain-pass | chpasswd", variables={"ansible_become_password": "plain-pass"}),
    sudo("sudo: unknown user", "the user does not exist there: sudo: unknown user nobody2", become_user="nobody2"),
    *(flags(words) for words in ("-i", "-H -S -n", "-n", "-E", "-s", "-k")),
    sudo("`become_exe: env LANG=C sudo`", become_exe="env LANG=C sudo"),
    sudo("sudo is not there", "there is no /opt/sudo on the host", become_exe="/opt/sudo"),
    su("to root"),
    su("to another user", password="suser-pass", become_user="suser"),
    su("`become_flags: -`", become_flags='"-"'),
    su("wrong password", "Incorrect su password", password="wrong"),
    su("no password given", "Missing su password", password=""),
    su("unknown user", "the user does not exist there", become_user="nobody2"),
    doas("nopass", "permit nopass deploy"),
    doas("a password", "permit persist deploy", password="deploy-pass"),
    doas("to another user", "permit nopass deploy as suser", become_user="suser"),
    doas("no password given", "permit deploy", "Missing doas password"),
    doas("wrong password", "permit deploy", "Incorrect doas password", password="wrong"),
    doas("not permitted", "permit ops", "Operation not permitted"),
)  # fmt: skip


def on_host(lab, command: str, data: bytes) -> None:
    """Run a shell line as root on the host, with `data` as its input."""
    subprocess.run([lab.command, "exec", HOST, "--", "sh", "-c", command], input=data, check=True, capture_output=True)


def inventory(lab, user: str, key: str | None, words: str, variables: Mapping[str, str], *, port: int = 22) -> str:
    known = (
        f"-o UserKnownHostsFile={lab.state}/known_hosts -o GlobalKnownHostsFile=/dev/null -o StrictHostKeyChecking=yes"
    )
    given = {
        "ansible_user": user,
        "ansible_port": port,
        "ansible_ssh_common_args": f"'{words} -F none {known} -o HostKeyAlias={ADDRESS} -o IdentityAgent=none'",
        **variables,
    }
    if key:
        given["ansible_ssh_private_key_file"] = key
    lines = [f"{HOST} ansible_host={ADDRESS}", "[all:vars]", *(f"{name}={value}" for name, value in given.items())]
    return str(lab.write("inventory.ini", "\n".join(lines) + "\n"))


def key_file(lab, name: str | None) -> str | None:
    """Give the lab's key, or a copy of it that has a passphrase."""
    if name != "sealed":
        return None if name is None else str(lab.state / name)
    path = lab.directory / "sealed"
    shutil.copy(lab.state / "id_ed25519", path)
    path.chmod(0o600)
    subprocess.run(
        ["ssh-keygen", "-q", "-p", "-P", "", "-N", "sesame", "-f", str(path)], check=True, capture_output=True
    )
    return str(path)


@contextmanager
def sshd(lab, options: tuple[str, ...]) -> Iterator[None]:
    """Run one more sshd on the host, set up by these options."""
    words = " ".join(f"-o {shlex.quote(option)}" for option in options)
    lab.exec(HOST, f"/usr/sbin/sshd -p {PORT} -o PidFile=/run/sshd-hosts.pid {words}", check=True)
    try:
        yield
    finally:
        lab.exec(HOST, "kill $(cat /run/sshd-hosts.pid)")


@contextmanager
def user_with_shell(lab, path: str) -> Iterator[None]:
    """Have a user `odd` whose login shell is `path`."""
    make = (
        f"useradd -m -s {path} odd; install -d -m 700 -o odd ~odd/.ssh; cp ~deploy/.ssh/authorized_keys ~odd/.ssh/; "
        "chown odd ~odd/.ssh/*; echo 'odd ALL=(ALL:ALL) NOPASSWD: ALL' > /etc/sudoers.d/odd"
    )
    lab.exec(HOST, make, check=True)
    try:
        yield
    finally:
        lab.exec(HOST, "pkill -u odd; userdel -rf odd; rm -f /etc/sudoers.d/odd")


@contextmanager
def done_and_undone(lab, before: str, after: str) -> Iterator[None]:
    lab.exec(HOST, before, check=True)
    try:
        yield
    finally:
        lab.exec(HOST, after or "true")


def bring(lab, packages: tuple[str, ...]) -> None:
    """Put programs of Debian's packages on the host; skips where they cannot be had."""
    place = lab.directory / "packages"
    place.mkdir()
    got = subprocess.run(["apt-get", "download", *packages], cwd=place, capture_output=True, check=False)
    if got.returncode != 0:
        pytest.skip(f"no {' '.join(packages)} to be had here")
    for package in place.glob("*.deb"):
        subprocess.run(["dpkg-deb", "-x", str(package), "tree"], cwd=place, check=True)
    tree = place / "tree"
    if (tree / "bin").is_dir():  # the host's /bin is a link
        shutil.copytree(tree / "bin", tree / "usr" / "bin", dirs_exist_ok=True)
    parts = [name for name in ("usr", "etc/pam.d") if (tree / name).exists()]
    packed = subprocess.run(["tar", "-c", *parts], cwd=tree, check=True, capture_output=True)
    on_host(lab, "tar -C / -x --no-same-owner --no-overwrite-dir", packed.stdout)


@contextmanager
def prepared(lab, row: Row) -> Iterator[None]:
    """Have the host as the row wants it, and afterwards as it was."""
    with ExitStack() as stack:
        if row.packages:
            bring(lab, row.packages)
        if row.sudoers:
            on_host(lab, "cat > /etc/sudoers.d/zz-row; chmod 440 /etc/sudoers.d/zz-row", f"{row.sudoers}\n".encode())
            stack.callback(lab.exec, HOST, "rm /etc/sudoers.d/zz-row")
        if row.before:
            stack.enter_context(done_and_undone(lab, row.before, row.after))
        if row.shell:
            stack.enter_context(user_with_shell(lab, row.shell))
        if row.sshd:
            stack.enter_context(sshd(lab, row.sshd))
        yield


@pytest.mark.lab
@pytest.mark.parametrize("row", MATRIX, ids=lambda row: row.what.replace("`", ""))
def test_a_row_of_the_matrix(lab, row: Row) -> None:
    user = "odd" if row.shell else row.user
    where = inventory(
        lab, user, key_file(lab, row.key if user != "ops" else None), row.words,
        {**({"ansible_password": "ops-pass"} if user == "ops" else {}), **row.variables},
        port=PORT if row.sshd else 22,
    )  # fmt: skip
    play = PLAY.replace(
        "KEYWORDS", "\n      ".join(f"{name}: {value}" for name, value in row.become.items()) or "vars: {}"
    )
    with prepared(lab, row):
        run = lab.play(play, inventory=where)
    text = run.out + run.err
    if row.result == WORKS:
        assert run.code == 0, text
        assert f"said {user} {row.become.get('become_user', 'root')}, raw words" in text
    else:
        assert run.code in (2, 4), text
        assert row.result in text
        assert run.seconds < 20
    assert not re.search(r"\w+-pass|sesame", text)


@pytest.mark.lab
@pytest.mark.parametrize("kind", ["ssh", "openssh"])
def test_ten_connections_to_a_server_that_takes_two_at_a_time(lab, kind: str) -> None:
    hosts = "\n".join(
        f"a{n} ansible_host={ADDRESS} ansible_user={user} ansible_ssh_extra_args='-o ServerAliveInterval={n + 10}'"
        for n, user in enumerate(("deploy", "root", "plain") * 3 + ("deploy",))
    )
    where = inventory(lab, "deploy", key_file(lab, "id_ed25519"), "", {"ansible_connection": kind}, port=PORT)
    Path(where).write_text(f"{Path(where).read_text()}[many]\n{hosts}\n")
    with sshd(lab, ("MaxStartups 2:100:3",)):
        run = lab.play("- hosts: many\n  gather_facts: false\n  tasks: [ping: ]\n", inventory=where)
    assert run.code == 0, run.out + run.err


@pytest.mark.lab
def test_many_keys_in_an_agent(lab) -> None:
    """The named key comes first; without one the server hangs up, and what is said tells how to mend it."""
    started = subprocess.run(["ssh-agent", "-s"], capture_output=True, text=True, check=True).stdout
    agent = dict(re.findall(r"(SSH_\w+)=([^;]+);", started))
    try:
        for number in range(6):
            path = lab.directory / f"key{number}"
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)], check=True)
            subprocess.run(["ssh-add", "-q", str(path)], env=os.environ | agent, check=True)
        words = f"-o IdentityAgent={agent['SSH_AUTH_SOCK']}"
        named = key_file(lab, "id_ed25519")
        ping = "- hosts: all\n  gather_facts: false\n  tasks: [ping: ]\n"
        with sshd(lab, ("MaxAuthTries 3",)):
            good = lab.play(ping, inventory=inventory(lab, "deploy", named, words, {}, port=PORT))
            bad = lab.play(ping, inventory=inventory(lab, "deploy", None, words, {}, port=PORT))
    finally:
        os.kill(int(agent["SSH_AGENT_PID"]), signal.SIGTERM)
    assert good.code == 0, good.out
    assert "Too many authentication failures (offered: 6 keys of the agent); name the right key" in bad.out


BETWEEN_USERS = """
- hosts: all
  gather_facts: false
  vars: {who: plain}
  tasks:
    - command: id -un
      register: before
    - block:
        - command: id -un
          register: inside
        - copy: {content: "copied", dest: /home/plain/copied}
        - template: {src: words.j2, dest: /home/plain/words}
        - fetch: {src: /home/plain/copied, dest: fetched/, flat: true}
        - script: who.sh
          register: script
        - command: cat /home/plain/words
          register: words
      become: true
      become_user: "{{ who }}"
    - command: id -un
      register: after
    - command: id -un
      vars: {ansible_become: true, ansible_become_user: suser}
      register: variables
    - set_fact: {ansible_become: true, ansible_become_user: plain}
    - command: id -un
      register: fact
    - debug:
        msg: "said {{ [before, inside, script, after, variables, fact] | map(attribute='stdout') | map('trim') | join(' ') }} {{ words.stdout }}"
"""


@pytest.mark.lab
@pytest.mark.parametrize("kind", ["ssh", "openssh"])
def test_from_one_user_without_rights_to_another(lab, kind: str) -> None:
    """By block, by variables and by facts; homes are closed to each other."""
    lab.write("words.j2", "for {{ who }}\n")
    lab.write("who.sh", "#!/bin/sh\nid -un\n")
    where = inventory(lab, "deploy", key_file(lab, "id_ed25519"), "", {"ansible_connection": kind})
    with done_and_undone(lab, "chmod 700 /home/plain /home/deploy", "rm /home/plain/copied /home/plain/words"):
        run = lab.play(BETWEEN_USERS, inventory=where)
    assert run.code == 0, run.out + run.err
    assert "said deploy plain plain deploy suser plain for plain" in run.out
    assert (lab.directory / "fetched" / "copied").read_text() == "copied"


LONG = "- hosts: all\n  gather_facts: false\n  tasks:\n  - command: sleep 8\n  - ping:\n"


@pytest.mark.lab
def test_a_short_cut_in_the_midst_of_a_long_task_is_outlasted(lab) -> None:
    where = inventory(lab, "deploy", key_file(lab, "id_ed25519"), "", {})
    process = lab.start("-i", where, str(lab.write("site.yml", LONG)), quiet=False)
    time.sleep(3)
    try:
        lab("cut", HOST)
        time.sleep(4)
    finally:
        lab("heal", HOST)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0, out


@pytest.mark.lab
@pytest.mark.parametrize("kind", ["ssh", "openssh"])
def test_a_dead_connection_is_noticed_as_fast_as_keepalives_tell(lab, kind: str) -> None:
    words = "-o ServerAliveInterval=1 -o ServerAliveCountMax=2"
    where = inventory(lab, "deploy", key_file(lab, "id_ed25519"), words, {"ansible_connection": kind})
    process = lab.start("-i", where, str(lab.write("site.yml", LONG.replace("8", "60"))), quiet=False)
    time.sleep(4)
    begin = time.monotonic()
    try:
        lab("cut", HOST)
        out, _ = process.communicate(timeout=40)
    finally:
        lab("heal", HOST)
    assert process.returncode == 4, out
    assert "UNREACHABLE!" in out
    assert "the connection was lost" in out
    assert time.monotonic() - begin < 15


LOOK = "cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep -c -F -f"


@contextmanager
def passwords(lab, **words: str) -> Iterator[None]:
    """Have these passwords of users on the host; afterwards the lab's own."""
    on_host(lab, "chpasswd", _lines(words).encode())
    on_host(lab, "cat > /run/secrets", "\n".join(words.values()).encode())
    try:
        yield
    finally:
        on_host(lab, "chpasswd; rm /run/secrets", _lines({user: f"{user}-pass" for user in words}).encode())


def _lines(words: Mapping[str, str]) -> str:
    return "".join(f"{user}:{word}\n" for user, word in words.items())


@pytest.mark.lab
@pytest.mark.parametrize("kind", ["ssh", "openssh"])
def test_a_password_is_seen_in_no_process_and_no_output(lab, kind: str) -> None:
    ops, root = (f"pw{secrets.token_hex(8)}" for _ in range(2))
    given = {"ansible_password": ops, "ansible_become_password": ops, "ansible_connection": kind}
    play = f"""
- hosts: all
  gather_facts: false
  tasks:
    - command: sleep 3
      become: true
    - command: sleep 3
      become: true
      become_method: su
      vars: {{ansible_become_password: {root}}}
"""
    words = lab.write("secrets", f"{ops}\n{root}\n")
    where = inventory(lab, "ops", None, "", given)
    seen: list[str] = []
    with passwords(lab, ops=ops, root=root):
        process = lab.start("-vvvv", "-i", where, str(lab.write("site.yml", play)), quiet=False)
        while process.poll() is None and len(seen) < 20:
            time.sleep(0.5)
            ours = subprocess.run(["sh", "-c", f"{LOOK} {words}"], capture_output=True, text=True, check=False).stdout
            seen += [ours.strip(), lab.exec(HOST, f"{LOOK} /run/secrets").strip()]
        out, _ = process.communicate(timeout=60)
    assert process.returncode == 0, out
    assert len(seen) > 6
    assert set(seen) == {"0"}
    assert ops not in out
    assert root not in out


def test_the_documentation_shows_the_matrix() -> None:
    wanted = [f"| {row.what} | {row.result if row.result == WORKS else f'says: {row.result}'} |" for row in MATRIX]
    part = DOCS.read_text("utf-8").partition("## Hosts that make trouble")[2].partition("\n## ")[0]
    assert re.findall(r"^\| (?!what|---).*$", part, re.MULTILINE) == wanted, "\n".join(["it should be:", *wanted])
