"""Templates in the `apply` of includes, and names with `..`: rendered and found when, and where, ansible-core does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from projects import differences, needs_oracle, play, run_both

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.parity, needs_oracle]

KEYWORDS: dict[str, Any] = {
    "tags": ["{{ item }}"],
    "tags as one": "{{ item }}",
    "tags of the play": ["{{ word }}", "{{ word }},b"],
    "tags undefined": ["{{ nope }}"],
    "tags from facts": ["{{ ansible_facts.nope }}"],
    "tags omitted": "{{ omit }}",
    "tags never": "{{ words }}",
    "when": "item == 'x'",
    "when rendered": "{{ item == 'x' }}",
    "vars": {"v": "{{ item }}"},
    "vars undefined": {"v": "{{ nope }}"},
    "environment": {"A": "{{ item }}"},
    "become_user": "{{ nope }}",
    "become_user omitted": "{{ omit }}",
    "ignore_errors": "{{ item == 'x' }}",
    "no_log": "{{ item == 'x' }}",
    "check_mode": "{{ item == 'x' }}",
    "delegate_to": "{{ inventory_hostname }}",
    "throttle": "{{ item | length }}",
    "name": "n {{ item }}",
}
CALLS: list[dict[str, Any]] = [
    {"include_tasks": {"file": "inc.yml"}},
    {"include_role": {"name": "r"}},
]


@pytest.mark.parametrize("arguments", [[], ["--list-tasks"], ["--list-tags"], ["--tags", "x"]], ids=" ".join)
def test_apply(arguments: list[str], tmp_path: Path) -> None:
    tasks: list[dict[str, Any]] = []
    for label, value in KEYWORDS.items():
        for call in CALLS:
            action, options = next(iter(call.items()))
            common = {"loop": ["x", "y"], "tags": "always", "ignore_errors": True, "register": "r"}
            tasks.append({action: {**options, "apply": {label.split()[0]: value}}, **common})
            tasks.append({"debug": {"var": "r"}})
    inner = [{"debug": {"msg": "{{ v | default('none') }}"}}]
    files = {
        "inc.yml": inner,
        "roles/r/tasks/main.yml": inner,
        "site.yml": [play(*tasks, vars={"word": "w", "words": ["n", "never"]})],
    }
    assert not differences(*run_both(files, tmp_path, *arguments))


@pytest.mark.parametrize("arguments", [[], ["--list-tasks"]], ids=" ".join)
def test_directories_that_names_leave_need_not_be_there(arguments: list[str], tmp_path: Path) -> None:
    says = [{"debug": {"msg": "{{ role_name | default('no role') }}"}}]
    files = {
        "roles/common/tasks/main.yml": says,
        "shared/deep/tasks/main.yml": says,
        "roles/web/meta/main.yml": {"dependencies": [{"role": "nope/../common"}]},
        "roles/web/tasks/main.yml": [{"include_role": {"name": "../roles/common"}}],
        "inc.yml": says,
        "site.yml": [
            play(roles=["web", "shared/deep", "nope/../common"]),
            play(
                {"include_role": {"name": "../shared/deep"}},
                {"include_role": {"name": "common", "tasks_from": "nope/../main.yml"}},
                {"include_tasks": "nope/../inc.yml"},
                {"import_tasks": "nope/../inc.yml"},
                {"import_role": {"name": "nope/../common"}},
            ),
        ],
    }
    assert not differences(*run_both(files, tmp_path, *arguments))
