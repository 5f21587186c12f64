"""Loops whose items come again, are null, or end at an item that was skipped: as in ansible-core."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from projects import differences, needs_oracle, play, run_both

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.parity, needs_oracle]


def test_loops(tmp_path: Path) -> None:
    says = {"debug": {"msg": "{{ item }}"}}
    tasks: list[Any] = [
        {"include_tasks": "inc.yml", "loop": ["b", "a", "b"]},
        {"include_role": {"name": "r"}, "loop": ["b", "a", "b", "a"]},
        {**says, "loop": [1, 2, 3, 4], "when": "item > 2", "loop_control": {"break_when": "item == 2"}, "register": "r"},
        {"debug": {"var": "r"}},
        {"command": "true", "loop": [1, 2, 3], "when": "item > 1", "register": "r", "loop_control": {"break_when": "r is skipped"}},
        {**says, "loop": [None, 1], "register": "r"},
        {"debug": {"var": "r"}},
        {**says, "loop": [1, 2], "loop_control": {"extended": True}, "register": "r"},
        {"debug": {"var": "r"}},
    ]  # fmt: skip
    files = {"inc.yml": [says], "roles/r/tasks/main.yml": [says], "site.yml": [play(*tasks)]}
    assert not differences(*run_both(files, tmp_path))
