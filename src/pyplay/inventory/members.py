"""Hosts and groups: what an inventory is made of."""

from __future__ import annotations

import os
from dataclasses import field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.dataclass import dataclass
from pyplay.source.text import SourceMap

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.diagnostics.model import Origin

NO_VARS: Mapping[str, Any] = MappingProxyType({})
"""What all hosts without variables have in common; see `Host.own_vars`."""


@dataclass(slots=True)
class Host:
    """One host. `groups` are the groups that name it (in order), `source` is the inventory source that first did.

    `implicit` marks the localhost that no inventory names. Of thousands most have no variables and are in the groups
    that their neighbours are in: they share both, so that a host costs little to make and to keep.
    """

    name: str
    vars: Mapping[str, Any] = field(default_factory=lambda: NO_VARS)
    groups: tuple[str, ...] = ()
    source: str | None = None
    implicit: bool = False

    def own_vars(self) -> SourceMap:
        """Give the variables to change them, in a mapping of this host alone."""
        found = self.vars
        if not isinstance(found, SourceMap):
            self.vars = found = SourceMap(found)
        return found

    @property
    def inventory_file(self) -> str | None:
        """The file that first named this host, None for host lists and hosts added at run time."""
        return self.source

    @property
    def inventory_dir(self) -> str | None:
        """The directory of `inventory_file`."""
        return os.path.dirname(self.source) if self.source else None  # noqa: PTH120  # plain text


@dataclass(slots=True)
class Group:
    """One group. `hosts` and `children` are names in the order they were added; `priority` breaks ties of depth."""

    name: str
    vars: SourceMap = field(default_factory=SourceMap)
    hosts: dict[str, None] = field(default_factory=dict[str, None])
    children: dict[str, Origin | None] = field(default_factory=dict[str, "Origin | None"])
    parents: dict[str, None] = field(default_factory=dict[str, None])
    priority: int = 1
