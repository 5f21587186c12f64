"""Measure pyplay against the floor, and when asked against its rivals, on the same hosts.

    python benchmarks/run.py [--only w1-warm@10 …] [--runs 5] [--ansible BIN] [--rivals BIN] [--quick]

`--ansible` and `--rivals` name the directories of ansible-playbook, and of ansible-playbook with Mitogen and pyinfra;
without them only the floor and pyplay are measured and the rivals' figures of the last time are kept. Floor and pyplay
run in turns. Measured are wall time, CPU of the whole process tree, CPU of the hosts' side, and the largest process;
every run is checked for having done the work. The figures go to `--out` (JSON); `report.py` makes the tables of
docs/performance.md of them.
"""

from __future__ import annotations

import argparse
import contextlib
import filecmp
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import contestants as by
import generate
from sshd import ROUND_TRIP, Hosts, sshd

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HERE = Path(__file__).parent
WORKLOADS = HERE / "workloads"
LONGEST = 1800  # seconds a run may take
LOOK = 0.05  # seconds between looks at the hosts' memory
SETTLE = 0.4  # seconds until sshd has waited for its children


@dataclass(frozen=True)
class Workload:
    """One line of the table: who takes part with which call, and how to see that the work was done."""

    name: str
    title: str
    calls: dict[str, by.Call]
    check: Callable[[str], bool]
    fresh: bool = False  # the hosts are emptied before each run
    runs: int = 0  # instead of --runs
    big: bool = False  # it carries the large file: the hosts' memory is looked at


def measure(call: by.Call, hosts: Hosts, *, big: bool = False) -> tuple[dict[str, float], str]:
    """Run a call; give its figures and its output, with `big` the hosts' memory too. Raises SystemExit if it fails."""
    with tempfile.NamedTemporaryFile() as figures:
        environment = os.environ | {"ANSIBLE_LOCALHOST_WARNING": "0"} | call.environment
        before = hosts.cpu()
        command = [sys.executable, str(HERE / "tree.py"), figures.name, *call.command]
        with largest_on_hosts(hosts) if big else contextlib.nullcontext([0.0]) as largest:
            done = subprocess.run(
                command, env=environment, capture_output=True, text=True, check=False, timeout=LONGEST
            )
        if done.returncode:
            raise SystemExit(
                f"{' '.join(call.command)} ended with {done.returncode}:\n{(done.stdout + done.stderr)[-3000:]}"
            )
        found = json.loads(Path(figures.name).read_text())
        if big:
            found["hosts_peak_mb"] = largest[0]
    time.sleep(SETTLE)
    found["hosts_cpu"] = hosts.cpu() - before
    return found, done.stdout + done.stderr


@contextlib.contextmanager
def largest_on_hosts(hosts: Hosts) -> Iterator[list[float]]:
    """Look at the hosts' programs while the context lasts; gives a list whose one member is the largest's MB."""
    largest, ended = [0.0], threading.Event()

    def look() -> None:
        while not ended.wait(LOOK):
            largest[0] = max(largest[0], hosts.largest())

    looking = threading.Thread(target=look)
    looking.start()
    try:
        yield largest
    finally:
        ended.set()
        looking.join()


def carried(hosts: Hosts) -> Callable[[str], bool]:
    """Give a check that the large file is on the host and came back; it is removed for the next one."""

    def check(_output: str) -> bool:
        there, back = hosts.work / "bench0000" / "big.bin", hosts.big.with_name("big.bin.back")
        same = all(path.exists() and filecmp.cmp(hosts.big, path, shallow=False) for path in (there, back))
        back.unlink(missing_ok=True)
        return same

    return check


def files_done(hosts: Hosts, count: int, least: int) -> Callable[[str], bool]:
    """Give a check that each host has at least so many files."""

    def check(_output: str) -> bool:
        roots = [hosts.work / f"bench{n:04}" for n in range(count)]
        return all(sum(1 for _ in root.rglob("*")) >= least for root in roots)

    return check


