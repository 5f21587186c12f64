"""Words for true and false."""

from __future__ import annotations

from typing import Any

import pytest

from pyplay.source.booleans import may_be_true, read_boolean


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        *((value, True) for value in (True, 1, 1.0, "yes", " On ", "T", "1")),
        *((value, False) for value in (False, 0, 0.0, "no", "OFF", "f", "0")),
        *((value, None) for value in (None, "", "maybe", 2, 0.5, [], {}, "{{ x }}")),
    ],
)
def test_a_boolean_is_read_from_a_value_or_word(value: Any, expected: bool | None) -> None:  # noqa: FBT001  # a case
    assert read_boolean(value) is expected


@pytest.mark.parametrize(("value", "expected"), [(None, False), ("no", False), ("{{ x }}", True), (True, True)])
def test_what_is_not_known_yet_may_be_true(value: Any, expected: bool) -> None:  # noqa: FBT001  # a case
    assert may_be_true(value) is expected
