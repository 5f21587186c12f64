"""Reading the kept figures: medians, ratios between contestants, slopes."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def middle(runs: Sequence[Mapping[str, float]], key: str) -> float:
    """Give the median of a figure."""
    return statistics.median(run[key] for run in runs)


@dataclass(frozen=True)
class Figures:
    """What `run.py` kept. What was not measured raises KeyError."""

    kept: Mapping[str, Any]

    def runs(self, workload: str, who: str = "pyplay") -> list[dict[str, float]]:
        """Give the runs of a contestant."""
        return self.kept["workloads"][workload]["figures"][who]

    def one(self, workload: str, key: str, who: str = "pyplay") -> float:
        """Give the median of a contestant's figure."""
        return middle(self.runs(workload, who), key)

    def peak(self, workload: str, key: str = "peak_mb") -> float:
        """Give the largest memory of pyplay's runs."""
        return max(run[key] for run in self.runs(workload))

    def over_floor(self, workload: str, key: str) -> float:
        """Give pyplay : floor, the median of what was found in each turn."""
        pairs = zip(self.runs(workload), self.runs(workload, "floor"), strict=False)
        return statistics.median(own[key] / floor[key] for own, floor in pairs)

    def against(self, workload: str, who: str, key: str, own: str = "pyplay") -> float:
        """Give rival : pyplay; a rival of an earlier day is weighed by what the floor took then and takes now."""
        ratio = self.one(workload, key, who) / self.one(workload, key, own)
        then = self.kept["workloads"][workload].get("floors", {}).get(who)
        return ratio * self.one(workload, key, "floor") / then[key] if then and key in then else ratio

    def slope(self, small: str, large: str, more: int) -> float:
        """Give the milliseconds of CPU that each of `more` host-tasks costs: a long and a short run of each turn."""
        pairs = zip(self.runs(large), self.runs(small), strict=True)
        return statistics.median(long["cpu"] - short["cpu"] for long, short in pairs) / more * 1000
