"""Lazy containers read as dicts and lists, whatever is done to them."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pyplay.templating.lazy import LazyList, LazyMap


def double(value: Any) -> Any:
    """Stand for rendering: tuples are templates for twice their number."""
    return value[0] * 2 if isinstance(value, tuple) else value


RAW = st.lists(st.integers(-9, 9) | st.tuples(st.integers(-9, 9)), max_size=6)


@given(RAW)
def test_a_lazy_list_reads_as_a_list(raw: list[Any]) -> None:
    expected = [double(value) for value in raw]

    def lazy() -> LazyList:
        return LazyList(double, raw)

    assert lazy() == expected
    assert expected == lazy()
    assert list(lazy()) == expected
    assert [*lazy()] == expected
    assert lazy() + [1] == [*expected, 1]  # noqa: RUF005  # what is tested
    assert [1] + lazy() == [1, *expected]  # noqa: RUF005  # what is tested
    assert lazy() * 2 == expected * 2
    assert lazy()[::-1] == expected[::-1]
    assert list(reversed(lazy())) == expected[::-1]
    assert sorted(lazy()) == sorted(expected)
    assert json.dumps(lazy()) == json.dumps(expected)
    assert repr(lazy()) == repr(expected)
    assert copy.deepcopy(lazy()) == expected
    assert type(pickle.loads(pickle.dumps(lazy()))) is list
    assert lazy().copy() == expected
    assert all(value in lazy() and lazy().index(value) == expected.index(value) for value in expected)
    assert [lazy().count(value) for value in expected] == [expected.count(value) for value in expected]
    assert lazy() < [*expected, 1]
    assert lazy() <= expected
    assert not lazy() > expected
    assert lazy() >= expected
    popped = lazy()
    assert [popped.pop() for _ in expected] == expected[::-1]
    ordered = lazy()
    ordered.sort(reverse=True)
    assert ordered == sorted(expected, reverse=True)
    removed = lazy()
    for value in expected:
        removed.remove(value)
    assert removed == []


@given(RAW)
def test_a_lazy_map_reads_as_a_dict(raw: list[Any]) -> None:
    source = {f"k{number}": value for number, value in enumerate(raw)}
    expected = {key: double(value) for key, value in source.items()}

    def lazy() -> LazyMap:
        return LazyMap(double, source)

    assert lazy() == expected
    assert expected == lazy()
    assert dict(lazy()) == expected
    assert {**lazy()} == expected
    assert list(lazy().items()) == list(expected.items())
    assert list(lazy().values()) == list(expected.values())
    assert [lazy()[key] for key in expected] == list(expected.values())
    assert [lazy().get(key) for key in expected] == list(expected.values())
    assert lazy().get("none", 1) == 1
    assert lazy() | {"z": 1} == expected | {"z": 1}
    assert {"z": 1} | lazy() == {"z": 1} | expected
    assert json.dumps(lazy()) == json.dumps(expected)
    assert repr(lazy()) == repr(expected)
    assert copy.deepcopy(lazy()) == expected
    assert type(pickle.loads(pickle.dumps(lazy()))) is dict
    assert lazy().copy() == expected
    assert [lazy().pop(key) for key in expected] == list(expected.values())
    assert [lazy().setdefault(key, 0) for key in expected] == list(expected.values())
    if expected:
        assert lazy().popitem() == list(expected.items())[-1]


def test_what_is_not_looked_at_is_not_rendered_and_what_is_rendered_once() -> None:
    seen: list[Any] = []

    def note(value: Any) -> Any:
        if isinstance(value, tuple):
            seen.append(value)
            return value[0]
        return value

    lazy = LazyMap(note, {"a": (1,), "b": (2,)})
    assert [lazy["a"], lazy["a"], len(lazy), "b" in lazy, list(lazy)] == [1, 1, 2, True, ["a", "b"]]
    assert seen == [(1,)]
