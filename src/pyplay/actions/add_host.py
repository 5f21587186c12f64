"""add_host: put a host, and groups, into the inventory of the run."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ASKS, ActionFailed
from pyplay.actions.options import Options, strings

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall

OPTIONS = {
    "options": {
        "name": {
            "type": "str",
            "required": True,
            "aliases": ["host", "hostname"],
            "doc": "The host; `name:port` sets its port.",
        },
        "groups": {
            "type": "list",
            "elements": "str",
            "aliases": ["group", "groupname"],
            "doc": "Groups to put it into; they are made.",
        },
    },
    "others": "taken",  # variables of the host
    "check_mode": "full",
    "diff": False,
    "platforms": "all",
    "returns": {"add_host": "The host, its groups and variables."},
}
_OPTIONS = Options("add_host", OPTIONS)

_NAMES = ("name", "hostname", "host")
_GROUPS = ("groups", "groupname", "group")
_NO_VARIABLES = frozenset({"name", "hostname", "groups", "groupname"})
"""Options that do not become variables of the host; `host` and `group` do, as in Ansible."""

_PORT = re.compile(r"(?P<name>\[[^\]]+\]|[^:\[\]]+):(?P<port>\d+)")


async def run(call: ActionCall) -> dict[str, Any]:
    """Give the host, its groups and variables; the controller changes the inventory."""
    args = call.args
    named = next((args[key] for key in _NAMES if args.get(key)), None)
    if not named:
        raise ActionFailed("name, host or hostname needs to be provided")
    _OPTIONS.check(args)
    name, variables = _host(str(named))
    variables.update({key: value for key, value in args.items() if key not in _NO_VARIABLES})
    groups = [group for key in _GROUPS for group in strings(args, key)]
    return {
        "changed": True,
        ASKS: "add_host",
        "add_host": {"host_name": name, "groups": list(dict.fromkeys(groups)), "host_vars": variables},
    }


def _host(text: str) -> tuple[str, dict[str, Any]]:
    """Give the name and, where one stands behind it, the port as a variable."""
    found = _PORT.fullmatch(text)
    if found is None:
        return text, {}
    return found["name"].strip("[]"), {"ansible_ssh_port": int(found["port"])}
