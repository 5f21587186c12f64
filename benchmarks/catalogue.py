"""The workloads: who takes part in each, with which call, and how to see that the work was done."""

from __future__ import annotations

import filecmp
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import contestants as by
import generate
from sshd import ROUND_TRIP, Hosts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DIRECTORY = Path(__file__).parent / "workloads"
FLEET = (1, 10, 50, 200, 500)
"""How many hosts are pinged."""
FILES = 10 + 8 + 4 + 1
"""What W1 leaves on a host."""


@dataclass(frozen=True)
class Workload:
    """One line of the table."""

    name: str
    title: str
    calls: dict[str, by.Call]
    check: Callable[[str], bool] = lambda _output: True
    fresh: bool = False  # the hosts are emptied before each run
    runs: int = 0  # instead of --runs
    big: bool = False  # it carries the large file: the hosts' memory is looked at
    beside: str = ""  # the workload before it, with which it runs in turns: what it costs more is a mark


@dataclass(frozen=True)
class Field:
    """What the workloads are made for: the hosts, a directory for what is generated, where the rivals are (or not)."""

    hosts: Hosts
    directory: Path
    core: Path | None  # of ansible-playbook
    rivals: Path | None  # of ansible-playbook with Mitogen, and of pyinfra

    def over_ssh(
        self, playbook: Path, count: int, *words: str, floor: str = "", far: bool = False, rivals: str = ""
    ) -> dict[str, by.Call]:
        """Give the calls for so many hosts: of the floor's workload, of pyplay, and of the rivals named."""
        inventory, forks = self.hosts.first(count, far=far), max(5, count)
        calls = {"floor": by.floor(inventory, floor)} if floor else {}
        calls["pyplay"] = by.pyplay(playbook, inventory, forks, *words)
        if self.core and "core" in rivals:
            calls["ansible-core"] = by.ansible(self.core, playbook, inventory, forks, *words)
        if self.core and "plain" in rivals:
            plain = by.ansible(self.core, playbook, inventory, forks, *words, pipelining=False)
            calls["ansible-core, no pipelining"] = plain
        if self.rivals and "mitogen" in rivals:
            calls["mitogen"] = by.mitogen(self.rivals, playbook, inventory, forks, *words)
        if self.rivals and "pyinfra" in rivals:
            deploy = playbook.with_name("deploy.py")
            calls["pyinfra"] = by.pyinfra(self.rivals, deploy, self.hosts, count, far=far)
        return calls

    def here(
        self, playbook: Path, count: int, *words: str, groups: int = 1, core: bool = True, stop: bool = False
    ) -> dict[str, by.Call]:
        """Give the calls for so many hosts that are this machine; with `stop` ansible-core ends at its first result."""
        inventory = generate.local_hosts(self.directory, count, groups=groups)
        calls = {"pyplay": by.pyplay(playbook, inventory, 50, *words)}
        if self.core and core:
            calls["ansible-core"] = by.ansible(self.core, playbook, inventory, 50, *words, stop=stop)
        return calls


def workloads(field: Field) -> Iterator[Workload]:
    """Give all workloads, the quick ones first."""
    yield from start()
    yield from listings(field)
    yield from thirty_tasks(field)
    yield from other_work(field)
    yield from controller_only(field)
    yield from pings(field)


def start() -> Iterator[Workload]:
    """Give what is paid before anything is done."""
    bare = by.Call([sys.executable, "-c", "import click, yaml"])
    for word in ("--version", "--help"):
        own = by.Call([sys.executable, "-m", "pyplay", word])
        yield Workload(
            f"start{word}", f"`{word}`; floor: `import click, yaml`", {"floor": bare, "pyplay": own}, runs=20
        )


def listings(field: Field) -> Iterator[Workload]:
    """Give W7, 50 roles and 1,000 tasks."""
    roles = generate.roles(field.directory)
    for word in ("--list-tasks", "--syntax-check"):
        last = says("role 49 task 19" if word == "--list-tasks" else "playbook: ")
        yield Workload(f"w7{word}", f"W7, {word} of 50 roles, 1,000 tasks", field.here(roles, 1, word), last)
    few = generate.roles(field.directory, count=5)
    thousand = field.here(roles, 1)
    yield Workload("w7-run", "W7, 1,000 tasks whose `when` is false", thousand, says("skipped=1000"), runs=15)
    hundred = field.here(few, 1, core=False)
    yield Workload("w7-run100", "W7, 100 of these tasks", hundred, says("skipped=100"), beside="w7-run")


