"""Make the tables of docs/performance.md from the figures that `run.py` kept.

    python benchmarks/report.py [benchmarks/results.json] [docs/performance.md]

Everything in the page between the two marker lines is replaced; the words around it are written by hand.
"""

from __future__ import annotations

import json
import statistics
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"
ROOT = Path(__file__).parent.parent
ORDER = ("floor", "pyplay", "pyinfra", "mitogen", "ansible-core")


def middle(runs: Sequence[Mapping[str, float]], key: str) -> float:
    """Give the median of a figure."""
    return statistics.median(run[key] for run in runs)


def lines(kept: Mapping[str, Any]) -> Iterator[str]:
    """Give the page's generated part."""
    machine, versions = kept["machine"], kept.get("versions", {})
    yield f"{machine['cores']} cores, {machine['system']}, Python {machine['python']}; medians; ratios are to pyplay."
    if versions:
        yield "Rivals: " + ", ".join(versions.values()) + "."
    yield ""
    yield "| | who | wall s | CPU s | hosts' CPU s | peak MB | wall : pyplay | CPU : pyplay |"
    yield "|---|---|---:|---:|---:|---:|---:|---:|"
    for workload in kept["workloads"].values():
        figures = workload["figures"]
        own = figures["pyplay"]
        title = workload["title"]
        for who in sorted(figures, key=ORDER.index):
            runs = figures[who]
            cells = [f"{middle(runs, key):.2f}" for key in ("wall", "cpu", "hosts_cpu")]
            peak = f"{max(run['peak_mb'] for run in runs):.0f}"
            there = max(run.get("hosts_peak_mb", 0) for run in runs)
            cells.append(f"{peak} (hosts {there:.0f})" if there else peak)
            cells += [f"{middle(runs, key) / middle(own, key):.2f}" for key in ("wall", "cpu")]
            yield f"| {title} | {who} | {' | '.join(cells)} |"
            title = ""
    if "growth" in kept:
        yield ""
        yield "| growth of | number | CPU s | peak MB |"
        yield "|---|---:|---:|---:|"
        for kind, rows in kept["growth"].items():
            for row in rows:
                yield f"| {kind} | {row['size']} | {row['cpu']:.2f} | {row['peak_mb']:.0f} |"


def main(figures: Path, page: Path) -> None:
    """Put the tables into the page."""
    text = page.read_text()
    head, rest = text.split(BEGIN)
    _, tail = rest.split(END)
    page.write_text(head + BEGIN + "\n\n" + "\n".join(lines(json.loads(figures.read_text()))) + "\n\n" + END + tail)


if __name__ == "__main__":
    given = [Path(word) for word in sys.argv[1:]]
    main(*(given + [ROOT / "benchmarks" / "results.json", ROOT / "docs" / "performance.md"][len(given) :]))
