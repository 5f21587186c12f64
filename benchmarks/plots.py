"""Draw how pyplay's cost grows: one panel for each kind of thing, CPU time and memory against their number."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib as mpl
from matplotlib.figure import Figure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from matplotlib.axes import Axes

COLUMNS = 3
CPU, MEMORY = "tab:blue", "tab:orange"
TICKS = (0.1, 0.3, 1, 3, 10), (30, 60, 120)


def draw(table: Mapping[str, Sequence[Mapping[str, float]]], path: Path) -> None:
    """Write the plot (SVG) of a table of growth to `path`; the same figures make the same file."""
    mpl.rcParams.update({"svg.hashsalt": "growth", "font.size": 8, "svg.fonttype": "none"})
    rows = -(-len(table) // COLUMNS)
    figure = Figure(figsize=(9, 2.6 * rows), layout="constrained")
    panels = figure.subplots(rows, COLUMNS, sharey=True, squeeze=False).flat
    for (kind, points), axes in zip(table.items(), panels, strict=False):
        panel(axes, kind, points)
    figure.savefig(path, format="svg", metadata={"Date": None})


def panel(axes: Axes, kind: str, points: Sequence[Mapping[str, float]]) -> None:
    """Draw one kind: CPU seconds on the left, MB of the largest process on the right, all axes logarithmic."""
    sizes = [point["size"] for point in points]
    axes.loglog(sizes, [point["cpu"] for point in points], "o-", color=CPU, label="CPU s")
    base, last = points[0]["cpu"], points[-1]
    each = (last["cpu"] - base) / (last["size"] - points[0]["size"])
    axes.loglog(sizes, [base + each * (size - sizes[0]) for size in sizes], ":", color=CPU, label="linear")
    memory = axes.twinx()
    memory.loglog(sizes, [point["peak_mb"] for point in points], "s-", color=MEMORY, label="MB")
    for each_axes, ticks, name, color in ((axes, TICKS[0], "CPU s", CPU), (memory, TICKS[1], "peak MB", MEMORY)):
        each_axes.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
        each_axes.set_ylim(ticks[0] * 0.8, ticks[-1] * 1.2)
        each_axes.minorticks_off()
        each_axes.set_ylabel(name, color=color)
    axes.set_title(kind)
