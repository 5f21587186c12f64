"""Whether a run will probably connect to hosts."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pyplay.inventory.model import Inventory
from pyplay.playbook.model import TaskKind
from pyplay.workers.outlook import actions_of, will_connect, will_talk


def make_handover(**changes: Any) -> Any:
    given = {"hosts": "all", "gather": False, "action": "file", "kind": TaskKind.TASK, "task": None, "options": None}
    given |= {"host_vars": {}, "all_vars": {}} | changes
    inventory = Inventory()
    inventory.add_host("web", [], given["host_vars"])
    inventory.groups["all"].vars.update(given["all_vars"])
    action = f"ansible.builtin.{given['action']}"
    task = SimpleNamespace(play_id=1, resolved_action=action, kind=given["kind"], connection=given["task"])
    return SimpleNamespace(
        options=SimpleNamespace(connection=given["options"]),
        plays={1: SimpleNamespace(hosts=given["hosts"], gather_facts=given["gather"])},
        tasks={7: task},
        inventory=inventory,
    )


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, True),
        ({"action": "debug"}, False),
        ({"action": "debug", "gather": None}, True),
        ({"action": "debug", "gather": True}, True),
        ({"action": "include_tasks", "kind": TaskKind.INCLUDE_TASKS}, True),
        ({"action": "meta", "kind": TaskKind.META}, False),
        ({"task": "local"}, False),
        ({"options": "local"}, False),
        ({"options": "community.docker.docker"}, False),
        ({"options": "paramiko"}, True),
        ({"hosts": "localhost"}, False),
        ({"hosts": ["localhost", "web"]}, True),
        ({"host_vars": {"ansible_connection": "local"}}, False),
        ({"all_vars": {"ansible_connection": "local"}}, False),
        ({"all_vars": {"ansible_connection": "community.docker.docker"}}, False),
        ({"all_vars": {"ansible_connection": "ansible.builtin.ssh"}}, True),
        ({"all_vars": {"ansible_connection": "{{ 'local' }}"}}, True),
    ],
)
def test_outlook(changes: dict[str, Any], expected: bool) -> None:  # noqa: FBT001  # a table
    assert will_connect(make_handover(**changes)) is expected


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, True),
        ({"task": "local"}, True),
        ({"action": "debug"}, False),
        ({"action": "debug", "gather": True}, True),
        ({"action": "debug", "gather": "{{ x }}"}, False),
        ({"action": "meta", "kind": TaskKind.META}, False),
        ({"hosts": "localhost"}, True),
    ],
)
def test_whether_anything_is_sent(changes: dict[str, Any], expected: bool) -> None:  # noqa: FBT001  # a table
    assert will_talk(make_handover(**changes)) is expected


def test_the_actions_are_those_of_tasks_and_gathering() -> None:
    assert actions_of(make_handover()) == {"ansible.builtin.file"}
    assert actions_of(make_handover(action="debug", gather=True)) == {"ansible.builtin.debug", "gather_facts"}
