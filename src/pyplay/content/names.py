"""The names of collections and roles, and what stands in a requirement of one."""

from __future__ import annotations

import re
from enum import StrEnum

from pyplay.diagnostics.dataclass import dataclass
from pyplay.diagnostics.model import Origin  # noqa: TC001  # fields are looked at

_PART = re.compile(r"[a-z_][a-z0-9_]*", re.ASCII)
_ROLE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*", re.ASCII)


class Kind(StrEnum):
    """What is installed."""

    COLLECTION = "collection"
    ROLE = "role"


class Origins(StrEnum):
    """The types of places that a requirement may name."""

    GALAXY = "galaxy"
    GIT = "git"
    URL = "url"
    FILE = "file"
    DIR = "dir"
    SUBDIRS = "subdirs"


@dataclass(frozen=True, slots=True)
class Wanted:
    """One requirement. `name` is empty where only its place tells it; `place` is a URL or path, `server` a Galaxy.

    `version` is a range for collections of a Galaxy, and a branch, tag or commit for what comes from git.
    """

    kind: Kind
    name: str
    type: Origins
    place: str = ""
    version: str = ""
    server: str = ""
    subdirectory: str = ""
    signatures: tuple[str, ...] = ()
    origin: Origin | None = None

    @property
    def shown(self) -> str:
        """What messages call it."""
        return self.name or self.place


def is_collection_name(name: str) -> bool:
    """Whether `name` is NAMESPACE.NAME, both of small letters, digits and underscores."""
    parts = name.split(".")
    return len(parts) == 2 and all(map(_PART.fullmatch, parts))


def is_role_name(name: str) -> bool:
    """Whether `name` may be the directory of a role."""
    return _ROLE.fullmatch(name) is not None
