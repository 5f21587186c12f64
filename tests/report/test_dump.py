"""Values as text."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyplay.report.dump import dump
from pyplay.source.text import Trusted

SCALARS: st.SearchStrategy[Any] = st.text() | st.booleans() | st.none() | st.integers() | st.just(Trusted("t"))


def test_a_number_of_many_digits_is_shown() -> None:
    assert '"0x' in dump({"msg": [10**5000]})


@pytest.mark.parametrize("other", [{}, {1: 2}], ids=["sorted", "keys of mixed types"])
def test_times_are_shown_in_iso_form(other: dict[Any, Any]) -> None:
    values = [dt.datetime(2020, 1, 2, 3, 4, 5, tzinfo=dt.UTC), dt.date(2020, 1, 2), dt.time(3, 4, 5)]
    shown = json.loads(dump({"msg": values, **other}))
    assert shown["msg"] == ["2020-01-02T03:04:05+00:00", "2020-01-02", "03:04:05"]


@given(
    st.dictionaries(st.text(max_size=3), SCALARS | st.lists(SCALARS, max_size=2), max_size=4),
    st.sampled_from([None, 2, 4]),
)
def test_it_is_what_the_library_writes(value: dict[str, Any], indent: int | None) -> None:
    assert dump(value, indent=indent) == json.dumps(value, indent=indent, sort_keys=True, ensure_ascii=False)
