"""Which action stands for which module. All others are shipped as they are."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, cast

from pyplay.actions.normal import run as ship

if TYPE_CHECKING:
    from pyplay.actions.base import Action

_PREFIXES = ("ansible.builtin.", "ansible.legacy.")
_KUBERNETES = "kubernetes.core."

# Full name of a module of a collection → module of this package whose `run` is the action.
COLLECTION_ACTIONS = {
    "ansible.posix.patch": "patch",
    "ansible.posix.synchronize": "synchronize",
    "community.general.shutdown": "shutdown",
    **{
        _KUBERNETES + name: "kubernetes"
        for name in (
            "helm",
            "helm_info",
            "helm_plugin",
            "helm_plugin_info",
            "helm_repository",
            "k8s",
            "k8s_cluster_info",
            "k8s_cp",
            "k8s_drain",
            "k8s_exec",
            "k8s_info",
            "k8s_json_patch",
            "k8s_log",
            "k8s_rollback",
            "k8s_scale",
            "k8s_service",
        )
    },
}

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
    module = COLLECTION_ACTIONS.get(name)
    return module == "kubernetes" or (module is None and (name not in ACTIONS or name in BACKGROUND))


@cache
def find_action(name: str) -> Action | None:
    """Give the action of the module called `name` (short or full), None if the module is shipped as it is."""
    for prefix in _PREFIXES:
        name = name.removeprefix(prefix)
    module = COLLECTION_ACTIONS.get(name) or ACTIONS.get(name)
    return None if module is None else cast("Action", import_module(f"pyplay.actions.{module}").run)


def action_of(name: str) -> Action:
    """Give the action to run for the module called `name`."""
    return find_action(name) or ship
