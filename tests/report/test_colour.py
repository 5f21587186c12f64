"""Colours by the names that Ansible's settings have for them."""

from __future__ import annotations

import pytest

from pyplay.report.colour import PALETTE, paint, palette


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("bright red", "1;31"), (" Dark Gray ", "1;30"), ("color9", "38;5;9"), ("color256", ""), ("gray3", "38;5;235"),
        ("gray24", ""), ("rgb555", "38;5;231"), ("rgb006", ""), ("normal", "0"), ("mauve", ""),
    ],
)  # fmt: skip
def test_a_kind_of_text_has_the_colour_that_is_named(name: str, code: str) -> None:
    assert palette({"ok": name}) == {**PALETTE, "ok": code or PALETTE["ok"]}


def test_every_line_is_coloured_by_itself() -> None:
    assert paint("a\n\nb", "0;31") == "\033[0;31ma\033[0m\n\n\033[0;31mb\033[0m"
