"""group_by: put the host into a group named by a value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ASKS, ActionFailed
from pyplay.actions.options import Options, strings

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall

OPTIONS = {
    "options": {
        "key": {"type": "str", "required": True, "doc": "Name of the group; blanks become dashes."},
        "parents": {"type": "list", "elements": "str", "default": ["all"], "doc": "Groups above it."},
    },
    "check_mode": "full",
    "diff": False,
    "platforms": "all",
    "returns": {"add_group": "The group.", "parent_groups": "Those above it."},
}
_OPTIONS = Options("group_by", OPTIONS)


async def run(call: ActionCall) -> dict[str, Any]:
    """Give the group and its parents; the controller changes the inventory."""
    if call.args.get("key") in (None, ""):
        raise ActionFailed("the 'key' param is required when using group_by")
    args = _OPTIONS.check(call.args)
    parents = strings(args, "parents") or ["all"]
    return {
        "changed": True,
        ASKS: "add_group",
        "add_group": _group_name(str(args["key"])),
        "parent_groups": [_group_name(name) for name in parents],
    }


def _group_name(text: str) -> str:
    return text.replace(" ", "-")
