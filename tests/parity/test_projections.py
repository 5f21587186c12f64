"""`register` as a mapping, and `_task`: as in ansible-core 2.21."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from projects import differences, needs_oracle, play, run_both

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.parity, needs_oracle]

REGISTERS: dict[str, dict[str, Any]] = {
    "one": {"out": "_task.result.stdout"},
    "two": {"out": "_task.result.stdout", "length": "_task.result.stdout | length"},
    "whole": {"state": "_task.result.changed"},
    "constants": {"number": 5, "text": "'x'", "other": "inventory_hostname"},
    "undefined": {"bad": "_task.result.nope"},
    "no loop": {"bad": "_task.loop_result.changed"},
    "none": {},
}


def test_values(tmp_path: Path) -> None:
    tasks: list[Any] = []
    for label, register in REGISTERS.items():
        for how in ({}, {"loop": ["x", "y"]}, {"when": "_task is not defined"}):
            if label == "undefined" and "loop" in how:
                continue  # ansible-core shows no line for it
            common = {"changed_when": False, "ignore_errors": True, "register": register, **how}
            tasks.append({"name": f"{label} {how}", "command": "echo {{ item | default('hi') }}", **common})
            tasks += [{"debug": {"msg": "{{ " + name + " | default('undefined') }}"}} for name in register]
    assert not differences(*run_both({"site.yml": [play(*tasks)]}, tmp_path))


def test_conditions(tmp_path: Path) -> None:
    tasks: list[Any] = [
        {
            "command": "echo hi",
            "register": {"o": "_task.result.stdout"},
            "changed_when": "_task.result.rc == 0",
            "failed_when": "o == 'other'",
            "until": "_task.result.stdout == 'hi'",
        },
        {"debug": {"var": "o"}},
        {
            "command": "echo {{ item }}",
            "register": {"o": "_task.result.stdout", "all": "_task.loop_result.results | map(attribute='stdout')"},
            "loop": ["x", "y", "z"],
            "loop_control": {"break_when": "o == 'y'"},
            "changed_when": "o == 'x'",
        },
        {"debug": {"msg": "{{ o }} {{ all }}"}},
        {"command": "false", "register": {"rc": "_task.result.rc"}, "failed_when": "rc > 1"},
        {"debug": {"var": "rc"}},
        {"command": "echo a", "when": "_task is defined", "failed_when": "_task.result.rc != 0"},
        {"command": "echo a", "changed_when": "_task.result.stdout == 'b'", "loop": [1, 2]},
    ]
    assert not differences(*run_both({"site.yml": [play(*tasks)]}, tmp_path))


@pytest.mark.parametrize("name", ["none", "not", "true", "True", "1x", "a-b", "x"])
def test_names(name: str, tmp_path: Path) -> None:
    for number, register in enumerate((name, {name: "_task.result"})):
        files = {"site.yml": [play({"command": "true", "register": register})]}
        assert not differences(*run_both(files, tmp_path / str(number)))
