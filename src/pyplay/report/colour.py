"""Colours of a terminal, by what they stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyplay.diagnostics.patterns import late_pattern

if TYPE_CHECKING:
    from collections.abc import Mapping

PALETTE: Mapping[str, str] = {
    "ok": "0;32", "changed": "0;33", "skip": "0;36", "error": "0;31", "unreachable": "1;31", "warn": "1;35",
    "deprecate": "0;35", "diff-": "0;31", "diff+": "0;32", "diff@": "0;36", "verbose": "0;34", "highlight": "1;37",
}  # fmt: skip
"""The parameters of the terminal's colour for each kind of text."""

_NAMES = {
    "black": "0;30", "bright gray": "0;37", "blue": "0;34", "white": "1;37", "green": "0;32", "bright blue": "1;34",
    "cyan": "0;36", "bright green": "1;32", "red": "0;31", "bright cyan": "1;36", "purple": "0;35",
    "bright red": "1;31", "yellow": "0;33", "bright purple": "1;35", "dark gray": "1;30", "bright yellow": "1;33",
    "magenta": "0;35", "bright magenta": "1;35", "normal": "0",
}  # fmt: skip
_NUMBERED = late_pattern(r"color(\d{1,3})|gr[ae]y(\d{1,2})|rgb([0-5])([0-5])([0-5])")


def palette(named: Mapping[str, str]) -> Mapping[str, str]:
    """Give the palette in which `named` kinds of text have the colours of these names.

    Names are those of Ansible's settings: `bright red`, `color9`, `gray3`, `rgb512`. What is no colour changes nothing.
    """
    codes = {kind: _code(name.strip().lower()) for kind, name in named.items()}
    return {**PALETTE, **{kind: code for kind, code in codes.items() if code}}


def _code(name: str) -> str:
    found = _NUMBERED.fullmatch(name)
    if found is None:
        return _NAMES.get(name, "")
    number, gray, *rgb = found.groups()
    if number:
        return f"38;5;{number}" if int(number) < 256 else ""  # colours of a terminal
    if gray:
        return f"38;5;{232 + int(gray)}" if int(gray) < 24 else ""  # its shades of gray
    red, green, blue = map(int, rgb)
    return f"38;5;{16 + 36 * red + 6 * green + blue}"


def paint(text: str, code: str) -> str:
    """Give `text` in the colour that `code` is, line by line so that pagers keep it."""
    return "\n".join(f"\033[{code}m{line}\033[0m" if line else line for line in text.split("\n"))
