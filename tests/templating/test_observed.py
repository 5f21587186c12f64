"""Every expression of the case files gives what ansible-core was observed to give. See observe.py."""

from __future__ import annotations

import json
import os
from functools import wraps
from pathlib import Path
from typing import Any

import jinja2
import pytest

from pyplay.templating.filters.registry import FILTERS
from pyplay.templating.marks import is_lazy
from pyplay.templating.tests.registry import TESTS

HERE = Path(__file__).parent
CASES = sorted([*HERE.glob("filters/cases/*.json"), *HERE.glob("tests/cases/*.json")])

UNORDERED = {"union", "intersect", "difference", "symmetric_difference"}
"""Core gives these in the order of its hash table, we in that of first appearance."""

OURS: dict[str, Any] = json.loads((HERE / "differences.json").read_text())
"""Where we differ on purpose: expression → our value (or "error") and why."""


def checked(function: Any) -> Any:
    """Give the function as the engine calls it: no undefined argument unless it is lazy."""
    if is_lazy(function):
        return function

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        for value in (*args, *kwargs.values()):
            if isinstance(value, jinja2.Undefined):
                value._fail_with_undefined_error()
        return function(*args, **kwargs)

    return call


def environment() -> jinja2.Environment:
    env = jinja2.Environment(undefined=jinja2.StrictUndefined)
    env.filters.update({name: checked(function) for name, function in FILTERS.items()})
    env.tests.update({name: checked(function) for name, function in TESTS.items()})
    return env


def evaluate(expression: str, variables: dict[str, Any]) -> Any:
    """Give what an expression gives, written as JSON and read back; backslashes in it are meant literally, as in core."""
    value = environment().compile_expression(expression.replace("\\", "\\\\"), undefined_to_none=False)(**variables)
    return json.loads(FILTERS["to_json"](value))


def rows() -> list[Any]:
    found = []
    for path in CASES:
        table = json.loads(path.read_text())
        for expression, outcome in table["cases"]:
            found.append(pytest.param(expression, outcome, table["vars"], id=f"{path.stem}: {expression[:60]}"))
    return found


@pytest.mark.parametrize(("expression", "outcome", "variables"), rows())
def test_expression(
    expression: str, outcome: dict[str, Any], variables: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.chdir(os.sep)
    expected = OURS[expression]["ours"] if expression in OURS else outcome
    if "error" in expected:
        with pytest.raises((jinja2.TemplateRuntimeError, TypeError)):
            evaluate(expression, variables)
        return
    value = evaluate(expression, variables)
    if any(f"|{name}(" in expression for name in UNORDERED):
        assert sorted(value, key=repr) == sorted(expected["value"], key=repr)
    else:
        assert value == expected["value"]


def test_every_difference_is_still_in_the_tables() -> None:
    expressions = {expression for path in CASES for expression, _ in json.loads(path.read_text())["cases"]}
    assert OURS.keys() <= expressions


@pytest.mark.parametrize("registry", [FILTERS, TESTS])
def test_every_function_is_documented(registry: dict[str, Any]) -> None:
    assert [name for name, function in registry.items() if not function.__doc__] == []
