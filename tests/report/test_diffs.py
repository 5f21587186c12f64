"""Diffs of results."""

from __future__ import annotations

from typing import Any

import pytest

from pyplay.report.diffs import diff_text


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
