"""The marks: what is asked of pyplay, and how it is read off the figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from figures import Figures


@dataclass(frozen=True)
class Mark:
    """One mark: `asked` is the most that is allowed, or with `least` the least that is."""

    title: str
    asked: float
    read: Callable[[Figures], float]
    least: bool = False
    unit: str = ""
    of_floor: Callable[[Figures], float] | None = None  # what the floor would reach

    def row(self, figures: Figures) -> str:
        """Give its line of the table."""
        wanted = f"{'≥' if self.least else '≤'} {self.asked:g}{self.unit}"
        try:
            found = self.read(figures)
        except KeyError:
            return f"| {self.title} | {wanted} | not measured | | |"
        reached = found >= self.asked if self.least else found <= self.asked
        bound = _figure(self.of_floor, figures)
        return f"| {self.title} | {wanted} | {found:.3g}{self.unit} | {'yes' if reached else '**no**'} | {bound} |"


def _figure(read: Callable[[Figures], float] | None, figures: Figures) -> str:
    try:
        return f"{read(figures):.3g}" if read else ""
    except KeyError:
        return ""


def floor(title: str, asked: float, workload: str, key: str = "wall") -> Mark:
    """Give a mark against the floor."""
    return Mark(f"{title}: pyplay : floor", asked, lambda f: f.over_floor(workload, key))


def rival(title: str, who: str, asked: float, workload: str, key: str = "wall") -> Mark:
    """Give a mark against a rival."""
    return Mark(
        f"{title}: {who} : pyplay",
        asked,
        lambda f: f.against(workload, who, key),
        least=True,
        of_floor=lambda f: f.against(workload, who, key, "floor"),
    )


def per_task(title: str, asked: float, small: str, large: str, more: int) -> Mark:
    """Give a mark on what one host-task costs the controller."""
    return Mark(title, asked, lambda f: f.slope(small, large, more), unit=" ms")


def first_result(count: int) -> Mark:
    """Give the mark on how soon one of many hosts answers."""
    name = f"w4@{count}"
    return Mark(
        f"W4, {count} hosts: first result after the floor's",
        0.15,
        lambda f: f.one(name, "first") - f.one(name, "first", "floor"),
        unit=" s",
    )


MARKS = (
    floor("W1, 1 host, wall", 2.5, "w1-warm@1"),
    floor("W1, 10 hosts, wall", 2.0, "w1-warm@10"),
    floor("W1, 10 hosts 20 ms away, wall", 1.5, "w1-far@10"),
    floor("W1, 1 host 20 ms away, wall (tasks sent ahead)", 0.8, "w1-far@1"),
    rival("W1, 1 host, wall", "pyinfra", 3, "w1-warm@1"),
    rival("W1, 1 host, wall", "mitogen", 3, "w1-warm@1"),
    rival("W1, 1 host, wall", "ansible-core", 8, "w1-warm@1"),
    rival("W1, 10 hosts, wall", "pyinfra", 4, "w1-warm@10"),
    rival("W1, 10 hosts, wall", "mitogen", 10, "w1-warm@10"),
    rival("W1, 10 hosts, wall", "ansible-core", 40, "w1-warm@10"),
    floor("W1, 50 hosts, controller CPU", 2.5, "w1-warm@50", "cpu"),
    floor("W1, 50 hosts, hosts' CPU", 2.0, "w1-warm@50", "hosts_cpu"),
    per_task("steady remote task, controller CPU per host (W1, 30 to 300 tasks)", 0.8, "w1-warm@10", "w1x10@10", 2700),
    per_task("debug, set_fact or skipped task per host (W5, 30 to 300 tasks)", 0.15, "w5x30@50", "w5@50", 270 * 50),
    per_task("skipped task on one host (W7, 100 to 1,000 tasks)", 0.15, "w7-run100", "w7-run", 900),
    rival("W5, controller CPU", "ansible-core", 100, "w5@50", "cpu"),
    rival("W2, wall", "pyinfra", 5, "w2@10"),
    rival("W2, wall", "ansible-core", 6, "w2@10"),
    floor("W3, wall", 2.0, "w3@1"),
    rival("W3, wall", "mitogen", 5, "w3@1"),
    rival("W4, 200 hosts, controller CPU", "pyinfra", 1, "w4@200", "cpu"),
    rival("W4, 500 hosts, controller CPU", "pyinfra", 1, "w4@500", "cpu"),
    first_result(200),
    first_result(500),
    rival("W6, wall", "pyinfra", 1, "w6@1"),
    Mark("W6, peak memory of the controller", 100, lambda f: f.peak("w6@1"), unit=" MB"),
    Mark("W6, peak memory on the host", 100, lambda f: f.peak("w6@1", "hosts_peak_mb"), unit=" MB"),
    rival("W7, --list-tasks, wall", "ansible-core", 10, "w7--list-tasks"),
    rival("W7, --syntax-check, wall", "ansible-core", 10, "w7--syntax-check"),
    rival("W8, first of 10,000 hosts' results", "ansible-core", 10, "w8@10000", "first"),
    Mark(
        "W8, memory per host, 10,000 against 1,000 hosts",
        1,
        lambda f: f.peak("w8@10000") / 10_000 / (f.peak("w8@1000") / 1000),
    ),
    floor("`--version`, wall, floor `import click, yaml`", 1.5, "start--version"),
    floor("`--help`, wall, floor `import click, yaml`", 1.5, "start--help"),
)


def table(figures: Figures) -> Iterator[str]:
    """Give the table of marks; beside those against rivals, what the floor itself would reach."""
    yield "| mark | asked | found | reached | the floor's own |"
    yield "|---|---:|---:|---|---:|"
    for mark in MARKS:
        yield mark.row(figures)
