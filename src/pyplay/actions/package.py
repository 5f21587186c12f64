"""package: the module of the host's own package manager."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ActionFailed
from pyplay.actions.detect import host_fact
from pyplay.actions.options import Options, text

if TYPE_CHECKING:
    from pyplay.actions.base import ActionCall

OPTIONS = {
    "options": {
        "name": {"type": "raw", "doc": "Packages, as the host's package manager names them."},
        "state": {"type": "raw", "doc": "present, absent, latest, or what else its module knows."},
        "use": {
            "type": "raw",
            "default": "auto",
            "doc": "The module to run; auto asks the host's facts, then the host.",
        },
    },
    "others": "taken",  # options of that module
    "check_mode": "full",
    "diff": True,
    "identity": ["name"],
    "absent_undoes": True,
    "platforms": "posix",
    "returns": {},
}
_OPTIONS = Options("package", OPTIONS)

_RENAMED = {"yum": "dnf", "dnf4": "dnf"}


async def run(call: ActionCall) -> dict[str, Any]:
    """Run the package manager's module with the task's options."""
    manager = text(_OPTIONS.check(call.args), "use") or "auto"
    if manager == "auto":
        manager = await host_fact(call, "pkg_mgr") or "unknown"
    if manager in ("auto", "unknown"):
        raise ActionFailed(
            "Could not detect which package manager to use. Gather facts, or name one with the option 'use'."
        )
    if manager == "atomic_container":
        raise ActionFailed(
            "The host was booted from an image, which no package manager changes in place. "
            "Use community.general.rpm_ostree_pkg, or name a module with the option 'use'."
        )
    name = _RENAMED.get(manager, manager)
    args = {option: value for option, value in call.args.items() if option != "use"}
    return await call.remote.module(name, {**call.defaults(name), **args}, main=True)
