from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyplay.diagnostics.suggest import did_you_mean, distance, nearest

KEYWORDS = ["when", "with_items", "become", "become_user", "tags", "name", "notify", "register"]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("wehn", "when"),
        ("becom", "become"),
        ("become-user", "become_user"),
        ("Register", "register"),
        ("regsiter", "register"),
        ("xyz", None),
        ("a", None),
        ("", None),
    ],
)
def test_the_nearest_word_is_the_one_that_was_meant(word: str, expected: str | None) -> None:
    assert nearest(word, KEYWORDS) == expected


def test_no_match_gives_no_help() -> None:
    assert not did_you_mean("frobnicate", KEYWORDS)
    assert did_you_mean("tgas", KEYWORDS) == "did you mean 'tags'?"


@given(st.text(max_size=8), st.text(max_size=8))
def test_distance_is_symmetric_and_zero_for_equals(left: str, right: str) -> None:
    assert distance(left, left, 3) == 0
    assert distance(left, right, 20) == distance(right, left, 20)
    assert (distance(left, right, 20) == 0) == (left == right)


@given(st.text(max_size=8), st.text(max_size=8), st.integers(0, 4))
def test_a_limit_only_caps(left: str, right: str, limit: int) -> None:
    assert distance(left, right, limit) == min(distance(left, right, 20), limit + 1)
