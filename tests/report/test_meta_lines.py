"""What meta actions tell of themselves."""

from __future__ import annotations

import pytest

from pyplay.engine.meta import EACH, ONCE
from pyplay.report.meta_lines import meta_lines


@pytest.mark.parametrize("action", ONCE)
def test_what_happens_once_is_told_once(action: str) -> None:
    (line,) = meta_lines(action, ())
    assert line.startswith("META: ")


@pytest.mark.parametrize("action", EACH)
def test_what_happens_for_each_host_is_told_for_each(action: str) -> None:
    assert len(meta_lines(action, ["a", "b"])) == 2


def test_the_host_is_named() -> None:
    assert meta_lines("end_host", ["{a}", "b"]) == ["META: ending play for {a}", "META: ending play for b"]
