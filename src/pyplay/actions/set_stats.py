"""set_stats: values for the recap at the end of the run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ASKS, ActionFailed
from pyplay.actions.options import Options
from pyplay.playbook.fields import NAMES, invalid_name, is_variable_name
from pyplay.source.booleans import read_boolean
from pyplay.source.text import SourceMap, Trusted
from pyplay.templating.syntax import is_template

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall

OPTIONS = {
    "options": {
        "data": {"type": "raw", "doc": "A mapping of names and values."},
        "per_host": {"type": "raw", "default": False, "doc": "Keep the values of each host apart."},
        "aggregate": {"type": "raw", "default": True, "doc": "Add to what is there, else replace it."},
    },
    "check_mode": "full",
    "diff": False,
    "platforms": "all",
    "returns": {"ansible_stats": "The values and how they are kept."},
}
_OPTIONS = Options("set_stats", OPTIONS)


async def run(call: ActionCall) -> dict[str, Any]:
    """Give the values as `ansible_stats`; the controller adds them up."""
    args = _OPTIONS.check(call.args)
    data = args.get("data", {})
    if not isinstance(data, Mapping):
        raise ActionFailed("The 'data' option needs to be a dictionary/hash")
    named = await call.render(_named, call, data)
    stats: dict[str, Any] = {
        "data": named,
        "per_host": _flag(args, "per_host", default=False),
        "aggregate": _flag(args, "aggregate", default=True),
    }
    return {ASKS: "stats", "ansible_stats": stats}


def _named(call: ActionCall, data: Mapping[Any, Any]) -> dict[str, Any]:
    """Give `data` with the templates in its names rendered, as far as they stand in the task itself."""
    found: dict[str, Any] = {}
    written = call.task.args.get("data")
    origins = written.key_origins if isinstance(written, SourceMap) else {}
    for raw, value in data.items():
        name: Any = call.templar.resolve(Trusted(raw, origins[raw])) if raw in origins and is_template(raw) else raw
        if not is_variable_name(name):
            raise ActionFailed(f"{invalid_name(name)}: {NAMES}")
        found[str(name)] = value
    return found


def _flag(args: Mapping[str, Any], option: str, *, default: bool) -> bool:
    """Give a boolean; other text is false here (observed with ansible-core 2.21)."""
    value = args.get(option)
    return default if value is None else read_boolean(value) is True
