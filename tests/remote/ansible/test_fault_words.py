"""Faults in the arguments of foreign modules hold the words that playbooks and people look for in `msg`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pyplay.remote.ansible.module_utils.basic import AnsibleModule, missing_required_lib
from pyplay.remote.ansible.module_utils.common.arg_spec import ArgumentSpecValidator

if TYPE_CHECKING:
    from pathlib import Path

INNER: dict[str, Any] = {
    "kind": {"required": True},
    "depth": {"type": "int"},
    "width": {"type": "int"},
    "sizes": {"type": "list", "elements": "int"},
    "mode": {"choices": ["fast"]},
}
SPEC: dict[str, Any] = {
    "name": {"required": True, "aliases": ["label"]},
    "size": {"type": "int"},
    "ports": {"type": "list", "elements": "int"},
    "state": {"choices": ["here", "gone"], "default": "here"},
    "flags": {"type": "list", "choices": ["a", "b"]},
    "owner_id": {},
    "group_id": {},
    "inner": {"type": "dict", "options": INNER, "mutually_exclusive": [["depth", "width"]]},
    "user": {},
    "password": {"no_log": True},
}


def faults(given: dict[str, Any], **rules: Any) -> list[str]:
    """Give the sentences on these arguments."""
    messages: list[str] = ArgumentSpecValidator(SPEC, **rules).validate(given).error_messages
    return messages


@pytest.mark.parametrize(
    ("given", "words"),
    [
        pytest.param({}, "missing required arguments: name", id="required"),
        pytest.param(
            {"name": "x", "inner": {}}, "missing required arguments: kind found in inner", id="required below"
        ),
        pytest.param(
            {"name": "x", "size": "big"},
            "argument 'size' is of type str and we were unable to convert to int",
            id="type",
        ),
        pytest.param({"name": "x", "ports": ["a"]}, "Elements value for option 'ports' is of type str", id="elements"),
        pytest.param(
            {"name": "x", "inner": {"kind": "a", "sizes": ["a"]}},
            "option 'sizes' found in 'inner'",
            id="elements below",
        ),
        pytest.param(
            {"name": "x", "state": "lost"}, "value of state must be one of: here, gone, got: lost", id="choice"
        ),
        pytest.param(
            {"name": "x", "flags": ["a", "c"]},
            "value of flags must be one or more of: a, b. Got no match for: c",
            id="choices of a list",
        ),
        pytest.param(
            {"name": "x", "inner": {"kind": "a", "mode": "slow"}},
            "value of mode must be one of: fast, got: slow found in inner",
            id="choice below",
        ),
        pytest.param({"name": "x", "nmae": 1}, "Unsupported parameters: nmae (did you mean name?)", id="unknown"),
        pytest.param(
            {"name": "x", "inner": {"kind": "a", "dpeth": 1}}, "inner.dpeth (did you mean depth?)", id="unknown below"
        ),
        pytest.param(
            {"name": "x", "inner": {"kind": "a", "zzz": 1}},
            "(supported: depth, kind, mode, sizes, width)",
            id="unknown below, nothing like it",
        ),
        pytest.param(
            {"name": "x", "inner": {"kind": "a", "depth": 1, "width": 1}},
            "parameters are mutually exclusive: depth|width found in inner",
            id="exclusive below",
        ),
    ],
)
def test_faults_of_one_option(given: dict[str, Any], words: str) -> None:
    (sentence,) = faults(given)
    assert words in sentence


@pytest.mark.parametrize(
    ("rules", "given", "words"),
    [
        pytest.param(
            {"mutually_exclusive": [["size", "ports"]]},
            {"size": 1, "ports": []},
            "parameters are mutually exclusive: size|ports",
            id="exclusive",
        ),
        pytest.param(
            {"required_one_of": [["size", "ports"]]}, {}, "one of the following is required: size, ports", id="one of"
        ),
        pytest.param(
            {"required_together": [["user", "password"]]},
            {"user": "u"},
            "parameters are required together: user, password",
            id="together",
        ),
        pytest.param(
            {"required_by": {"user": ["password"]}},
            {"user": "u"},
            "missing parameter(s) required by 'user': password",
            id="by",
        ),
        pytest.param(
            {"required_if": [["state", "gone", ["owner_id", "group_id"]]]},
            {"state": "gone", "owner_id": "1"},
            "state is gone but all of the following are missing: group_id",
            id="if",
        ),
        pytest.param(
            {"required_if": [["state", "gone", ["owner_id", "group_id"], True]]},
            {"state": "gone"},
            "state is gone but any of the following are missing: owner_id, group_id",
            id="if, one of",
        ),
    ],
)
def test_faults_of_several_options(rules: dict[str, Any], given: dict[str, Any], words: str) -> None:
    assert faults({"name": "x", **given}, **rules) == [words]


def test_an_absent_library_is_named() -> None:
    sentence = missing_required_lib("boto3", reason="for S3", url="https://example.org")
    assert "Failed to import the required Python library (boto3)" in sentence
    assert "for S3" in sentence
    assert "https://example.org" in sentence


def test_amounts_are_converted_with_and_without_a_module() -> None:
    assert AnsibleModule.human_to_bytes("1K") == 1024
    assert AnsibleModule.human_to_bytes("1Kb", isbits=True) == 1024
    assert AnsibleModule.bytes_to_human(2048) == AnsibleModule.pretty_bytes(2048) == "2.00 KB"
    assert AnsibleModule._CHECK_ARGUMENT_TYPES_DISPATCHER["int"]("3") == 3


@pytest.mark.parametrize("check_mode", [True, False])
def test_a_file_is_expected_in_check_mode(tmp_path: Path, *, check_mode: bool) -> None:
    module = object.__new__(AnsibleModule)
    module.check_mode = check_mode
    (tmp_path / "there").touch()
    assert module.check_file_absent_if_check_mode(str(tmp_path / "absent")) is check_mode
    assert module.check_file_absent_if_check_mode(str(tmp_path / "there")) is False
