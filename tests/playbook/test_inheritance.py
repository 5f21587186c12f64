from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pyplay.playbook.keywords import INHERITED, KEYWORDS, TABLE, keywords_of
from pyplay.playbook.model import Task

if TYPE_CHECKING:
    from conftest import Project

VALUES = {
    "any_errors_fatal": True, "become": True, "become_exe": "x", "become_flags": "x", "become_method": "x",
    "become_user": "x", "check_mode": True, "connection": "x", "debugger": "x", "delegate_facts": True,
    "delegate_to": "x", "diff": True, "ignore_errors": True, "ignore_unreachable": True, "no_log": True, "port": 1,
    "remote_user": "x", "run_once": True, "throttle": 1, "timeout": 1,
}  # fmt: skip


@pytest.mark.parametrize("name", VALUES)
def test_the_innermost_value_wins(project: Project, name: str) -> None:
    on_play = "play" in KEYWORDS[name].on
    value = str(VALUES[name]).lower()
    other = {"true": "false", "x": "y", "1": "2"}[value]
    (play,) = project.load(
        f"- hosts: all\n  {f'{name}: {other}' if on_play else 'order: sorted'}\n  tasks:\n"
        f"    - ping:\n    - block:\n        - ping:\n        - ping:\n          {name}: {other}\n      {name}: {value}\n"
    )
    outside, inside, own = (getattr(t, name) for t in project.flat(play.tasks))
    texts = [str(v).lower() for v in (outside, inside, own)]
    assert texts == [other if on_play else "none", value, other]


def test_the_table_and_these_tests_agree() -> None:
    replaced = {row.name for row in TABLE if row.inherited and not row.adds}
    assert replaced == {*VALUES, "notify"}
    assert {row.name for row in TABLE if row.adds} == {"collections", "environment", "module_defaults", "tags", "when"}
    fields = set(Task.__dataclass_fields__)
    assert {row.field for row in INHERITED.values()} <= fields
    assert {row.field for row in keywords_of("handler").values()} - fields == {"local_action"}
    assert all(row.doc for row in TABLE)


def test_what_adds_up_is_ordered_from_the_outside(project: Project) -> None:
    (play,) = project.load("""
        - hosts: all
          environment: {A: 1}
          tags: p
          module_defaults: {copy: {a: 1}}
          tasks:
            - block:
                - ping:
                  when: c3
                  tags: [t, b]
                  environment: [{A: 3}, {B: 4}]
                  vars: {v: 3}
              when: [c1, c2]
              tags: b
              vars: {v: 2}
              environment: {A: 2}
        """)
    (task,) = project.flat(play.tasks)
    assert task.when == ("c1", "c2", "c3")
    assert task.tags == ("p", "b", "t")
    assert task.environment == ({"A": 1}, {"A": 2}, {"A": 3}, {"B": 4})
    assert task.block_vars == ({"v": 2},)
    assert task.vars == {"v": 3}
    assert task.module_defaults == ({"copy": {"a": 1}},)


def test_a_block_s_notify_is_for_tasks_without_their_own(project: Project) -> None:
    found = project.tasks("- block:\n    - ping:\n    - ping:\n      notify: mine\n  notify: theirs")
    assert [t.notify for t in found] == [("theirs",), ("mine",)]


def test_an_import_hands_its_keywords_down(project: Project) -> None:
    found = project.tasks(
        "- import_tasks: t.yml\n  vars: {v: 1}\n  when: c\n  tags: t\n  become: true",
        {"t.yml": "- ping:\n  tags: own\n- ping:\n  become: false\n  when: d\n"},
    )
    assert [(t.block_vars, t.when, t.tags, t.become) for t in found] == [
        (({"v": 1},), ("c",), ("t", "own"), True),
        (({"v": 1},), ("c", "d"), ("t",), False),
    ]


def test_an_empty_keyword_counts_as_not_there(project: Project) -> None:
    found = project.tasks("- block:\n    - ping:\n      become:\n      when:\n  become: true")
    assert (found[0].become, found[0].when) == (True, ())
