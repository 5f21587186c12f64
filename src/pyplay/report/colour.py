"""Colours of a terminal, by what they stand for."""

from __future__ import annotations

_COLOURS = {
    "ok": "0;32", "changed": "0;33", "skip": "0;36", "error": "0;31", "unreachable": "1;31", "warn": "1;35",
    "deprecate": "0;35", "diff-": "0;31", "diff+": "0;32", "diff@": "0;36", "verbose": "0;34", "highlight": "1;37",
}  # fmt: skip


def paint(text: str, colour: str, *, on: bool) -> str:
    """Give `text` in the named colour, line by line so that pagers keep it; unchanged when colours are off."""
    if not on:
        return text
    code = _COLOURS[colour]
    return "\n".join(f"\033[{code}m{line}\033[0m" if line else line for line in text.split("\n"))
