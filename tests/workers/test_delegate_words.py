"""What a task that another host does sees of the connection: seen in ansible-core 2.21."""

from __future__ import annotations

from typing import Any

import pytest

from pyplay.workers.delegate_words import delegate_words, delegated_vars


@pytest.mark.parametrize(
    ("here", "there", "plain"),
    [
        ((), (), {"ansible_connection": "ssh", "ansible_host": "d", "ansible_ssh_host": "d"}),
        (("ansible_connection",), (), {"ansible_host": "d", "ansible_ssh_host": "d"}),
        (("ansible_host",), (), {"ansible_connection": "ssh", "ansible_ssh_host": "d"}),
        ((), ("ansible_connection", "ansible_ssh_host"), {}),
    ],
)
def test_what_is_known_without_a_look_at_the_delegate(here: Any, there: Any, plain: dict[str, str]) -> None:
    found = delegate_words("d", here, there, "ssh")
    assert {name: text for name, text in found.items() if "{{" not in text} == plain


@pytest.mark.parametrize(
    ("here", "there", "templates"),
    [
        ((), (), {"ansible_port", "ansible_ssh_port"}),
        ((), ("ansible_ssh_user",), {"ansible_port", "ansible_ssh_port", "ansible_user", "ansible_ssh_user"}),
        (("ansible_port", "ansible_user"), ("ansible_user",), {"ansible_ssh_port", "ansible_ssh_user"}),
        (
            ("ansible_ssh_pass",),
            ("ansible_password",),
            {"ansible_port", "ansible_ssh_port", "ansible_password"},
        ),
    ],
)
def test_what_the_delegate_says(here: Any, there: Any, templates: set[str]) -> None:
    found = delegate_words("d", here, there, "ssh")
    assert {name for name, text in found.items() if "{{" in text} == templates


def test_delegates_out_of_the_inventory_have_some_variables() -> None:
    assert "default({'inventory_hostname': \"d\", 'ansible_host': \"d\"})" in delegated_vars("d")["d"]
