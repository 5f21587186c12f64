"""How results and banners read: the line forms that scripts grep for, free of any state."""

from __future__ import annotations

import difflib
import json
from typing import TYPE_CHECKING, Any, cast

from pyplay.diagnostics.model import Diagnostic
from pyplay.diagnostics.render import render_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pyplay.diagnostics.model import Origin

CENSORED = "the output has been hidden due to the fact that 'no_log: true' was specified for this result"
_LOOP_NAMES = ("ansible_loop_var", "ansible_index_var")
CENSORED_ITEM = "(censored due to no_log)"

_COLOURS = {
    "ok": "0;32", "changed": "0;33", "skip": "0;36", "error": "0;31", "unreachable": "1;31", "warn": "1;35",
    "deprecate": "0;35", "diff-": "0;31", "diff+": "0;32", "diff@": "0;36", "verbose": "0;34", "highlight": "1;37",
}  # fmt: skip


_LONG = 4096  # bits; longer numbers are shown in hexadecimal, for Python refuses to write them in decimal


def paint(text: str, colour: str, *, on: bool) -> str:
    """Give `text` in the named colour, line by line so that pagers keep it; unchanged when colours are off."""
    if not on:
        return text
    code = _COLOURS[colour]
    return "\n".join(f"\033[{code}m{line}\033[0m" if line else line for line in text.split("\n"))


def banner(text: str, width: int = 79) -> str:
    """Give a banner line: the text, filled up to one more than `width` columns with at least three stars."""
    return f"{text} {'*' * max(3, width - len(text))}"


def clean(result: Mapping[str, Any], *, verbosity: int = 0, action: str = "") -> dict[str, Any]:
    """Give what of `result` is shown: without internals, and without what only -vvv shows."""
    shown = {key: value for key, value in result.items() if not str(key).startswith("_ansible_")}
    if verbosity < 3:
        shown.pop("invocation", None)
        shown.pop("exception", None)
    for key in ("warnings", "deprecations", "diff", "ansible_loop"):
        shown.pop(key, None)
    skipped = shown.pop("skipped", False)
    if action.rpartition(".")[2] == "debug":
        for key in ("changed", "changed_when_result", "failed_when_result", "attempts", "skip_reason", *_LOOP_NAMES):
            shown.pop(key, None)
        if "msg" in shown and not skipped:
            shown = {"msg": shown["msg"]}
    shown.pop("failed", None)
    return shown


def dump(value: Any, *, indent: int | None = None) -> str:
    """Give `value` as JSON with sorted keys; what JSON cannot hold is shown as text."""
    try:
        return json.dumps(value, sort_keys=True, indent=indent, ensure_ascii=False, default=str)
    except (TypeError, ValueError):  # keys of mixed types cannot be sorted, numbers of 5,000 digits not be written
        return json.dumps(_writable(value), sort_keys=True, indent=indent, ensure_ascii=False, default=str)


def _writable(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _writable(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]  # any JSON-like value
    if isinstance(value, list):
        return [_writable(item) for item in value]  # pyright: ignore[reportUnknownVariableType]  # any JSON-like value
    if isinstance(value, int) and value.bit_length() > _LONG:
        return hex(value)
    return value


def excerpt(origin: Origin | None) -> str:
    """Give the place and the line itself with a caret under it, "" where nothing is known."""
    return render_text(Diagnostic("", "", origin)).partition("\n")[2] if origin else ""


def printable(text: str) -> str:
    """Give `text` with control characters escaped, so that a host cannot steer the terminal."""
    if text.isprintable():
        return text
    text = text.replace("\r\n", "\n")
    return "".join(c if c.isprintable() or c in "\n\t" else f"\\x{ord(c):02x}" for c in text)


def diff_text(diff: Any, *, colour: bool = False) -> str:
    """Give the unified diff that a result's `diff` (one, or a list of them) describes, "" for nothing to show."""
    parts = cast("list[object]", diff if isinstance(diff, list) else [diff])
    return "".join(line for part in parts if isinstance(part, dict) for line in _one_diff(part, colour=colour))  # pyright: ignore[reportUnknownArgumentType]  # any keys


def _one_diff(diff: Mapping[str, Any], *, colour: bool) -> Iterator[str]:
    if diff.get("dst_binary"):
        yield "diff skipped: destination file appears to be binary\n"
    if diff.get("src_binary"):
        yield "diff skipped: source file appears to be binary\n"
    if diff.get("dst_larger"):
        yield printable(f"diff skipped: destination file size is greater than {diff['dst_larger']}\n")
    if diff.get("src_larger"):
        yield printable(f"diff skipped: source file size is greater than {diff['src_larger']}\n")
    if "before" in diff and "after" in diff:
        before, after = _side(diff["before"]), _side(diff["after"])
        lines = _unified(before, after, _header("before", diff), _header("after", diff))
        yield from _coloured(map(printable, lines), colour=colour)
    if diff.get("prepared"):
        prepared = printable(str(diff["prepared"]))
        yield from _coloured(iter(prepared.splitlines(keepends=True)), colour=colour)
        if not prepared.endswith("\n"):
            yield "\n"


def _side(value: Any) -> str:
    if isinstance(value, dict | list):
        return json.dumps(value, sort_keys=True, indent=4, default=str) + "\n"
    return str(value or "")


def _header(side: str, diff: Mapping[str, Any]) -> str:
    header = diff.get(f"{side}_header")
    return f"{side}: {header}" if header else side


def _unified(before: str, after: str, before_header: str, after_header: str) -> Iterator[str]:
    sides = before.splitlines(keepends=True), after.splitlines(keepends=True)
    lines = list(difflib.unified_diff(*sides, before_header, after_header, n=3))
    for line in lines:
        if line.endswith("\n"):
            yield line.rstrip(" \n") + "\n" if line.startswith(("---", "+++", "@@")) else line
        else:
            yield f"{line}\n\\ No newline at end of file\n"
    if lines:
        yield "\n"


def _coloured(lines: Iterable[str], *, colour: bool) -> Iterator[str]:
    for line in lines:
        kind = f"diff{line[0]}" if line[:1] in ("+", "-", "@") else ""
        yield paint(line.rstrip("\n"), kind, on=True) + "\n" if colour and kind else line
