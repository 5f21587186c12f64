"""Who is measured: how each is called for a workload. A rival's directory is where its programs are installed."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sshd import Hosts

HERE = Path(__file__).parent
RESULT = "ok|changed|skipping|failed|fatal"
"""How a line of a result begins, as ansible-playbook writes it."""


@dataclass(frozen=True)
class Call:
    """A command line, what its environment has besides, and how its first line of a result begins."""

    command: list[str]
    environment: dict[str, str] = field(default_factory=dict)
    first: str = RESULT
    stop: bool = False  # it is ended at its first result: nothing else of it is of interest


def pyplay(playbook: Path, inventory: Path, forks: int, *words: str) -> Call:
    """Give the call of pyplay."""
    command = [sys.executable, "-m", "pyplay", "-f", str(forks), "-i", str(inventory), *words, str(playbook)]
    return Call(command)


def ansible(
    programs: Path,
    playbook: Path,
    inventory: Path,
    forks: int,
    *words: str,
    pipelining: bool = True,
    stop: bool = False,
) -> Call:
    """Give the call of ansible-core."""
    command = [f"{programs}/ansible-playbook", "-f", str(forks), "-i", str(inventory), *words, str(playbook)]
    environment = {"ANSIBLE_PIPELINING": str(int(pipelining)), "ANSIBLE_HOST_KEY_CHECKING": "1"}
    return Call(command, environment, stop=stop)


def mitogen(programs: Path, playbook: Path, inventory: Path, forks: int, *words: str) -> Call:
    """Give the call of ansible-core with Mitogen's strategy."""
    found = next(programs.parent.glob("lib/python3*/site-packages/ansible_mitogen/plugins/strategy"))
    base = ansible(programs, playbook, inventory, forks, *words)
    strategy = {"ANSIBLE_STRATEGY": "mitogen_linear", "ANSIBLE_STRATEGY_PLUGINS": str(found)}
    return Call(base.command, {**base.environment, **strategy})


def pyinfra(programs: Path, deploy: Path, hosts: Hosts, count: int, *, far: bool = False) -> Call:
    """Give the call of pyinfra; its inventory is written beside the hosts'."""
    names = [f"bench{n:04}" for n in range(count)]
    entries = [
        (name, {"ssh_hostname": address, "work": str(hosts.work / name)})
        for name, address in zip(names, hosts.addresses, strict=False)
    ]
    common = {"ssh_port": hosts.far_port if far else hosts.port, "ssh_user": hosts.user, "ssh_key": str(hosts.key)}
    common["big"] = str(hosts.inventory.with_name("big.bin"))
    common["ssh_known_hosts_file"] = str(hosts.known_hosts)
    inventory = hosts.inventory.parent / f"pyinfra_inventory{count}{'far' * far}.py"
    inventory.write_text(f"hosts = ({entries!r}, {common!r})\n")
    return Call([f"{programs}/pyinfra", "-y", str(inventory), str(deploy)], first="    .*(Success|No changes)")


def floor(inventory: Path, workload: str) -> Call:
    """Give the call of the floor program."""
    return Call([sys.executable, str(HERE / "floor.py"), str(inventory), workload])


def version_of(program: Path, *words: str) -> str:
    """Give the first line that a program tells about its version."""
    done = subprocess.run([str(program), *words], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[0].strip()
