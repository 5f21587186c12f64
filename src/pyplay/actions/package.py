"""package: the module of the host's own package manager."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ActionFailed
from pyplay.actions.detect import host_fact
from pyplay.actions.options import Options, text
from pyplay.source.text import Trusted

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

MANAGERS = frozenset((
    *("apk", "apt", "apt_rpm", "atomic_container", "auto", "dnf", "dnf4", "dnf5"),
    *("homebrew", "installp", "macports", "openbsd_pkg", "opkg", "pacman", "pkg5", "pkgin"),
    *("pkgng", "portage", "slackpkg", "sorcery", "svr4pkg", "swdepot", "swupd", "unknown"),
    *("urpmi", "xbps", "yum", "zypper"),
))  # fmt: skip
"""What facts may say a package manager is: each is the name of its module."""

_RENAMED = {"yum": "dnf", "dnf4": "dnf"}


async def run(call: ActionCall) -> dict[str, Any]:
    """Run the package manager's module with the task's options."""
    manager = text(_OPTIONS.check(call.args), "use") or "auto"
    if manager == "auto":
        manager = await _managed_by(call)
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


async def _managed_by(call: ActionCall) -> str:
    """Return the host's package manager. Raises ActionFailed for a host's word that is none of `MANAGERS`."""
    manager = await host_fact(call, "pkg_mgr") or "unknown"
    if not isinstance(manager, Trusted) and manager not in MANAGERS:
        raise ActionFailed(
            f"The host says that its package manager is {manager!r}, which is none that is known here. "
            "Name a module with the option 'use'."
        )
    return manager