def workloads(hosts: Hosts, directory: Path, options: argparse.Namespace) -> list[Workload]:
    """Give all workloads, with the contestants that are measured this time."""
    core, rivals = options.ansible, options.rivals

    def over_ssh(
        name: str, count: int, floor: str, *words: str, deploy: bool = True, far: bool = False
    ) -> dict[str, by.Call]:
        playbook, inventory, forks = WORKLOADS / name / "site.yml", hosts.first(count, far=far), max(5, count)
        calls = {"floor": by.floor(inventory, floor)} if floor else {}
        calls["pyplay"] = by.pyplay(playbook, inventory, forks, *words)
        if core:
            calls["ansible-core"] = by.ansible(core, playbook, inventory, forks, *words)
        if rivals:
            calls["mitogen"] = by.mitogen(rivals, playbook, inventory, forks, *words)
            if deploy:
                calls["pyinfra"] = by.pyinfra(rivals, WORKLOADS / name / "deploy.py", hosts, count, far=far)
        return calls

    def here(playbook: Path, count: int, *words: str, groups: int = 1, with_core: bool = True) -> dict[str, by.Call]:
        inventory = generate.local_hosts(directory, count, groups=groups)
        calls = {"pyplay": by.pyplay(playbook, inventory, 50, *words)}
        if core and with_core:
            calls["ansible-core"] = by.ansible(core, playbook, inventory, 50, *words)
        return calls

    def says(text: str, times: int = 1) -> Callable[[str], bool]:
        return lambda output: output.count(text) >= times

    def anyway(_output: str) -> bool:
        return True

    found: list[Workload] = []
    for count in (1, 10, 50):
        done = files_done(hosts, count, 10 + 8 + 4 + 1)
        where = f"{count} host{'s' * (count > 1)}"
        if count < 50:
            cold = over_ssh("w1", count, "w1")
            found.append(Workload(f"w1-cold@{count}", f"W1, 30 tasks, cold, {where}", cold, done, fresh=True))
        found.append(Workload(f"w1-warm@{count}", f"W1, 30 tasks, warm, {where}", over_ssh("w1", count, "w1"), done))
        if count < 50:
            calls, title = over_ssh("w1", count, "w1", far=True), f"W1, 30 tasks, warm, {where}, {ROUND_TRIP} ms away"
            found.append(Workload(f"w1-far@{count}", title, calls, done))
    check = over_ssh("w1", 10, "", "--check", deploy=False)
    many_pings = {name: call for name, call in over_ssh("ping", 200, "ping").items() if name != "mitogen"}
    copied = files_done(hosts, 1, 100)
    found += [
        Workload("w1-check@10", "W1 with --check, 10 hosts", check, anyway),
        Workload("w2@10", "W2, facts, 10 hosts", over_ssh("facts", 10, "facts"), anyway),
        Workload("w3@1", "W3, one copy over 100 items, 1 host", over_ssh("copies", 1, "w3"), copied),
        Workload("w4@50", "W4, ping, 50 hosts", over_ssh("ping", 50, "ping"), anyway),
        Workload("w4@200", "W4, ping, 200 hosts", many_pings, anyway, runs=2),
    ]
    big = {name: call for name, call in over_ssh("big", 1, "").items() if name != "mitogen"}
    found.append(Workload("w6@1", "W6, 100 MB there and back, 1 host", big, carried(hosts), fresh=True, big=True))
    pure, roles, many = generate.pure(directory), generate.roles(directory), generate.many(directory)
    listing, last = here(roles, 1, "--list-tasks"), says("role 49 task 19")
    thousand, all_of_them = here(many, 1000, groups=100), says("ok=1", 1000)
    crowd = here(many, 10_000, groups=100, with_core=False)
    found += [
        Workload("w5@50", "W5, 300 set_fact/debug, 50 local hosts", here(pure, 50), says("skipped=100", 50)),
        Workload("w7-list", "W7, --list-tasks of 50 roles, 1,000 tasks", listing, last),
        Workload("w7-run", "W7, 1,000 tasks whose `when` is false", here(roles, 1), says("skipped=1000")),
        Workload("w8@1000", "W8, debug, 1,000 hosts", thousand, all_of_them, runs=2),
        Workload("w8@10000", "W8, debug, 10,000 hosts", crowd, says("ok=1", 10_000), runs=1),
    ]
    return found


