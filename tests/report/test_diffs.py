"""Diffs of results."""

from __future__ import annotations

from typing import Any

import pytest

from pyplay.report.diffs import diff_text
from pyplay.report.shown import exact


@pytest.mark.parametrize(
    "diff",
    [
        pytest.param({"before": "a\n", "after": "\x1b[31m\r\x07\n"}, id="contents"),
        pytest.param({"before": "", "after": "x\n", "after_header": "\x1b[2J"}, id="header"),
        pytest.param({"prepared": "\x1b[31m"}, id="prepared"),
        pytest.param([5, "x", None, {"before": 5, "after": {"a": "\x1b"}}], id="no diffs"),
    ],
)
def test_a_diff_cannot_steer_the_terminal(diff: Any) -> None:
    assert not set(diff_text(diff)) & set("\x1b\x07\r")


@pytest.mark.parametrize("separator", ["\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"])
def test_only_a_newline_ends_a_line(separator: str) -> None:
    diff = {"before": f"a{separator}b\n", "after": f"a{separator}c\n"}
    assert diff_text(diff, exact) == f"--- before\n+++ after\n@@ -1 +1 @@\n-a{separator}b\n+a{separator}c\n\n"
    assert diff_text({"prepared": f"+a{separator}b\n"}, exact) == f"+a{separator}b\n"


def test_other_line_ends_are_a_difference() -> None:
    diff = {"before": "a\n", "after": "a\r\n"}
    assert diff_text(diff, exact).endswith("\n-a\n+a\r\n\n")
    assert diff_text(diff).endswith("\n-a\n+a\\x0d\n\n")


def test_lines_that_look_like_headers_keep_their_blanks() -> None:
    assert "\n+++ x  \n" in diff_text({"before": "", "after": "a\n++ x  \n"})
