"""How pyplay's cost grows with the number of a thing: hosts, tasks, loop items, variables, facts, includes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import contestants as by
import generate
from measure import measure

if TYPE_CHECKING:
    from pathlib import Path

    from sshd import Hosts

SIZES = {
    "hosts": (1, 10, 100, 1000),
    "tasks": (10, 100, 1000, 10_000),
    "loop items": (1, 10, 100, 1000, 10_000),
    "variables": (10, 100, 1000, 10_000),
    "facts": (10, 100, 1000, 10_000),
    "includes": (1, 10, 100, 1000),
}
RUNS = 3


def growth(hosts: Hosts, directory: Path) -> dict[str, list[dict[str, float]]]:
    """Give for each kind, by size, the least of a few runs' wall time, CPU and memory."""
    table: dict[str, list[dict[str, float]]] = {}
    for kind, sizes in SIZES.items():
        for size in sizes:
            playbook = generate.many(directory) if kind == "hosts" else generate.grow(directory, kind, size)
            inventory = generate.local_hosts(directory, size if kind == "hosts" else 1)
            runs = [measure(by.pyplay(playbook, inventory, 50), hosts)[0] for _ in range(RUNS)]
            least = {key: min(run[key] for run in runs) for key in ("wall", "cpu", "peak_mb")}
            table.setdefault(kind, []).append({"size": size, **least})
            print(f"growth: {size} {kind}: {least['cpu']:.2f} s CPU, {least['peak_mb']:.0f} MB", flush=True)
    return table
