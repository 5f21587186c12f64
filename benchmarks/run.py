"""Measure pyplay against ansible-core with pipelining, side by side on the same hosts.

    python benchmarks/run.py [--hosts 10] [--runs 3] [--ansible DIRECTORY-OF-ansible-playbook]

The workload is W1: 30 small tasks (10 directories, 8 copies, 4 templates, 4 lines, 2 commands, stat, set_fact) on
loopback hosts of a private sshd. Every run is checked for having done the work. Printed are medians of wall time and of
the controller's CPU (the whole process tree that was waited for), and their ratios; the figures are kept as JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from sshd import Hosts, sshd

HERE = Path(__file__).parent
W1 = HERE / "workloads" / "w1" / "site.yml"


def measure(command: list[str], environment: dict[str, str]) -> dict[str, float]:
    """Run `command`; give its wall and CPU seconds. Raises SystemExit with its output if it fails."""
    with tempfile.TemporaryFile() as output:
        begin = time.perf_counter()
        process = subprocess.Popen(
            command, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=os.environ | environment
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            output.seek(0)
            raise SystemExit(f"{' '.join(command)} ended with {process.returncode}:\n{output.read().decode()[-3000:]}")
    return {"wall": wall, "cpu": usage.ru_utime + usage.ru_stime, "peak_mb": usage.ru_maxrss / 1024}


def check_work(hosts: Hosts) -> None:
    """Raise SystemExit unless every host has every file of W1."""
    for number in range(len(hosts.addresses)):
        root = hosts.work / f"bench{number:04}"
        found = sum(1 for path in root.rglob("*"))
        if found < 10 + 8 + 4 + 1:
            raise SystemExit(f"{root}: only {found} files; the work was not done")


def contestants(ansible: str | None) -> dict[str, tuple[list[str], dict[str, str]]]:
    """Give the commands to measure and their environments."""
    found = {"pyplay": ([sys.executable, "-m", "pyplay"], {})}
    if ansible:
        settings = {"ANSIBLE_PIPELINING": "1", "ANSIBLE_FORKS": "10", "ANSIBLE_HOST_KEY_CHECKING": "1"}
        found["ansible-core"] = ([f"{ansible}/ansible-playbook"], settings)
    return found


def main() -> None:
    """Measure, print, and keep the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hosts", type=int, default=10)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--ansible", help="directory of ansible-playbook; without it only pyplay is measured")
    parser.add_argument("--python", default="/usr/bin/python3", help="the hosts' interpreter")
    parser.add_argument("--out", default="benchmark.json")
    options = parser.parse_args()
    figures: dict[str, dict[str, list[dict[str, float]]]] = {}
    with (
        tempfile.TemporaryDirectory(prefix="pyplay-bench-") as directory,
        sshd(Path(directory), options.hosts, options.python) as hosts,
    ):
        for number in range(options.runs):
            for name, (command, environment) in contestants(options.ansible).items():
                for kind in ("cold", "warm"):
                    if kind == "cold":
                        shutil.rmtree(hosts.work, ignore_errors=True)
                    result = measure([*command, "-i", str(hosts.inventory), str(W1)], environment)
                    check_work(hosts)
                    figures.setdefault(name, {}).setdefault(kind, []).append(result)
                    print(
                        f"run {number + 1} {name:13} {kind}: {result['wall']:7.2f} s wall {result['cpu']:7.2f} s controller CPU",
                        flush=True,
                    )
    report(figures)
    Path(options.out).write_text(json.dumps({"workload": "w1", "hosts": options.hosts, "figures": figures}, indent=1))


def report(figures: dict[str, dict[str, list[dict[str, float]]]]) -> None:
    """Print medians and, against pyplay, ratios."""
    for kind in ("cold", "warm"):
        median = {
            name: {key: statistics.median(r[key] for r in runs[kind]) for key in ("wall", "cpu")}
            for name, runs in figures.items()
        }
        for name, values in median.items():
            ratios = "".join(f"  {key} x{values[key] / median['pyplay'][key]:.1f}" for key in ("wall", "cpu"))
            print(f"{kind} {name:13} wall {values['wall']:.2f} s  controller CPU {values['cpu']:.2f} s{ratios}")


if __name__ == "__main__":
    main()
