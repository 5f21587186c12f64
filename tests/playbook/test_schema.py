"""The schema for editors takes what is right, and refuses what no playbook may hold."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from pyplay.playbook.keywords import TABLE
from pyplay.playbook.schema import playbook_schema

CASES = Path(__file__).parents[1] / "parity" / "cases"
TYPES: dict[str, Any] = {
    "object": dict, "array": list, "string": str, "boolean": bool, "null": type(None), "number": (int, float), "integer": int,
}  # fmt: skip
SCHEMA = playbook_schema({"copy": {"dest": {"type": "path", "aliases": ["name"]}, "mode": {"type": "raw"}}})


def fits(value: Any, schema: dict[str, Any]) -> bool:
    """Tell whether `value` fits a schema made of the words that ours are made of."""
    if "$ref" in schema:
        return fits(value, SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]])
    known = {"description", "title", "$schema", "$defs"} | CHECKS.keys() | {"patternProperties", "additionalProperties"}
    assert schema.keys() <= known, schema.keys() - known
    return all(CHECKS[word](value, given, schema) for word, given in schema.items() if word in CHECKS)


def _is(value: Any, names: Any) -> bool:
    names = [names] if isinstance(names, str) else names
    return any(
        isinstance(value, TYPES[n]) and (n == "boolean" or n == "null" or not isinstance(value, bool)) for n in names
    )


def _members(value: Any, given: dict[str, Any], schema: dict[str, Any]) -> bool:
    if not isinstance(value, dict):
        return True
    patterns = schema.get("patternProperties", {})
    loose = schema.get("additionalProperties", True)
    return all(
        fits(item, given[key]) if key in given else loose or any(re.search(p, key) for p in patterns)
        for key, item in value.items()
    )


CHECKS: dict[str, Any] = {
    "type": lambda value, given, _: _is(value, given),
    "items": lambda value, given, _: not isinstance(value, list) or all(fits(item, given) for item in value),
    "properties": _members,
    "required": lambda value, given, _: not isinstance(value, dict) or all(key in value for key in given),
    "anyOf": lambda value, given, _: any(fits(value, each) for each in given),
    "not": lambda value, given, _: not fits(value, given),
    "enum": lambda value, given, _: value in given,
    "pattern": lambda value, given, _: not isinstance(value, str) or bool(re.search(given, value)),
    "propertyNames": lambda value, given, _: not isinstance(value, dict) or all(fits(key, given) for key in value),
}


class Loader(yaml.CSafeLoader):
    """Reads !unsafe and !vault as text."""


Loader.add_multi_constructor("!", lambda loader, _tag, node: loader.construct_scalar(node))  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("path", sorted(CASES.glob("*/site.yml")), ids=lambda p: p.parent.name)
def test_playbooks_that_run_fit(path: Path) -> None:
    with path.open() as stream:
        plays = yaml.load(stream, Loader)
    for play in plays:
        assert fits([play], SCHEMA), play


@pytest.mark.parametrize(
    "play",
    [
        "{tasks: []}",
        "{hosts: a, task: []}",
        "{hosts: a, when: x}",
        "{hosts: a, tasks: {debug: }}",
        "{hosts: a, tasks: [{block: [], loop: [1]}]}",
        "{hosts: a, tasks: [{debug: , register: a b}]}",
        "{hosts: a, tasks: [{debug: , loop_control: {lable: x}}]}",
        "{hosts: a, tasks: [{debug: , become: [1]}]}",
        "{hosts: a, vars: {a b: 1}}",
        "{hosts: a, roles: [{tags: x}]}",
        "{hosts: a, vars_prompt: [{prompt: x}]}",
        "{hosts: a, tasks: [{copy: [1]}]}",
    ],
)
def test_what_no_playbook_may_hold_does_not_fit(play: str) -> None:
    assert not fits([yaml.safe_load(play)], SCHEMA)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_every_keyword_is_described_where_it_may_stand(row: Any) -> None:
    for kind in row.on - {"handler"}:
        assert SCHEMA["$defs"][kind]["properties"][row.name]["description"] == row.doc
    if "handler" in row.on:
        assert row.name in SCHEMA["$defs"]["task"]["properties"]