def thirty_tasks(field: Field) -> Iterator[Workload]:
    """Give W1."""
    playbook = DIRECTORY / "w1" / "site.yml"
    for count in (1, 10):
        done, where = files_done(field.hosts, count, FILES), f"{count} host{'s' * (count > 1)}"
        warm = field.over_ssh(playbook, count, floor="w1", rivals="core mitogen pyinfra" + " plain" * (count == 1))
        yield Workload(f"w1-warm@{count}", f"W1, 30 tasks, warm, {where}", warm, done)
        if count == 10:
            ten_times = generate.repeated(field.directory, DIRECTORY / "w1", 10)
            long = field.over_ssh(ten_times, count, floor="w1x10")
            title = f"W1 ten times over, 300 tasks, {where}"
            yield Workload("w1x10@10", title, long, done, beside="w1-warm@10")
        rivals = "core mitogen pyinfra" if count == 1 else "mitogen"  # the others take minutes
        cold = field.over_ssh(playbook, count, floor="w1", rivals=rivals)
        yield Workload(f"w1-cold@{count}", f"W1, 30 tasks, cold, {where}", cold, done, fresh=True)
        far = field.over_ssh(playbook, count, floor="w1", far=True, rivals=rivals)
        yield Workload(f"w1-far@{count}", f"W1, 30 tasks, warm, {where}, {ROUND_TRIP} ms away", far, done)
    done = files_done(field.hosts, 50, FILES)
    fifty = field.over_ssh(playbook, 50, floor="w1", rivals="mitogen")
    yield Workload("w1-warm@50", "W1, 30 tasks, warm, 50 hosts", fifty, done)
    check = field.over_ssh(playbook, 10, "--check")
    yield Workload("w1-check@10", "W1 with --check, 10 hosts", check, answered(10))


def other_work(field: Field) -> Iterator[Workload]:
    """Give W2, W3 and W6."""
    facts = field.over_ssh(DIRECTORY / "facts" / "site.yml", 10, floor="facts", rivals="core mitogen pyinfra")
    yield Workload("w2@10", "W2, facts, 10 hosts", facts, answered(10, "Ready: "))
    copies = field.over_ssh(DIRECTORY / "copies" / "site.yml", 1, floor="w3", rivals="core mitogen pyinfra")
    yield Workload("w3@1", "W3, one copy over 100 items, 1 host", copies, files_done(field.hosts, 1, 100))
    big = field.over_ssh(DIRECTORY / "big" / "site.yml", 1, rivals="core pyinfra")
    yield Workload("w6@1", "W6, 100 MB there and back, 1 host", big, carried(field.hosts), fresh=True, big=True)


def controller_only(field: Field) -> Iterator[Workload]:
    """Give W5 and W8, which send nothing to a host."""
    pure, few = generate.pure(field.directory), generate.pure(field.directory, tasks=30)
    yield Workload("w5@50", "W5, 300 set_fact/debug, 50 local hosts", field.here(pure, 50), says("skipped=100", 50))
    thirty = field.here(few, 50, core=False)
    yield Workload("w5x30@50", "W5, 30 of these tasks", thirty, says("skipped=10", 50), beside="w5@50")
    many = generate.many(field.directory)
    for count in (1000, 10_000):
        calls = field.here(many, count, groups=100, stop=count > 1000)
        yield Workload(f"w8@{count}", f"W8, debug, {count:,} hosts", calls, says("ok=1", count))


def pings(field: Field) -> Iterator[Workload]:
    """Give W4."""
    for count in FLEET:
        rivals = "core mitogen pyinfra" if count == 50 else "pyinfra" if count > 50 else ""
        calls = field.over_ssh(DIRECTORY / "ping" / "site.yml", count, floor="ping", rivals=rivals)
        yield Workload(f"w4@{count}", f"W4, ping, {count} host{'s' * (count > 1)}", calls, answered(count))


def says(text: str, times: int = 1) -> Callable[[str], bool]:
    """Give a check that an output has a text so many times."""
    return lambda output: output.count(text) >= times


def answered(count: int, words: str = "Success|No changes") -> Callable[[str], bool]:
    """Give a check that so many hosts did what was asked, as any contestant tells it; `words` are pyinfra's."""
    well = re.compile(rf"^(?:ok$|\S+ +: ok=[1-9].*\bunreachable=0 +failed=0|    .*(?:{words}))", re.MULTILINE)
    return lambda output: len(well.findall(output)) >= count


def files_done(hosts: Hosts, count: int, least: int) -> Callable[[str], bool]:
    """Give a check that each host has at least so many files."""

    def check(_output: str) -> bool:
        roots = [hosts.work / f"bench{n:04}" for n in range(count)]
        return all(sum(1 for _ in root.rglob("*")) >= least for root in roots)

    return check


def carried(hosts: Hosts) -> Callable[[str], bool]:
    """Give a check that the large file is on the host and came back; it is removed for the next one."""

    def check(_output: str) -> bool:
        there, back = hosts.work / "bench0000" / "big.bin", hosts.big.with_name("big.bin.back")
        same = all(path.exists() and filecmp.cmp(hosts.big, path, shallow=False) for path in (there, back))
        back.unlink(missing_ok=True)
        return same

    return check
