"""Make the tables and plots of docs/performance.md from the figures that `run.py` kept.

    python benchmarks/report.py [benchmarks/results.json] [docs/performance.md]

In the page, what stands between two lines `<!-- NAME: begin -->` and `<!-- NAME: end -->` is replaced, for the marks,
the forks, the figures and the growth; the words around it are written by hand. The plots need matplotlib and are left
as they are without.
"""

from __future__ import annotations

import importlib.util
import itertools
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import forks
import marks
from figures import Figures, middle

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ROOT = Path(__file__).parent.parent
ORDER = ("floor", "pyplay", "pyinfra", "mitogen", "ansible-core", "ansible-core, no pipelining")


def lines(kept: Mapping[str, Any]) -> Iterator[str]:
    """Give the table of all workloads and contestants."""
    machine, versions = kept["machine"], kept.get("versions", {})
    yield f"{machine['cores']} cores, {machine['system']}, Python {machine['python']}; medians; ratios are to pyplay."
    if versions:
        yield "Rivals: " + ", ".join(f"{name}: {version}" for name, version in versions.items()) + "."
    yield ""
    yield "| | who | wall s | first result s | CPU s | hosts' CPU s | peak MB | wall : pyplay | CPU : pyplay |"
    yield "|---|---|---:|---:|---:|---:|---:|---:|---:|"
    for name, workload in kept["workloads"].items():
        title = workload["title"]
        for who in sorted(workload["figures"], key=ORDER.index):
            yield f"| {title} | {who} | {' | '.join(cells(Figures(kept), name, who))} |"
            title = ""


def cells(figures: Figures, workload: str, who: str) -> Iterator[str]:
    """Give a contestant's figures of a workload; one that was ended at its first result has nothing else."""
    runs = figures.runs(workload, who)
    stopped = workload == "w8@10000" and who != "pyplay"
    yield "-" if stopped else f"{middle(runs, 'wall'):.2f}"
    yield f"{middle(runs, 'first'):.2f}" if all("first" in run for run in runs) else ""
    for key in ("cpu", "hosts_cpu"):
        yield "-" if stopped else f"{middle(runs, key):.2f}"
    there = max(run.get("hosts_peak_mb", 0) for run in runs)
    yield f"{max(run['peak_mb'] for run in runs):.0f}" + (f" (hosts {there:.0f})" if there else "")
    for key in ("wall", "cpu"):
        yield "-" if stopped else f"{figures.against(workload, who, key):.2f}"


def grown(table: Mapping[str, list[dict[str, float]]]) -> Iterator[str]:
    """Give the table of how cost grows: beside each size what each of the things added costs."""
    yield "| growth of | number | wall s | CPU s | CPU ms for each more | peak MB |"
    yield "|---|---:|---:|---:|---:|---:|"
    for kind, rows in table.items():
        for before, row in itertools.pairwise([None, *rows]):
            more = (row["cpu"] - before["cpu"]) / (row["size"] - before["size"]) * 1000 if before else None
            each = "" if more is None else f"{more:.3f}"
            yield f"| {kind} | {row['size']:,} | {row['wall']:.2f} | {row['cpu']:.2f} | {each} | {row['peak_mb']:.0f} |"


def put(text: str, name: str, content: str) -> str:
    """Give the page with a part replaced. Raises SystemExit if the page has no such part."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    found, count = re.subn(f"{begin}.*?{end}", lambda _: f"{begin}\n\n{content}\n\n{end}", text, flags=re.DOTALL)
    if count != 1:
        raise SystemExit(f"the page needs one part between {begin} and {end}")
    return found


def main(figures: Path, page: Path) -> None:
    """Put tables and plots into the page."""
    kept = json.loads(figures.read_text())
    text = put(page.read_text(), "marks", "\n".join(marks.table(Figures(kept))))
    text = put(text, "figures", "\n".join(lines(kept)))
    if "forks" in kept:
        text = put(text, "forks", "\n".join(forks.rows(kept["forks"])))
    if "growth" in kept:
        text = put(text, "growth", "\n".join(grown(kept["growth"])))
        if importlib.util.find_spec("matplotlib"):
            import plots  # noqa: PLC0415 - matplotlib is in the benchmark extra only

            plots.draw(kept["growth"], page.with_name("growth.svg"))
    page.write_text(text)


if __name__ == "__main__":
    given = [Path(word) for word in sys.argv[1:]]
    main(*(given + [ROOT / "benchmarks" / "results.json", ROOT / "docs" / "performance.md"][len(given) :]))
