"""Throw-away hosts for measuring: one private sshd on many loopback addresses, a work directory for each host."""

from __future__ import annotations

import contextlib
import getpass
import os
import shutil
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from account import Account

if TYPE_CHECKING:
    from collections.abc import Iterator

ROUND_TRIP = 20
"""Milliseconds to the far hosts and back."""

BIG = 100 << 20
"""Bytes of the large file."""

CONFIG = """\
# SHLVL: bash reads ~/.bashrc in the first shell below sshd, which may cost more than all else (pyenv: 100 ms)
Port {port}
ListenAddress 0.0.0.0
HostKey {directory}/host_key
AuthorizedKeysFile {directory}/authorized_keys
PidFile {directory}/pid
StrictModes no
UsePAM no
PasswordAuthentication no
PermitRootLogin yes
MaxStartups 1000
MaxSessions 100
SetEnv SHLVL=1
Subsystem sftp internal-sftp
"""


@dataclass(frozen=True)
class Hosts:
    """Where the hosts are: an inventory that ansible-core and pyplay read, and what a plain client needs."""

    inventory: Path
    key: Path
    port: int
    addresses: tuple[str, ...]
    work: Path
    known_hosts: Path
    user: str
    server: int  # process id of sshd
    account: Account  # of sshd and all that it starts
    far_port: int  # the same sshd, ROUND_TRIP away

    def first(self, count: int, *, far: bool = False) -> Path:
        """Give an inventory of the first `count` hosts."""
        hosts, variables = self.inventory.read_text().split("\n\n", 1)
        path = self.inventory.with_name(f"inventory{count}{'far' * far}.ini")
        if far:
            variables = variables.replace(f"ansible_port={self.port}", f"ansible_port={self.far_port}")
        path.write_text("\n".join(hosts.splitlines()[:count]) + "\n\n" + variables)
        return path

    @property
    def big(self) -> Path:
        """The large file that is carried there and back."""
        return self.inventory.with_name("big.bin")

    def make_big(self) -> None:
        """Make the large file, once."""
        if not self.big.exists():
            self.big.write_bytes(os.urandom(BIG))

    def largest(self) -> float:
        """Give the largest memory (MB) that a program started by sshd has had until now, of those that still run."""
        found, waiting = 0, _children(self.server)
        while waiting:
            pid = waiting.pop()
            with contextlib.suppress(OSError):
                waiting += _children(pid)
                status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
                if status["Name"].strip() not in ("sshd", "sshd-session", "sshd-auth") and "VmHWM" in status:
                    found = max(found, int(status["VmHWM"].split()[0]))
        return found / 1024

    def cpu(self) -> float:
        """Give the CPU seconds that sshd and all that it has started have used."""
        return self.account.seconds()


def _children(pid: int) -> list[int]:
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def free_port() -> int:
    """Give a TCP port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def sshd(directory: Path, count: int, python: str) -> Iterator[Hosts]:
    """Run an sshd for `count` hosts in `directory` while the context lasts. `python` is the hosts' interpreter."""
    sshd_program = shutil.which("sshd", path="/usr/sbin:/usr/local/sbin:/usr/bin:/sbin")
    if not sshd_program:
        raise SystemExit("sshd is needed: install openssh-server")
    directory.mkdir(parents=True, exist_ok=True)
    for name in ("host_key", "id_ed25519"):
        subprocess.run(
            ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(directory / name)],
            check=True,
            input=b"y\n",
            stdout=subprocess.DEVNULL,
        )
    port, far_port = free_port(), free_port()
    addresses = tuple(f"127.1.{n // 250}.{n % 250 + 1}" for n in range(count))
    host_key = (directory / "host_key.pub").read_text().split(maxsplit=2)[:2]
    known = (f"[{a}]:{p} {' '.join(host_key)}\n" for a in addresses for p in (port, far_port))
    (directory / "known_hosts").write_text("".join(known))
    shutil.copy(directory / "id_ed25519.pub", directory / "authorized_keys")
    (directory / "sshd_config").write_text(CONFIG.format(port=port, directory=directory))
    common = f"-o UserKnownHostsFile={directory}/known_hosts -o GlobalKnownHostsFile=/dev/null -o IdentitiesOnly=yes"
    lines = [f"bench{n:04} ansible_host={a} work={directory}/hosts/bench{n:04}" for n, a in enumerate(addresses)]
    variables = {
        "port": port,
        "user": getpass.getuser(),
        "ssh_private_key_file": directory / "id_ed25519",
        "ssh_common_args": common,
        "python_interpreter": python,
    }
    lines += ["", "[all:vars]", f"big={directory / 'big.bin'}"]
    lines += [f"ansible_{name}={value}" for name, value in variables.items()]
    (directory / "inventory.ini").write_text("\n".join(lines) + "\n")
    if getpass.getuser() == "root":
        Path("/run/sshd").mkdir(exist_ok=True)  # where sshd locks itself up
    server = subprocess.Popen([sshd_program, "-D", "-f", str(directory / "sshd_config")], stderr=subprocess.DEVNULL)
    account = Account(server.pid)
    delay = [sys.executable, str(Path(__file__).with_name("delay.py")), str(far_port), str(port), str(ROUND_TRIP)]
    proxy = subprocess.Popen(delay, stderr=subprocess.DEVNULL)
    try:
        for each in (port, far_port):
            for _ in range(100):
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", each), timeout=1):
                    break
                time.sleep(0.05)
        yield Hosts(
            directory / "inventory.ini",
            directory / "id_ed25519",
            port,
            addresses,
            directory / "hosts",
            directory / "known_hosts",
            getpass.getuser(),
            server.pid,
            account,
            far_port,
        )
    finally:
        for program in (proxy, server):
            program.terminate()
            program.wait()
        account.close()
