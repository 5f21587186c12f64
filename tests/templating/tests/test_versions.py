"""Orders of versions, as their standards give them."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyplay.templating.filters.errors import FilterError
from pyplay.templating.tests.versions import PARSERS, version

ORDERED = {
    # semver.org 2.0.0 §11
    "semver": ["1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "2.0.0", "2.1.0", "2.1.1"],
    # PEP 440, "Summary of permitted suffixes and relative ordering"
    "pep440": ["1.dev0", "1.0.dev456", "1.0a1", "1.0a2.dev456", "1.0a12.dev456", "1.0a12", "1.0b1.dev456", "1.0b2", "1.0b2.post345.dev456", "1.0b2.post345", "1.0rc1.dev456", "1.0rc1", "1.0", "1.0+abc.5", "1.0+abc.7", "1.0+5", "1.0.post456.dev34", "1.0.post456", "1.0.15", "1.1.dev1", "1!0.1"],
    "strict": ["0.4", "0.4.1", "0.5a1", "0.5b3", "0.5", "0.9.6", "1.0.4a3", "1.0.4b1", "1.0.4"],
    "loose": ["1.0", "1.0.1", "1.2", "1.10", "2", "2.0a1", "11"],
}  # fmt: skip


@pytest.mark.parametrize(("kind", "older", "newer"), [
    (kind, *pair) for kind, versions in ORDERED.items() for pair in combinations(versions, 2)
])  # fmt: skip
def test_order(kind: str, older: str, newer: str) -> None:
    assert version(older, newer, "<", version_type=kind)
    assert version(newer, older, "gt", version_type=kind)
    assert not version(older, newer, "==", version_type=kind)


@pytest.mark.parametrize(("left", "right"), [
    ("1.0", "1.0.0"), ("v1.0", "1.0"), ("1.0-alpha1", "1.0a1"), ("1.0.c1", "1.0rc1"), ("1.0-1", "1.0.post1"), ("1.0dev", "1.0.dev0"), ("1.0+Ab-1", "1.0+ab.1"),
])  # fmt: skip
def test_pep440_knows_other_spellings(left: str, right: str) -> None:
    assert version(left, right, "==", version_type="pep440")


@given(st.lists(st.integers(0, 99), min_size=3, max_size=3), st.lists(st.integers(0, 99), min_size=3, max_size=3))
def test_plain_numbers_mean_the_same_everywhere(left: list[int], right: list[int]) -> None:
    one, two = ".".join(map(str, left)), ".".join(map(str, right))
    for kind in PARSERS:
        assert version(one, two, "<", version_type=kind) is (left < right)
        assert version(one, two, "==", version_type=kind) is (left == right)


def test_what_cannot_be_compared_is_an_error() -> None:
    with pytest.raises(FilterError, match="word where"):
        version("1.a", "1.0", "<")
