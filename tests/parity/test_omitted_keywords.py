"""Keywords that render to `omit`: a task inherits what stands around, a play has the default, as in ansible-core."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from projects import differences, needs_oracle, play, run_both

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.parity, needs_oracle]

OMIT = "{{ omit }}"
AROUND: dict[str, Any] = {
    "become": False, "become_user": "root", "become_method": "sudo", "ignore_errors": True, "no_log": True, "check_mode": True,
    "diff": True, "connection": "local", "timeout": 30, "remote_user": "outer", "environment": {"FOO": "outer"},
    "ignore_unreachable": True, "delegate_to": "a",
}  # fmt: skip
OF_TASKS = (
    "args",
    "async",
    "become",
    "become_user",
    "become_method",
    "connection",
    "delegate_to",
    "environment",
    "name",
    "remote_user",
)
OF_PLAYS = (
    "become_user", "become_method", "connection", "environment", "force_handlers", "gather_facts",
    "max_fail_percentage", "name", "order", "remote_user", "serial", "strategy",
)  # fmt: skip
SHOWS = {"command": "sh -c 'echo FOO=$FOO'", "changed_when": False, "register": "r"}


def test_tasks(tmp_path: Path) -> None:
    tasks: list[Any] = []
    for keyword in OF_TASKS:
        tasks += [{**SHOWS, keyword: OMIT}, {"debug": {"var": "r.stdout"}}]
    for keyword, value in AROUND.items():
        inner = [
            {**SHOWS, keyword: OMIT},
            {"command": "false" if keyword == "ignore_errors" else "true", keyword: OMIT},
        ]
        tasks.append({"block": inner, keyword: value})
        tasks.append({"debug": {"msg": [keyword, "{{ r.stdout | default('no stdout') }}"]}})
    assert not differences(*run_both({"site.yml": [play(*tasks)]}, tmp_path))


def test_plays(tmp_path: Path) -> None:
    plays = [{**play(SHOWS, {"command": "true", "notify": "h"}), "handlers": [{"name": "h", "debug": {"msg": "h"}}], keyword: OMIT}
             for keyword in OF_PLAYS]  # fmt: skip
    assert not differences(*run_both({"site.yml": plays}, tmp_path))
