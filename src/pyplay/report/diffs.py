"""Diffs of results as text."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any, cast

from pyplay.report.colour import paint
from pyplay.report.shown import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

_HEADER_LINES = 2


def diff_text(
    diff: Any,
    safe: Callable[[str], str] = printable,
    *,
    context: int = 3,
    palette: Mapping[str, str] | None = None,
) -> str:
    """Give the unified diff that a result's `diff` (one, or a list of them) describes, "" for nothing to show.

    `safe` makes what a host sent fit for where the text goes; `context` lines are shown around a difference; with a
    `palette` the lines are coloured.
    """
    parts = cast("list[object]", diff if isinstance(diff, list) else [diff])
    shown = (_one_diff(part, safe, context, palette) for part in parts if isinstance(part, dict))  # pyright: ignore[reportUnknownArgumentType]  # any keys
    return "".join(line for lines in shown for line in lines)


def _one_diff(
    diff: Mapping[str, Any], safe: Callable[[str], str], context: int, palette: Mapping[str, str] | None
) -> Iterator[str]:
    if diff.get("dst_binary"):
        yield "diff skipped: destination file appears to be binary\n"
    if diff.get("src_binary"):
        yield "diff skipped: source file appears to be binary\n"
    if diff.get("dst_larger"):
        yield safe(f"diff skipped: destination file size is greater than {diff['dst_larger']}\n")
    if diff.get("src_larger"):
        yield safe(f"diff skipped: source file size is greater than {diff['src_larger']}\n")
    if "before" in diff and "after" in diff:
        before, after = _side(diff["before"]), _side(diff["after"])
        lines = _unified(before, after, _header("before", diff), _header("after", diff), context)
        yield from _coloured((_safe_line(line, safe) for line in lines), palette)
    if diff.get("prepared"):
        prepared = str(diff["prepared"])
        yield from _coloured((_safe_line(line, safe) for line in _lines(prepared)), palette)
        if not prepared.endswith("\n"):
            yield "\n"


def _side(value: Any) -> str:
    if isinstance(value, dict | list):
        return json.dumps(value, sort_keys=True, indent=4, default=str) + "\n"
    return str(value or "")


def _header(side: str, diff: Mapping[str, Any]) -> str:
    header = diff.get(f"{side}_header")
    return f"{side}: {header}" if header else side


def _unified(before: str, after: str, before_header: str, after_header: str, context: int) -> Iterator[str]:
    from pyplay.report.unified import unified_diff  # noqa: PLC0415  # most runs show no differences

    lines = list(unified_diff(_lines(before), _lines(after), before_header, after_header, context))
    for number, line in enumerate(lines):
        if line.endswith("\n"):
            yield line.rstrip(" \n") + "\n" if number < _HEADER_LINES or line.startswith("@@") else line
        else:
            yield f"{line}\n"
            yield "\\ No newline at end of file\n"
    if lines:
        yield "\n"


def _lines(text: str) -> list[str]:
    """Give the lines of `text` with their newlines: nothing else ends a line of a file."""
    return list(io.StringIO(text, newline="\n"))


def _safe_line(line: str, safe: Callable[[str], str]) -> str:
    """Give a line made fit; what stands before its newline is part of it, a carriage return, too."""
    return safe(line.removesuffix("\n")) + "\n" if line.endswith("\n") else safe(line)


def _coloured(lines: Iterable[str], palette: Mapping[str, str] | None) -> Iterator[str]:
    for line in lines:
        kind = f"diff{line[0]}" if line[:1] in ("+", "-", "@") else ""
        yield paint(line.rstrip("\n"), palette[kind]) + "\n" if palette and kind else line
