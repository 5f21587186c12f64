"""What is noticed while rendering reaches the result, and secrets reach the controller."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bench import Bench


def test_a_warning_of_a_template_is_one_of_the_result(bench: Bench) -> None:
    result = bench.run("debug: {msg: \"{{ lookup('file', 'nowhere', errors='warn') }}\"}")
    assert "lookup 'file' failed" in result.result["warnings"][0]
