"""An action's arguments come out as the rules of its table say, however quickly that is found."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

from pyplay.actions.base import ActionFailed
from pyplay.actions.options import Options
from pyplay.actions.registry import ACTIONS
from pyplay.actions.spec import is_unset, names_in, options_in, validated

if TYPE_CHECKING:
    from collections.abc import Mapping

VALUES = [None, "", "x", "yes", "7", 7, 1.5, True, ["a", 1], {"a": 1}]

MIXED = {
    "options": {
        "text": {"aliases": ["words"], "nullable": True},
        "number": {"type": "int", "default": "3"},
        "word": {"choices": ["x", "y"], "blank_unset": True},
        "list": {"type": "list", "elements": "str"},
        "plain": {"type": "raw"},
    },
    "mutually_exclusive": [["text", "plain"]],
    "others": "taken",
}
TABLES: dict[str, Mapping[str, Any]] = {"mixed": MIXED, "bound": {**MIXED, "required_together": [["text", "number"]]}}
TABLES |= {
    name: module.OPTIONS
    for name in ACTIONS
    if hasattr(module := import_module(f"pyplay.actions.{ACTIONS[name]}"), "_OPTIONS")
}


def by_the_rules(table: Mapping[str, Any], args: Mapping[str, Any]) -> dict[str, Any] | None:
    options = options_in(table)
    known = names_in(options)
    found = validated(table, {key: value for key, value in args.items() if key in known})
    if found.faults:
        return None
    told = {known[key] for key in args if key in known and not is_unset(args[key], options[known[key]])}
    return {key: value for key, value in found.args.items() if value is not None or key in told} | {
        key: value for key, value in args.items() if key not in known
    }


@pytest.mark.parametrize("name", TABLES)
def test_every_value_of_every_option(name: str) -> None:
    table = TABLES[name]
    options = Options(name, table)
    given: list[dict[str, Any]] = [{}, {"text": "x", "plain": "y"} if table is MIXED else {}]
    given += [{option: value} for option in names_in(options_in(table)) for value in VALUES]
    given += [{"other": 1}, {"other": 1, "number": 4}] if table is MIXED else []
    for args in given:
        try:
            found = options.check(args)
        except ActionFailed:
            found = None
        assert found == by_the_rules(table, args), args


def test_what_calls_get_is_their_own() -> None:
    options = Options("mixed", {"options": {"list": {"type": "list", "default": ["a"]}, "text": {}}})
    options.check({"text": "x"})["list"].append("b")
    assert options.check({"text": "x"})["list"] == ["a"]
