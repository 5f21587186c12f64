"""Checking arguments against a table."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyplay.remote.module_utils.options import (
    CONVERTERS,
    ConversionError,
    to_bits_count,
    to_bool,
    to_bytes_count,
    to_dict,
    to_float,
    to_int,
    to_list,
    validate,
)

TABLE: dict[str, Any] = {
    "options": {
        "path": {"type": "path", "required": True, "aliases": ["dest", "name"]},
        "state": {"type": "str", "default": "file", "choices": ["file", "link", "absent"]},
        "src": {"type": "str"},
        "force": {"type": "bool", "default": False},
        "size": {"type": "int"},
        "tags": {"type": "list", "elements": "int"},
        "secret": {"type": "str", "no_log": True},
        "upgrade": {"type": "str", "choices": ["yes", "no", "dist"]},
        "rules": {
            "type": "list",
            "elements": "dict",
            "suboptions": {"port": {"type": "int", "required": True}, "proto": {"type": "str", "default": "tcp"}},
        },
        "login": {
            "type": "dict",
            "apply_defaults": True,
            "suboptions": {"user": {"type": "str", "default": "root"}, "key": {"type": "str", "no_log": True}},
        },
    },
    "mutually_exclusive": [["src", "secret"]],
    "required_if": [["state", "link", ["src"]]],
    "required_by": {"size": ["force"]},
}


@pytest.mark.parametrize(
    ("given_args", "expected"),
    [
        ({"path": "/a"}, {"path": "/a", "state": "file", "force": False, "src": None}),
        ({"dest": "/a", "force": "yes"}, {"path": "/a", "force": True}),
        ({"path": "/a", "state": None}, {"state": "file"}),
        ({"path": "/a", "size": "3", "force": "no"}, {"size": 3}),
        ({"path": "/a", "tags": "1,2"}, {"tags": [1, 2]}),
        ({"path": "/a", "tags": 5}, {"tags": [5]}),
        ({"path": 5}, {"path": "5"}),
        ({"path": "/a", "upgrade": True}, {"upgrade": "yes"}),
        ({"path": "/a", "upgrade": False}, {"upgrade": "no"}),
        ({"path": "/a", "rules": [{"port": "80"}]}, {"rules": [{"port": 80, "proto": "tcp"}]}),
        ({"path": "/a"}, {"login": {"user": "root", "key": None}}),
        ({"path": "/a", "_ansible_check_mode": True}, {"path": "/a"}),
    ],
)
def test_arguments_are_converted_and_completed(given_args: dict[str, Any], expected: dict[str, Any]) -> None:
    checked = validate(TABLE, given_args)
    assert [str(fault) for fault in checked.faults] == []
    assert {key: checked.args[key] for key in expected} == expected


@pytest.mark.parametrize(
    ("given_args", "code", "option", "words"),
    [
        ({}, "missing-option", "path", "missing required arguments: path"),
        ({"path": None}, "missing-option", "path", "missing required arguments: path"),
        ({"path": "/a", "stat": "file"}, "unknown-option", "stat", "did you mean 'state'"),
        ({"path": "/a", "qqq": 1}, "unknown-option", "qqq", "Supported parameters include: force, login"),
        ({"path": "/a", "state": "fil"}, "bad-choice", "state", "did you mean 'file'"),
        ({"path": "/a", "force": "perhaps"}, "wrong-type", "force", "neither true nor false"),
        ({"path": "/a", "size": "3.5", "force": 1}, "wrong-type", "size", "not a whole number"),
        ({"path": "/a", "size": True, "force": 1}, "wrong-type", "size", "not a whole number"),
        ({"path": "/a", "tags": ["x"]}, "wrong-type", "tags[0]", "not a whole number"),
        ({"path": "/a", "src": "b", "secret": "c"}, "exclusive-options", "src", "mutually exclusive: src|secret"),
        ({"path": "/a", "state": "link"}, "missing-option", "src", "state=link requires option: src"),
        ({"path": "/a", "size": 1}, "missing-option", "force", "'size' requires: force"),
        (
            {"path": "/a", "rules": [{"proto": "udp"}]},
            "missing-option",
            "rules[0].port",
            "missing required arguments: rules[0].port",
        ),
        (
            {"path": "/a", "rules": [{"port": 1, "prot": "udp"}]},
            "unknown-option",
            "rules[0].prot",
            "did you mean 'proto'",
        ),
        ({"path": "/a", "login": 3}, "wrong-type", "login", "not a mapping"),
    ],
)
def test_faults_name_the_option_and_the_mend(given_args: dict[str, Any], code: str, option: str, words: str) -> None:
    faults = validate(TABLE, given_args).faults
    assert [(fault.code, fault.option) for fault in faults] == [(code, option)]
    assert words in str(faults[0])


def test_every_fault_is_found_not_the_first_alone() -> None:
    faults = validate(TABLE, {"state": "no", "force": "x", "zz": 1}).faults
    assert {fault.code for fault in faults} == {"unknown-option", "bad-choice", "wrong-type", "missing-option"}


def test_templates_are_not_judged_before_they_are_known() -> None:
    checked = validate(
        TABLE,
        {"path": "{{ p }}", "force": "{{ f }}", "state": "{{ s }}", "size": "{{ n }}"},
        lambda value: "{{" in str(value),
    )
    assert checked.faults == []
    maybe = {
        "path": "/a",
        "src": "{{ s | default(omit) }}",
        "secret": "s",
        "size": "{{ n | default(omit) }}",
        "{{ k }}": 1,
    }
    assert validate(TABLE, maybe, lambda value: "{{" in str(value)).faults == []
    assert validate(TABLE, {"path": "/a", "force": "x"}, lambda value: "{{" in str(value)).faults


def test_secrets_are_collected_in_suboptions_too() -> None:
    assert validate(TABLE, {"path": "/a", "secret": "s1", "login": {"key": "s2"}}).secrets == ["s1", "s2"]


def test_an_alias_beside_its_option_is_warned_about() -> None:
    checked = validate(TABLE, {"path": "/a", "dest": "/b"})
    assert checked.args["path"] == "/b"
    assert "given twice" in checked.warnings[0]


@pytest.mark.parametrize("value", [True, "yes", "on", "1", "true", "t", "y", 1, 1.0, "TRUE", " Yes "])
def test_true(value: object) -> None:
    assert to_bool(value) is True


@pytest.mark.parametrize("value", [False, "no", "off", "0", "false", "f", "n", 0, 0.0])
def test_false(value: object) -> None:
    assert to_bool(value) is False


@pytest.mark.parametrize("value", ["", "maybe", 2, None, [], {}])
def test_neither(value: object) -> None:
    with pytest.raises(ConversionError):
        to_bool(value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10", 10),
        ("10B", 10),
        ("1K", 1024),
        ("1KB", 1024),
        ("1.5 M", 1572864),
        ("2GiB", 2 << 30),
        ("1 byte", 1),
        (7, 7),
    ],
)
def test_bytes(text: object, expected: int) -> None:
    assert to_bytes_count(text) == expected


def test_bits_are_not_bytes() -> None:
    assert to_bits_count("1Kb") == 1024
    with pytest.raises(ConversionError):
        to_bits_count("1KB")
    with pytest.raises(ConversionError):
        to_bytes_count("1Kb")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1}', {"a": 1}),
        ("{'a': 1}", {"a": 1}),
        ("a=1,b=2", {"a": "1", "b": "2"}),
        ("a=1 b='x y'", {"a": "1", "b": "x y"}),
        ({"a": 1}, {"a": 1}),
    ],
)
def test_mappings(text: object, expected: dict[str, object]) -> None:
    assert to_dict(text) == expected


def test_lists() -> None:
    assert to_list("a,b") == ["a", "b"]
    assert to_list(3) == ["3"]
    assert to_list(("a",)) == ["a"]
    with pytest.raises(ConversionError):
        to_list({})


@given(
    st.sampled_from(sorted(CONVERTERS)),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=5,
    ),
)
def test_a_converter_gives_a_value_or_says_that_it_cannot(kind: str, value: object) -> None:
    with contextlib.suppress(ConversionError):
        CONVERTERS[kind](value)


@given(st.integers())
def test_whole_numbers_survive_their_text(number: int) -> None:
    assert to_int(str(number)) == number


@given(st.floats(allow_nan=False))
def test_numbers_survive_their_text(number: float) -> None:
    assert to_float(repr(number)) == number


def test_null_in_a_list_is_empty_text_and_no_number() -> None:
    table = {"options": {kind: {"type": "list", "elements": kind} for kind in ("str", "path", "raw", "int", "dict")}}
    checked = validate(table, {"str": ["a", None], "path": [None], "raw": [None]})
    assert (checked.args, checked.faults) == (
        {"str": ["a", ""], "path": [""], "raw": [None], "int": None, "dict": None},
        [],
    )
    faults = validate(table, {"int": [1, None], "dict": [None]}).faults
    assert [(fault.code, fault.option) for fault in faults] == [("wrong-type", "int[1]"), ("wrong-type", "dict[0]")]
