"""group_by: put the host into a group named by a value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ActionFailed
from pyplay.actions.options import check_known, strings

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall


async def run(call: ActionCall) -> dict[str, Any]:
    """Give the group and its parents; the controller changes the inventory."""
    args = call.args
    check_known("group_by", args, ("key", "parents"))
    if args.get("key") in (None, ""):
        raise ActionFailed("the 'key' param is required when using group_by")
    parents = strings(args, "parents") or ["all"]
    return {
        "changed": True,
        "add_group": _group_name(str(args["key"])),
        "parent_groups": [_group_name(name) for name in parents],
    }


def _group_name(text: str) -> str:
    return text.replace(" ", "-")
