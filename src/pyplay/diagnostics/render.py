"""Renderings of a diagnostic: text with the line and a caret, and JSON."""

from __future__ import annotations

import os
import unicodedata
from itertools import islice
from typing import TYPE_CHECKING

from pyplay.diagnostics.model import Severity

if TYPE_CHECKING:
    from pyplay.diagnostics.model import Diagnostic, Origin

RESET = "\x1b[0m"
BOLD = "\x1b[1m"
BLUE = "\x1b[1;34m"
SEVERITY_COLORS = {
    Severity.ERROR: "\x1b[1;31m",
    Severity.WARNING: "\x1b[1;35m",
    Severity.DEPRECATION: "\x1b[35m",
    Severity.NOTE: "\x1b[36m",
}
MAX_SHOWN = 160
"""Widest piece of a source line that is shown, in columns."""


def render_text(diagnostic: Diagnostic, *, color: bool = False, show_source: bool = True) -> str:
    """Give `diagnostic` as text for people, without a newline at its end.

    The source line is read from the file named by the origin, if that is a readable file; a line that may hold a
    secret is left out with `show_source` false. Control characters are escaped.
    """
    paint = _Paint(color)
    head = paint(SEVERITY_COLORS[diagnostic.severity], f"{diagnostic.severity}[{diagnostic.code}]")
    lines = [f"{head}: {paint(BOLD, escape(diagnostic.message))}"]
    origin = diagnostic.origin
    source = _source(diagnostic) if show_source else None
    gutter = _gutter(origin, source)
    if origin:
        lines.append(f"{gutter} {paint(BLUE, '-->')} {escape(str(origin))}")
    return "\n".join([*lines, *_details(diagnostic, source, gutter, paint)])


def render_core_form(diagnostic: Diagnostic, *, color: bool = False) -> str:
    """Give `diagnostic` as `render_text` does, but with first lines in the form of ansible-core's.

    Programs that parse them (ansible-lint, editors) look for `[ERROR]: what` and `Origin: path:line:column`.
    """
    paint = _Paint(color)
    tag = f"[{diagnostic.severity.upper()}]"
    lines = [f"{paint(SEVERITY_COLORS[diagnostic.severity], tag)}: {paint(BOLD, escape(diagnostic.message))}"]
    origin = diagnostic.origin
    source = _source(diagnostic)
    if origin:
        lines.append(f"Origin: {escape(str(origin))}")
    return "\n".join([*lines, *_details(diagnostic, source, _gutter(origin, source), paint)])


def render_json(diagnostic: Diagnostic) -> str:
    """Give `diagnostic` as one line of JSON; fields that say nothing are left out."""
    data: dict[str, object] = {
        "code": diagnostic.code,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
    }
    if origin := diagnostic.origin:
        data["path"] = origin.path
        data |= {name: value for name, value in (("line", origin.line), ("column", origin.column)) if value}
        if diagnostic.length:
            data["length"] = diagnostic.length
    for name in ("label", "help", "key"):
        if value := getattr(diagnostic, name):
            data[name] = value
    if diagnostic.notes:
        data["notes"] = list(diagnostic.notes)
    import json  # noqa: PLC0415  # only where JSON is asked for

    return json.dumps(data, ensure_ascii=False)


def _source(diagnostic: Diagnostic) -> str | None:
    if diagnostic.source is not None or diagnostic.origin is None:
        return diagnostic.source or None
    return source_line(diagnostic.origin)


def source_line(origin: Origin) -> str | None:
    """Give the line that `origin` points at, without its newline; None where no file has it that can be read again."""
    if not origin.line or origin.path.startswith("<") or not os.path.isfile(origin.path):  # noqa: PTH113  # plain text
        return None
    try:
        with open(origin.path, encoding="utf-8-sig", errors="replace") as file:  # noqa: PTH123  # plain text
            line = first = next(file, "")
            if origin.line > 1:
                line = next(islice(file, origin.line - 2, None), None)
    except OSError:
        return None
    if line is None or first.startswith("$ANSIBLE_VAULT"):  # what is counted are lines of the text inside
        return None
    return line.rstrip("\n")


def escape(text: str) -> str:
    """Give `text` with control characters (newline and tab aside) made visible, so that no terminal obeys them."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t" else c.encode("unicode_escape").decode() for c in text)


class _Paint:
    """Wraps text in terminal colours, or leaves it alone."""

    def __init__(self, color: bool) -> None:  # noqa: FBT001  # its only argument
        self.color = color

    def __call__(self, code: str, text: str) -> str:
        return f"{code}{text}{RESET}" if self.color else text


def _gutter(origin: Origin | None, source: str | None) -> str:
    return " " * len(str(origin.line)) if origin and source is not None else " "


def _details(diagnostic: Diagnostic, source: str | None, gutter: str, paint: _Paint) -> list[str]:
    """Give the lines below message and place: the excerpt, notes, help."""
    lines: list[str] = []
    if diagnostic.origin and source is not None:
        lines += _excerpt(diagnostic, diagnostic.origin, source, gutter, paint)
    elif diagnostic.origin and diagnostic.label:
        lines.append(f"{gutter} {paint(BLUE, '=')} {escape(diagnostic.label)}")
    lines += [_footer("note", note, gutter, paint) for note in diagnostic.notes]
    if diagnostic.help:
        lines.append(_footer("help", diagnostic.help, gutter, paint))
    return lines


def _footer(kind: str, text: str, gutter: str, paint: _Paint) -> str:
    first, *rest = escape(text).splitlines() or [""]
    body = "\n".join([first, *(f"{gutter}   {' ' * len(kind)}  {line}" for line in rest)])
    return f"{gutter} {paint(BLUE, '=')} {paint(BOLD, kind)}: {body}"


def _excerpt(diagnostic: Diagnostic, origin: Origin, source: str, gutter: str, paint: _Paint) -> list[str]:
    bar = paint(BLUE, "|")
    column = min(origin.column - 1, len(source)) if origin.column else -1
    before, marked, after = _cut(source, max(column, 0), diagnostic.length)
    lines = [f"{gutter} {bar}", f"{paint(BLUE, str(origin.line))} {bar} {before}{marked}{after}".rstrip()]
    if column >= 0:
        caret = "^" * max(1, _width(marked))
        label = f" {escape(diagnostic.label)}" if diagnostic.label else ""
        lines.append(
            f"{gutter} {bar} {' ' * _width(before)}{paint(SEVERITY_COLORS[diagnostic.severity], caret + label)}"
        )
    elif diagnostic.label:
        lines.append(f"{gutter} {bar} {escape(diagnostic.label)}")
    return lines


def _cut(source: str, column: int, length: int) -> tuple[str, str, str]:
    """Split a source line into what is before, under and after the caret, all safe to print and not too wide."""
    start = 0
    if column > MAX_SHOWN - 40:
        start = column - 40
    before = source[start:column]
    marked = source[column : column + max(length, 1)][: MAX_SHOWN - len(before)]
    room = MAX_SHOWN - len(before) - len(marked)
    tail = source[column + len(marked) :]
    after = tail[:room] + ("…" if len(tail) > room else "")
    shown = [escape(part.replace("\t", "    ")) for part in (before, marked, after)]
    if start:
        shown[0] = "…" + shown[0]
    return shown[0], shown[1], shown[2]


def _width(text: str) -> int:
    """Give how many terminal columns `text` takes."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(bool(unicodedata.combining(c)) for c in text)
