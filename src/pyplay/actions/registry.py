"""Which action stands for which module. All others are shipped as they are."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

from pyplay.actions.normal import run as ship

if TYPE_CHECKING:
    from pyplay.actions.base import Action

_PREFIXES = ("ansible.builtin.", "ansible.legacy.")
_POSIX = ("ansible.posix.patch", "ansible.posix.synchronize")

# Name of the built-in → module of this package whose `run` is the action. Imported when first used.
ACTIONS = {
    "add_host": "add_host",
    "assemble": "assemble",
    "assert": "assert_",
    "async_status": "async_status",
    "copy": "copy",
    "debug": "debug",
    "fail": "fail",
    "fetch": "fetch",
    "gather_facts": "gather_facts",
    "group_by": "group_by",
    "include_vars": "include_vars",
    "package": "package",
    "pause": "pause",
    "raw": "raw",
    "reboot": "reboot",
    "patch": "patch",
    "script": "script",
    "service": "service",
    "set_fact": "set_fact",
    "set_stats": "set_stats",
    "shell": "shell",
    "synchronize": "synchronize",
    "template": "template",
    "unarchive": "unarchive",
    "uri": "uri",
    "validate_argument_spec": "validate_argument_spec",
    "wait_for_connection": "wait_for_connection",
}


BACKGROUND = frozenset({"package", "service", "shell"})
"""Actions whose module may run in the background (`async`), as all modules without an action may."""


def may_run_in_background(name: str) -> bool:
    """Tell whether a task of the module called `name` may be `async`."""
    for prefix in _PREFIXES:
        name = name.removeprefix(prefix)
    return name not in ACTIONS or name in BACKGROUND


def find_action(name: str) -> Action | None:
    """Give the action of the module called `name` (short or full), None if the module is shipped as it is."""
    for prefix in _PREFIXES:
        name = name.removeprefix(prefix)
    if name in _POSIX:
        name = name.rpartition(".")[2]
    module = ACTIONS.get(name)
    return None if module is None else cast("Action", import_module(f"pyplay.actions.{module}").run)


def action_of(name: str) -> Action:
    """Give the action to run for the module called `name`."""
    return find_action(name) or ship
