"""service: the module of the host's own service manager."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.actions.detect import host_fact
from pyplay.actions.options import text

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall

OPTIONS = {
    "extends": "service",  # the module has the options; which of them are needed depends on the service manager
    "options": {
        "use": {
            "type": "str",
            "default": "auto",
            "doc": "The module to run; auto asks the host.",
        },
    },
    "others": "taken",  # options of that manager's module
    "loose": True,
}

_MODULES = {"systemd": "systemd_service", "systemd_service": "systemd_service", "sysvinit": "service"}
_UNUSED_BY_SYSTEMD = ("pattern", "runlevel", "sleep", "arguments", "args")


async def run(call: ActionCall) -> dict[str, Any]:
    """Run the service manager's module with the task's options; unknown ones are left to the service module."""
    given = text(call.args, "use") or "auto"
    manager = given if given != "auto" else await host_fact(call, "service_mgr") or "service"
    args = {option: value for option, value in call.args.items() if option != "use"}
    name = "sysvinit" if given == "sysvinit" else _MODULES.get(manager, "service")
    unused: list[str] = []
    if name == "systemd_service":
        unused = [option for option in _UNUSED_BY_SYSTEMD if option in args]
        args = {option: value for option, value in args.items() if option not in unused}
    result = await call.remote.module(name, {**call.defaults(name), **args}, main=True)
    if unused:
        told = [f'Ignoring "{option}" as it is not used in "systemd"' for option in unused]
        result["warnings"] = [*(result.get("warnings") or ()), *told]
    return result
