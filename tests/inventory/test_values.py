from __future__ import annotations

import ast
import shlex
import warnings
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyplay.diagnostics.model import Origin
from pyplay.inventory.values import WordFault, parse_value, split_words
from pyplay.source.text import Trusted

HERE = Origin("hosts", 3, 7)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", 1),
        ("-5", -5),
        ("+3", 3),
        ("0x1F", 31),
        ("1_000", 1000),
        ("1.5", 1.5),
        ("1e3", 1000.0),
        ("True", True),
        ("False", False),
        ("None", None),
        ("True # really", True),
        ("true", "true"),
        ("yes", "yes"),
        ("0644", "0644"),
        ("'05'", "05"),
        ('"a" # b', "a"),
        ("10.0.0.1", "10.0.0.1"),
        ("a b", "a b"),
        ("", ""),
        ("nan", "nan"),
        ("...", "..."),
        ("1+2j", "1+2j"),
        ("b'x'", "x"),
        ("[1, 'a']", [1, "a"]),
        ("(1, 2)", [1, 2]),
        ("{'a': {'b': None}}", {"a": {"b": None}}),
        ("{{ x }}", "{{ x }}"),
        ("[1, ", "[1, "),
        ("[b", "[b"),
        ("set()", []),
    ],
)
def test_a_value_is_a_literal_or_text(text: str, expected: Any) -> None:
    value = parse_value(text, HERE)
    assert value == expected
    assert type(value) is type(expected) or isinstance(value, Trusted | dict | list)


def test_strings_at_every_depth_are_trusted_and_know_their_place() -> None:
    value = parse_value("{'a': ['b', {'c': 'd'}]}", HERE)
    for text in (value["a"][0], value["a"][1]["c"], parse_value("word", HERE)):
        assert isinstance(text, Trusted)
        assert text.origin == HERE
    assert [type(key) for key in value] == [str]


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_a_printed_literal_comes_back(value: Any) -> None:
    assert parse_value(repr(value), HERE) == value


@given(st.text(st.characters(codec="ascii", exclude_characters="\n\r\x0b\x0c\x1c\x1d\x1e\x1f")))
def test_values_are_what_literal_eval_gives_or_the_text(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            expected = ast.literal_eval(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
            expected = text
    if isinstance(expected, str | int | float | None):
        value = parse_value(text, HERE)
        assert value == expected or expected != expected  # not a number


@given(st.lists(st.sampled_from(["a", "b=1", " ", "  ", '"', "'", "\\", "#", "x y", "é", "="])).map("".join))
def test_words_are_those_of_a_shell(line: str) -> None:
    try:
        expected = shlex.split(line, comments=True)
    except ValueError:
        with pytest.raises(WordFault):
            split_words(line)
    else:
        assert [text for text, _ in split_words(line)] == expected


def test_words_know_their_columns() -> None:
    assert split_words('h  a=1 "b c"=d # e') == [("h", 1), ("a=1", 4), ("b c=d", 8)]
