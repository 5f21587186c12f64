"""Unified diffs: those of difflib, but in bounded time."""

from __future__ import annotations

import difflib
import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyplay.report.unified import unified_diff

TEXTS = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n"]), max_size=30)


@given(TEXTS, TEXTS, st.integers(0, 4))
def test_a_diff_is_that_of_difflib(before: list[str], after: list[str], context: int) -> None:
    expected = list(difflib.unified_diff(before, after, "old", "new", n=context))
    assert list(unified_diff(before, after, "old", "new", context)) == expected


def _applied(before: list[str], diff: list[str]) -> list[str]:
    """Return what `patch` makes of `before`."""
    result, at = [], 0
    for line in diff[2:]:
        if line.startswith("@@"):
            start, _, length = line.split()[1][1:].partition(",")
            begin = int(start) - (length != "0")
            result += before[at:begin]
            at = begin
        elif line[0] != "+":
            assert before[at] == line[1:]
            result += [line[1:]] if line[0] == " " else []
            at += 1
        else:
            result.append(line[1:])
    return result + before[at:]


@given(TEXTS, TEXTS, st.integers(0, 4))
def test_a_diff_that_was_given_up_is_one_change_that_makes_the_other_text(
    before: list[str], after: list[str], context: int
) -> None:
    diff = list(unified_diff(before, after, "old", "new", context, most=-1))
    assert _applied(before, diff) == after
    assert sum(line.startswith("@@") for line in diff) == (before != after)


def _halves(size: int) -> list[str]:
    return [f"{n % (size // 180)}\n" for n in range(size)]


SHAPES = {
    "every line often": (_halves(100_000), _halves(100_000)[::-1]),
    "in another order": (
        [f"{n}\n" for n in range(60_000)],
        random.Random(1).sample([f"{n}\n" for n in range(60_000)], 60_000),
    ),
    "all new": (["x\n"] * 200_000, ["y\n"] * 200_000),
    "the same line": (["x\n"] * 199, ["x\n"] * 150_000),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_no_text_takes_long(shape: str) -> None:
    before, after = SHAPES[shape]
    begin = time.process_time()
    diff = list(unified_diff(before, after, "old", "new", 3))
    assert time.process_time() - begin < 15
    assert _applied(before, diff) == after
