"""What `--forks` costs and gains: the same work with fewer and more hosts in flight."""

from __future__ import annotations

from typing import TYPE_CHECKING

import contestants as by
from catalogue import DIRECTORY
from figures import middle
from measure import measure

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sshd import Hosts

NUMBERS = (1, 5, 10, 25, 50, 100)
WORK = {"W4, ping, 50 hosts": ("ping", 50), "W4, ping, 100 hosts": ("ping", 100), "W1, 50 hosts": ("w1", 50)}
RUNS = 3
KEYS = ("wall", "cpu", "hosts_cpu")

Table = dict[str, list[dict[str, float]]]


def forks(hosts: Hosts) -> Table:
    """Give for each work, by number of forks, the medians of a few runs' wall time and CPU."""
    table: Table = {}
    for title, (name, count) in WORK.items():
        for number in (each for each in NUMBERS if each <= count):
            call = by.pyplay(DIRECTORY / name / "site.yml", hosts.first(count), number)
            runs = [measure(call, hosts)[0] for _ in range(RUNS)]
            found = {key: middle(runs, key) for key in KEYS}
            table.setdefault(title, []).append({"forks": number, **found})
            print(f"forks: {title}, {number}: {found['wall']:.2f} s wall, {found['cpu']:.2f} s CPU", flush=True)
    return table


def rows(table: Mapping[str, list[dict[str, float]]]) -> Iterator[str]:
    """Give the table of docs/performance.md: a line for each work, a column for each number."""
    yield f"| wall s; controller's CPU s (hosts') with `forks` | {' | '.join(map(str, NUMBERS))} |"
    yield "|---|" + "---:|" * len(NUMBERS)
    for title, found in table.items():
        by_number = {row["forks"]: f"{row['wall']:.2f}; {row['cpu']:.2f} ({row['hosts_cpu']:.1f})" for row in found}
        yield f"| {title} | {' | '.join(by_number.get(number, '') for number in NUMBERS)} |"