def growth(hosts: Hosts, directory: Path) -> dict[str, list[dict[str, float]]]:
    """Give pyplay's CPU and memory against how many there are of a thing."""
    sizes = {"tasks": (10, 100, 1000, 10_000), "items": (10, 100, 1000, 10_000)}
    sizes |= {"variables": (10, 100, 1000, 10_000), "includes": (10, 100, 1000), "hosts": (10, 100, 1000)}
    table: dict[str, list[dict[str, float]]] = {}
    for kind, counts in sizes.items():
        for size in counts:
            playbook = generate.many(directory) if kind == "hosts" else generate.grow(directory, kind, size)
            inventory = generate.local_hosts(directory, size if kind == "hosts" else 1)
            figures, _ = measure(by.pyplay(playbook, inventory, 50), hosts)
            table.setdefault(kind, []).append({"size": size, **figures})
            print(f"growth {kind} {size}: {figures['cpu']:.2f} s CPU, {figures['peak_mb']:.0f} MB", flush=True)
    return table


def run_one(workload: Workload, hosts: Hosts, runs: int) -> dict[str, list[dict[str, float]]]:
    """Measure a workload's contestants in turns; rivals half as often."""
    figures: dict[str, list[dict[str, float]]] = {}
    for number in range(runs):
        for name, call in workload.calls.items():
            if name not in ("floor", "pyplay") and number > max(1, runs // 2) - 1:
                continue
            if workload.fresh:
                shutil.rmtree(hosts.work, ignore_errors=True)
            if workload.big:
                (hosts.work / "bench0000").mkdir(parents=True)
                hosts.make_big()
            result, output = measure(call, hosts, big=workload.big)
            if not workload.check(output) and name != "floor":
                raise SystemExit(f"{workload.name}, {name}: the work was not done:\n{output[-2000:]}")
            figures.setdefault(name, []).append(result)
            told = f"{result['wall']:7.2f} s wall {result['cpu']:7.2f} s CPU {result['hosts_cpu']:6.2f} s hosts"
            print(f"{workload.name:12} {name:13} {told}", flush=True)
    return figures


def main() -> None:
    """Measure and keep the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", help="names of workloads, such as w1-warm@10")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--hosts", type=int, default=200)
    parser.add_argument("--ansible", type=Path, help="directory of ansible-playbook")
    parser.add_argument("--rivals", type=Path, help="directory of ansible-playbook with Mitogen, and of pyinfra")
    parser.add_argument("--python", default="/usr/bin/python3", help="the hosts' interpreter")
    parser.add_argument("--no-growth", action="store_true")
    parser.add_argument("--out", type=Path, default=HERE / "results.json")
    options = parser.parse_args()
    kept: dict[str, Any] = json.loads(options.out.read_text()) if options.out.exists() else {}
    kept.setdefault("workloads", {})
    kept["machine"] = {"cores": os.cpu_count(), "system": platform.platform(), "python": platform.python_version()}
    versions = kept.setdefault("versions", {})
    if options.ansible:
        versions["ansible-core"] = by.version_of(options.ansible / "ansible-playbook", "--version")
    if options.rivals:
        versions["pyinfra"] = by.version_of(options.rivals / "pyinfra", "--version")
        ask = "import mitogen; print('.'.join(map(str, mitogen.__version__)))"
        versions["mitogen"] = "Mitogen " + by.version_of(options.rivals / "python", "-c", ask)
    with tempfile.TemporaryDirectory(prefix="pyplay-bench-") as name:
        directory = Path(name)
        with sshd(directory, options.hosts, options.python) as hosts:
            for workload in workloads(hosts, directory, options):
                if options.only is not None and workload.name not in options.only:
                    continue
                figures = run_one(workload, hosts, workload.runs or options.runs)
                before = kept["workloads"].get(workload.name, {}).get("figures", {})
                kept["workloads"][workload.name] = {"title": workload.title, "figures": {**before, **figures}}
                options.out.write_text(json.dumps(kept, indent=1) + "\n")
            if not options.no_growth and options.only is None:
                kept["growth"] = growth(hosts, directory)
                options.out.write_text(json.dumps(kept, indent=1) + "\n")


if __name__ == "__main__":
    main()
