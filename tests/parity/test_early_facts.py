"""An `environment` that asks for facts of the environment before they are known: as in ansible-core."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from projects import differences, needs_oracle, play, run_both

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.parity, needs_oracle]

LEVELS: dict[str, Any] = {
    "fact": {"P": "{{ ansible_env.PATH }}:/x", "B": "b"},
    "subscript": {"P": "{{ ansible_env['PATH'] }}"},
    "filter": {"P": "{{ ansible_env.PATH | upper }}"},
    "hostvars": {"P": "{{ hostvars[inventory_hostname].ansible_env.PATH }}"},
    "list": [{"P": "{{ ansible_env.PATH }}"}, {"B": "b"}],
    "by variable": {"P": "{{ path }}"},
    "hint": {"P": "{{ undef('set ansible_facts.env') }}"},
    "facts": {"P": "{{ ansible_facts.env.PATH }}"},
    "other fact": {"P": "{{ ansible_user_dir }}"},
    "other name too": {"P": "{{ ansible_env.PATH }}", "B": "{{ nope }}"},
    "whole": "{{ ansible_env }}",
    "mapping by variable": "{{ paths }}",
    "default": {"P": "{{ ansible_env.PATH | default('d') }}"},
}


@pytest.mark.parametrize("level", LEVELS.values(), ids=LEVELS.keys())
def test_environment_before_facts(level: Any, tmp_path: Path) -> None:
    variables = {"path": "{{ ansible_env.PATH }}", "paths": {"P": "{{ ansible_env.PATH }}"}}
    shows = {"command": "sh -c 'echo B=$B'", "ignore_errors": True}
    gathers = [
        {name: {"gather_subset": "!all"}, "environment": level, "ignore_errors": True}
        for name in ("setup", "gather_facts")
    ]
    files = {
        "site.yml": [
            play({**shows, "environment": level}, {"meta": "clear_facts"}, *gathers, vars=variables),
            {"hosts": "a", "vars": variables, "environment": level, "tasks": [shows]},
        ]
    }
    assert not differences(*run_both(files, tmp_path))
