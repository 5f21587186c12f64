"""Whether what stands at a path may be taken without being named: not where other users decide what stands there."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def anybody_may_write(path: str) -> bool:
    """Whether every user of this system may write to the file or directory at `path`."""
    try:
        return bool(os.stat(path).st_mode & stat.S_IWOTH)  # noqa: PTH116  # plain text
    except OSError:
        return False


def other_owner(path: str, environ: Mapping[str, str]) -> str | None:
    """Return the name of the user that `path` belongs to, None for ourselves, root, and who called us with sudo."""
    try:
        owner = os.stat(path).st_uid  # noqa: PTH116  # plain text
    except OSError:
        return None
    us = os.geteuid()
    caller = environ.get("SUDO_UID", "") if us == 0 else ""
    return None if owner in (0, us) or str(owner) == caller else _name(owner)


def _name(number: int) -> str:
    import pwd  # noqa: PLC0415  # seldom needed

    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)
