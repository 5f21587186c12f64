"""The recap: one line per host, and what set_stats collected."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.report.dump import dump

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pyplay.report.events import HostStats
    from pyplay.report.output import Output


def recap_line(host: str, s: HostStats, output: Output) -> str:
    """Give the recap's line of `host`."""
    colour = "error" if s.failed or s.unreachable else "changed" if s.changed else "ok"
    counts = (("ok", s.ok, "ok"), ("changed", s.changed, "changed"), ("unreachable", s.unreachable, "unreachable"),
              ("failed", s.failed, "error"), ("skipped", s.skipped, "skip"), ("rescued", s.rescued, "ok"),
              ("ignored", s.ignored, "warn"))  # fmt: skip
    figures = " ".join(output.painted(f"{name}={n:<4}", tint) if n else f"{name}={n:<4}" for name, n, tint in counts)
    shown = output.safe(host)
    return f"{output.painted(shown, colour)}{' ' * (26 - len(shown))} : {figures}"


def custom_lines(custom: Mapping[str, Any], safe: Callable[[str], str]) -> Iterator[str]:
    """Give a line per host with the values of set_stats, those of the run under `RUN`."""
    for name in sorted(custom):
        yield safe(f"\t{'RUN' if name == '_run' else name}: {dump(custom[name])}")
