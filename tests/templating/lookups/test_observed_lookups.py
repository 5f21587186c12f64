"""Every lookup expression of `cases/` gives what ansible-core was observed to give. See ../observe.py."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pyplay.diagnostics.errors import PyplayError
from pyplay.source.settings import load_settings
from pyplay.source.text import Trusted
from pyplay.templating.filters.registry import FILTERS
from pyplay.templating.plugins import standard_environment
from pyplay.templating.scope import MapScope
from pyplay.templating.templar import Templar

CASES = Path(__file__).parent / "cases"
OURS: dict[str, Any] = json.loads((CASES.parent / "differences.json").read_text())


def hostnames(pattern: str) -> list[str]:
    return ["localhost"] if pattern == "localhost" else []


def make_templar(variables: dict[str, Any]) -> Templar:
    trusted = {name: Trusted(value) if isinstance(value, str) else value for name, value in variables.items()}
    trusted["inventory_hostname"] = "localhost"
    settings = load_settings({"HOME": "/root"}, "/")
    environment = standard_environment(settings, inventory_hostnames=hostnames)
    return Templar(environment, MapScope(trusted), search_path=[str(CASES)], basedir=str(CASES))


def rows() -> list[Any]:
    found = []
    for path in sorted(CASES.glob("*.json")):
        table = json.loads(path.read_text())
        for expression, outcome in table["cases"]:
            found.append(pytest.param(expression, outcome, table["vars"], id=f"{path.stem}: {expression[:60]}"))
    return found


@pytest.mark.parametrize(("expression", "outcome", "variables"), rows())
def test_lookup(expression: str, outcome: dict[str, Any], variables: dict[str, Any]) -> None:
    expected = OURS[expression]["ours"] if expression in OURS else outcome
    templar = make_templar(variables)
    if "error" in expected:
        with pytest.raises(PyplayError):
            templar.evaluate(expression)
        return
    value = json.loads(FILTERS["to_json"](templar.evaluate(expression)))
    assert (sorted(value) if "fileglob" in expression and isinstance(value, list) else value) == (
        sorted(expected["value"]) if "fileglob" in expression and isinstance(value, list) else expected["value"]
    )
