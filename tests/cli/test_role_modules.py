"""Modules that a role carries: for its own tasks, and for those of other roles and of plays."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conftest import CommandLine

MODULE = """#!/usr/bin/python
from ansible.module_utils.basic import AnsibleModule
m = AnsibleModule(argument_spec=dict(who=dict(default="nobody")))
m.exit_json(changed=False, greeting="hello " + m.params["who"])
"""
BY_OTHERS = """
- hosts: localhost
  gather_facts: false
  module_defaults: {greet: {who: default}}
  pre_tasks:
    - greet:
      register: before
  roles: [user]
  tasks:
    - include_tasks: more.yml
    - debug: {msg: "{{ [before, of_role, included] | map(attribute='greeting') | join(', ') }}"}
"""


def test_modules_of_a_role_serve_others(pyplay: CommandLine) -> None:
    pyplay.write(
        {
            "roles/lender/library/greet.py": MODULE,
            "roles/user/meta/main.yml": "dependencies: [lender]\n",
            "roles/user/tasks/main.yml": "- greet: {who: role}\n  register: of_role\n",
            "more.yml": "- greet: {who: file}\n  register: included\n",
            "site.yml": BY_OTHERS,
        }
    )
    done = pyplay("site.yml")
    assert done.code == 0, done.out + done.err
    assert "hello default, hello role, hello file" in done.out


def test_modules_that_no_role_has_are_told_with_their_places(pyplay: CommandLine) -> None:
    pyplay.write(
        {
            "roles/lender/library/greet.py": MODULE,
            "site.yml": """
            - hosts: localhost
              module_defaults: {great: {}}
              roles: [lender]
              tasks:
                - greed:
        """,
        }
    )
    done = pyplay("site.yml")
    assert done.code == 4
    assert "there is no module `great`" in done.err
    assert "site.yml:3:21" in done.err
    assert "there is no module 'greed'" in done.err
    assert "site.yml:6:7" in done.err
