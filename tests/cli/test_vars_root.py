"""Where `group_vars` beside playbooks are searched: beside the file of the play, or as playbook_vars_root says.

The expected values were observed with ansible-core 2.21.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import CommandLine

SHOWN = '"{{ where }}:{{ x | d(0) }},{{ z | d(0) }},{{ hostvars[inventory_hostname].x | d(0) }}"'
PLAY = f"- hosts: h\n  gather_facts: false\n  tasks:\n    - debug: {{msg: {SHOWN}}}\n      vars: {{where: WHERE}}\n"
TASK = f"- debug: {{msg: {SHOWN}}}\n  vars: {{where: WHERE}}\n"


@pytest.fixture
def tree(pyplay: CommandLine) -> CommandLine:
    pyplay.write({
        "inventory.yml": "all: {hosts: {h: {ansible_connection: local}}}\n",
        "top/site.yml": PLAY.replace("WHERE", "site") + "- import_playbook: a/a.yml\n",
        "top/a/a.yml": PLAY.replace("WHERE", "a"),
        "top/group_vars/all.yml": "x: top\nz: top\n",
        "top/a/group_vars/all.yml": "x: a\n",
        "top/r.yml": "- hosts: h\n  gather_facts: false\n  roles: [r]\n  tasks: [{include_tasks: sub/t.yml}]\n",
        "top/roles/r/tasks/main.yml": TASK.replace("WHERE", "role"),
        "top/roles/r/meta/main.yml": "dependencies: [dep]\n",
        "top/roles/r/group_vars/all.yml": "z: role\n",
        "top/roles/r/tasks/group_vars/all.yml": "z: roletasks\n",
        "top/roles/dep/tasks/main.yml": TASK.replace("WHERE", "dep"),
        "top/roles/dep/group_vars/all.yml": "z: dep\n",
        "top/sub/t.yml": TASK.replace("WHERE", "sub"),
        "top/sub/group_vars/all.yml": "z: sub\n",
    })  # fmt: skip
    return pyplay


@pytest.mark.parametrize(
    ("root", "playbooks", "shown"),
    [
        ("top", "top/site.yml", ["site:top,top,top", "a:a,0,a"]),
        ("bottom", "top/site.yml", ["site:top,top,top", "a:a,0,a"]),
        ("all", "top/site.yml", ["site:top,top,top", "a:a,0,a"]),
        ("top", "top/a/a.yml top/site.yml", ["a:a,0,a", "site:top,top,top", "a:a,0,a"]),
        ("top", "top/r.yml", ["dep:top,top,top", "role:top,top,top", "sub:top,top,top"]),
        ("bottom", "top/r.yml", ["dep:0,dep,top", "role:0,role,top", "sub:0,sub,top"]),
        ("all", "top/r.yml", ["dep:0,role,top", "role:0,roletasks,top", "sub:0,sub,top"]),
    ],
)
def test_whose_group_vars_count(tree: CommandLine, root: str, playbooks: str, shown: list[str]) -> None:
    done = tree("-i", "inventory.yml", *playbooks.split(), ANSIBLE_PLAYBOOK_VARS_ROOT=root)
    assert done.code == 0, done.out + done.err
    assert re.findall(r'"msg": "(.*)"', done.out) == shown
