"""set_stats: values for the recap at the end of the run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ActionFailed
from pyplay.actions.options import boolean, check_known

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall


async def run(call: ActionCall) -> dict[str, Any]:
    """Give the values as `ansible_stats`; the controller adds them up."""
    args = call.args
    check_known("set_stats", args, ("data", "per_host", "aggregate"))
    data = args.get("data", {})
    if not isinstance(data, Mapping):
        raise ActionFailed("The 'data' option needs to be a dictionary/hash")
    for name in data:  # pyright: ignore[reportUnknownVariableType]  # checked here
        if not isinstance(name, str) or not name.isidentifier():
            raise ActionFailed(f"set_stats: {name!r} is not a variable name")
    stats: dict[str, Any] = {
        "data": dict(data),  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]  # any values
        "per_host": boolean(args, "per_host"),
        "aggregate": boolean(args, "aggregate", default=True),
    }
    return {"ansible_stats": stats}
