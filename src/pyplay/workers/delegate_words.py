"""What the connection's variables are in a task that another host does: those of that host.

What is set for the task's own host stays (observed in ansible-core 2.21), and so do user and password of keyword
and option.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pyplay.source.text import Trusted

if TYPE_CHECKING:
    from collections.abc import Collection

_PAIRS = (
    ("ansible_host", "ansible_ssh_host"),
    ("ansible_port", "ansible_ssh_port"),
    ("ansible_user", "ansible_ssh_user"),
    ("ansible_password", "ansible_ssh_pass"),
)
_ELSE_OPTIONS = frozenset((*_PAIRS[2], *_PAIRS[3]))


def delegated_vars(delegate: str) -> dict[str, Any]:
    """Give `ansible_delegated_vars`: all that is known of the delegate, little where the inventory has no such host."""
    name = json.dumps(delegate)
    little = f"{{'inventory_hostname': {name}, 'ansible_host': {name}}}"
    return {delegate: Trusted(f"{{{{ hostvars[{name}] | default({little}) }}}}")}


def delegate_words(delegate: str, here: Collection[str], there: Collection[str], transport: str) -> dict[str, Any]:
    """Give the connection's variables of `delegate` that the task is to see.

    `here` and `there` are the names of those that are set for the task's host and for the delegate; `transport` is
    how the delegate is reached where nothing is.
    """
    found: dict[str, Any] = {}
    for pair in _PAIRS:
        source = next((name for name in pair if name in there), None)
        for name in pair:
            if name not in here and (source or name not in _ELSE_OPTIONS):
                found[name] = _of(delegate, source or name)
    if not any(name in there for name in _PAIRS[0]):
        found.update((name, delegate) for name in _PAIRS[0] if name not in here)
    if "ansible_connection" not in here:
        found["ansible_connection"] = (
            _of(delegate, "ansible_connection") if "ansible_connection" in there else Trusted(transport)
        )
    return found


def _of(host: str, name: str) -> Trusted:
    return Trusted(f"{{{{ (hostvars[{json.dumps(host)}] | default({{}})).{name} }}}}")
