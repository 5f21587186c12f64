"""Measure pyplay against the floor, and when asked against its rivals, on the same hosts.

    python benchmarks/run.py [--only w1-warm@10 …] [--runs 5] [--ansible BIN] [--rivals BIN]

`--ansible` and `--rivals` name the directories of ansible-playbook, and of ansible-playbook with Mitogen and pyinfra;
without them only the floor and pyplay are measured and the rivals' figures of the last time are kept, beside what the
floor took at that time. Floor and pyplay run in turns; a rival runs once. Every run is checked for having done the
work. The figures go to `--out` (JSON); `report.py` makes the tables of docs/performance.md of them.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import contestants as by
from catalogue import FLEET, Field, Workload, workloads
from figures import middle
from forks import forks
from growth import growth
from measure import measure
from sshd import Hosts, sshd

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from contestants import Call

HERE = Path(__file__).parent
OWN = ("floor", "pyplay")

Runs = dict[str, list[dict[str, float]]]


def run_together(group: Sequence[Workload], hosts: Hosts, runs: int) -> dict[str, Runs]:
    """Measure the contestants of some workloads in turns; rivals only in the first."""
    figures: dict[str, Runs] = {workload.name: {} for workload in group}
    for number in range(runs):
        for workload in group:
            for name, call in workload.calls.items():
                if name in OWN or not number:
                    found = run_one(workload, name, call, hosts)
                    figures[workload.name].setdefault(name, []).append(found)
    return figures


def run_one(workload: Workload, name: str, call: Call, hosts: Hosts) -> dict[str, float]:
    """Measure one run of a contestant. Raises SystemExit if it did not do the work."""
    if workload.fresh:
        shutil.rmtree(hosts.work, ignore_errors=True)
    if workload.big:
        (hosts.work / "bench0000").mkdir(parents=True)
        hosts.make_big()
    result, output = measure(call, hosts, big=workload.big)
    if not call.stop and not workload.check(output):
        raise SystemExit(f"{workload.name}, {name}: the work was not done:\n{output[-2000:]}")
    told = f"{result['wall']:7.2f} s wall {result['cpu']:7.2f} s CPU {result['hosts_cpu']:6.2f} s hosts"
    print(f"{workload.name:14} {name:13} {told}", flush=True)
    return result


def grouped(workloads: Iterable[Workload]) -> list[list[Workload]]:
    """Give the workloads that run in turns together; most run alone."""
    groups: list[list[Workload]] = []
    for workload in workloads:
        if groups and workload.beside == groups[-1][0].name:
            groups[-1].append(workload)
        else:
            groups.append([workload])
    return groups


def merged(before: Mapping[str, Any], workload: Workload, figures: Runs) -> dict[str, Any]:
    """Give a workload's kept figures after a measurement: rivals that did not run keep theirs, and their floor's."""
    floor = figures.get("floor")
    then = {key: middle(floor, key) for key in ("wall", "cpu")} if floor else {}
    floors = {**before.get("floors", {}), **{name: then for name in figures if name not in OWN and then}}
    return {"title": workload.title, "figures": {**before.get("figures", {}), **figures}, "floors": floors}


def versions(options: argparse.Namespace) -> dict[str, str]:
    """Give the versions of the rivals that are measured."""
    found = {}
    if options.ansible:
        found["ansible-core"] = by.version_of(options.ansible / "ansible-playbook", "--version")
    if options.rivals:
        found["pyinfra"] = by.version_of(options.rivals / "pyinfra", "--version")
        ask = "import mitogen; print('.'.join(map(str, mitogen.__version__)))"
        found["mitogen"] = "Mitogen " + by.version_of(options.rivals / "python", "-c", ask)
        found["mitogen's core"] = by.version_of(options.rivals / "ansible-playbook", "--version")
    return found


def main() -> None:
    """Measure and keep the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", help="names of workloads, such as w1-warm@10, or forks, growth")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--ansible", type=Path, help="directory of ansible-playbook")
    parser.add_argument("--rivals", type=Path, help="directory of ansible-playbook with Mitogen, and of pyinfra")
    parser.add_argument("--python", default="/usr/bin/python3", help="the hosts' interpreter")
    parser.add_argument("--out", type=Path, default=HERE / "results.json")
    options = parser.parse_args()
    kept: dict[str, Any] = json.loads(options.out.read_text()) if options.out.exists() else {}
    kept.setdefault("workloads", {})
    kept["machine"] = {"cores": os.cpu_count(), "system": platform.platform(), "python": platform.python_version()}
    kept["versions"] = kept.get("versions", {}) | versions(options)
    with (
        tempfile.TemporaryDirectory(prefix="pyplay-bench-") as name,
        sshd(Path(name), FLEET[-1], options.python) as hosts,
    ):
        tables = {"forks": lambda: forks(hosts), "growth": lambda: growth(hosts, Path(name))}
        groups = grouped(workloads(Field(hosts, Path(name), options.ansible, options.rivals)))
        known = [*(workload.name for group in groups for workload in group), *tables]
        if unknown := set(options.only or ()).difference(known):
            parser.error(f"there is no {', '.join(sorted(unknown))}; known are {', '.join(known)}")
        for group in groups:
            if options.only is not None and not any(workload.name in options.only for workload in group):
                continue
            figures = run_together(group, hosts, group[0].runs or options.runs)
            for workload in group:
                before = kept["workloads"].get(workload.name, {})
                kept["workloads"][workload.name] = merged(before, workload, figures[workload.name])
            options.out.write_text(json.dumps(kept, indent=1) + "\n")
        for title, measured in tables.items():
            if options.only is None or title in options.only:
                kept[title] = measured()
                options.out.write_text(json.dumps(kept, indent=1) + "\n")


if __name__ == "__main__":
    main()
