"""Our option tables against those that ansible-core documents: names, types, defaults, choices, aliases."""

from __future__ import annotations

import ast
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pyplay.remote.module_utils.options import CONVERTERS, options_of

ROOT = Path(__file__).resolve().parents[2]
ORACLE = os.environ.get("PYPLAY_ORACLE")
POSIX = {"acl", "at", "authorized_key", "mount", "patch", "seboolean", "selinux", "synchronize", "sysctl"}
NAMES = sorted({path.stem for path in (ROOT / "modules").glob("*.py")} - POSIX)

pytestmark = [pytest.mark.parity, pytest.mark.skipif(not ORACLE, reason="PYPLAY_ORACLE names no ansible-core")]


@pytest.fixture(scope="module")
def documented() -> dict[str, dict[str, Any]]:
    """Give the documented options of all modules, asked for at once."""
    done = subprocess.run([f"{ORACLE}/ansible-doc", "--json", *NAMES], capture_output=True, check=True)
    found = json.loads(done.stdout)
    return {name.rpartition(".")[2]: entry["doc"].get("options", {}) for name, entry in found.items()}


def ours(name: str) -> dict[str, Any]:
    for node in ast.parse((ROOT / "modules" / (name + ".py")).read_text()).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "OPTIONS":
            return options_of(ast.literal_eval(node.value))
    raise AssertionError(name)


def plain(kind: str, value: Any) -> Any:
    """Give a default in one form: documents write booleans as words and leave empty lists out."""
    if value is None or value in ([], {}, ""):
        return None
    return str(CONVERTERS[kind](value)) if kind not in ("raw", "dict") else str(value)


def differences(mine: dict[str, Any], theirs: dict[str, Any], where: str = "") -> list[str]:
    found = []
    for name, option in theirs.items():
        have = mine.get(name)
        if have is None:
            found.append(f"{where}{name} is missing")
            continue
        kind = option.get("type", "str")
        if have.get("type", "str") != kind and {have.get("type", "str"), kind} not in ({"raw", "str"}, {"raw", "any"}):
            found.append(f"{where}{name}: type {have.get('type')} for {kind}")
        if kind == "list" and have.get("elements", "str") != option.get("elements", "str"):
            found.append(f"{where}{name}: elements {have.get('elements')} for {option.get('elements')}")
        if bool(have.get("required")) != bool(option.get("required")):
            found.append(f"{where}{name}: required {have.get('required')}")
        if set(map(str, have.get("choices", ()))) != set(map(str, option.get("choices") or ())):
            found.append(f"{where}{name}: choices {have.get('choices')} for {option.get('choices')}")
        if not set(option.get("aliases") or ()) <= set(have.get("aliases", ())):
            found.append(f"{where}{name}: aliases {have.get('aliases')} for {option['aliases']}")
        if plain(have.get("type", "str"), have.get("default")) != plain(kind, option.get("default")):
            found.append(f"{where}{name}: default {have.get('default')!r} for {option.get('default')!r}")
        if option.get("suboptions"):
            found += differences(have.get("suboptions", {}), option["suboptions"], where + name + ".")
    found += [f"{where}{name} is not documented" for name in mine if name not in theirs and not name.startswith("_")]
    return found


# free_form is no option but the task's text; executable, strip_empty_ends and auto_install_module_deps are taken
# undocumented; git runs without dest where it does not clone, though dest is documented as required
EXPECTED: dict[str, list[str]] = {
    "command": ["free_form is missing", "executable is not documented"],
    "dnf": ["auto_install_module_deps is not documented"],
    "git": ["dest: required None"],
    "shell": ["free_form is missing", "strip_empty_ends is not documented"],
    "fetch": ["src: type path for str"],
}


@pytest.mark.parametrize("name", NAMES)
def test_options_are_those_of_ansible_core(name: str, documented: dict[str, dict[str, Any]]) -> None:
    assert differences(ours(name), documented[name]) == EXPECTED.get(name, [])
