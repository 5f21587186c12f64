"""The option tables of actions and statements: literal data that holds together, and agrees with ansible-core's documents."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

import pytest

from pyplay.actions.registry import ACTIONS
from pyplay.actions.spec import options_in, validated
from pyplay.actions.tables import action_table
from pyplay.playbook.statements import STATEMENTS
from pyplay.remote.module_utils.options import CONVERTERS

ORACLE = os.environ.get("PYPLAY_ORACLE")
TABLES = {name: table for name in (*ACTIONS, *STATEMENTS) if (table := action_table(name)) is not None}
OWN = sorted(name for name, table in TABLES.items() if "extends" not in table)  # the others: tests/modules
KEYS = {
    "options", "mutually_exclusive", "required_together", "required_one_of", "required_if", "required_by", "file_options",
    "check_mode", "diff", "identity", "absent_undoes", "platforms", "returns", "extends", "loose", "others", "also",
    "doc",
}  # fmt: skip

EXPECTED = {
    "assert": ["that: raw for list"],
    "import_playbook": ["free-form is missing"],
    "import_tasks": ["free-form is missing"],
    "include_tasks": ["free-form is missing"],
    "include_vars": ["free-form is missing"],
    "meta": ["free_form is missing"],
    "package": ["name: required None", "state: required None"],
    "pause": ["minutes: float for str", "seconds: float for str"],
    "raw": ["free_form is missing"],
    "reboot": ["connect_timeout: float for int", "msg: default Reboot initiated by pyplay for Reboot initiated by Ansible",
               "post_reboot_delay: float for int", "pre_reboot_delay: float for int",
               "reboot_command: default None for [determined based on target OS]", "reboot_timeout: float for int"],
    "script": ["free_form is missing"],
    "set_fact": ["key_value is missing"],
    "set_stats": ["aggregate: raw for bool", "data: raw for dict", "data: required None", "per_host: raw for bool"],
    "template": ["newline_sequence: choices"],
    "wait_for_connection": [f"{name}: float for int" for name in ("connect_timeout", "delay", "sleep", "timeout")],
}  # fmt: skip
"""What differs on purpose: free text is `_raw_params`, core takes more than it documents, texts are our own."""


@pytest.mark.parametrize("name", sorted(TABLES))
def test_a_table_holds_together(name: str) -> None:
    table = TABLES[name]
    assert set(table) <= KEYS
    assert table.get("others", "taken") in ("taken", "ignored")
    options = options_in(table)
    for option, spec in options.items():
        assert spec.get("type", "str") in CONVERTERS, option
        assert spec["doc"].endswith(".") or "?" in spec["doc"], option
    assert [fault for fault in validated(table, {}).faults if fault.code in ("wrong-type", "bad-choice")] == []


@pytest.fixture(scope="module")
def documented() -> dict[str, dict[str, Any]]:
    """Give the documented options by name, asked for at once."""
    done = subprocess.run([f"{ORACLE}/ansible-doc", "--json", *OWN], capture_output=True, check=True)
    return {name.rpartition(".")[2]: entry["doc"].get("options", {}) for name, entry in json.loads(done.stdout).items()}


def plain(kind: str, value: Any) -> Any:
    if value is None or value in ([], {}, "", False):
        return None
    return str(CONVERTERS[kind](value)) if kind not in ("raw", "dict") else str(value)


def differences(mine: dict[str, Any], theirs: dict[str, Any]) -> list[str]:
    found: list[str] = []
    for name, option in theirs.items():
        have = mine.get(name)
        if have is None:
            found.append(f"{name} is missing")
            continue
        ours, kind = have.get("type", "str"), option.get("type", "str")
        if ours != kind and {ours, kind} != {"raw", "str"}:
            found.append(f"{name}: {ours} for {kind}")
        if bool(have.get("required")) != bool(option.get("required")):
            found.append(f"{name}: required {have.get('required')}")
        if set(map(str, have.get("choices", ()))) != set(map(str, option.get("choices") or ())):
            found.append(f"{name}: choices")
        if not set(option.get("aliases") or ()) <= set(have.get("aliases", ())):
            found.append(f"{name}: aliases")
        if plain(ours, have.get("default")) != plain(ours, option.get("default")):
            found.append(f"{name}: default {have.get('default')} for {option.get('default')}")
    return sorted(found)


@pytest.mark.parity
@pytest.mark.skipif(not ORACLE, reason="PYPLAY_ORACLE names no ansible-core")
@pytest.mark.parametrize("name", OWN)
def test_options_are_those_of_ansible_core(name: str, documented: dict[str, dict[str, Any]]) -> None:
    if name in documented:
        assert differences(options_in(TABLES[name]), documented[name]) == EXPECTED.get(name, [])
