"""Hosts and groups, and the form in which thousands of them travel to other processes.

A pickle of an object for each host takes longer than reading the inventory did. Packed, the names are one text, groups
name their hosts by number, and what hosts have in common is said once.
"""

from __future__ import annotations

import os
from dataclasses import field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.dataclass import dataclass
from pyplay.source.text import SourceMap

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

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


@dataclass(frozen=True, slots=True)
class Packed:
    """Hosts and groups as few, flat values. Hosts are numbered in their order, other members of groups after them.

    `names` are lines, or a list where a name has a line's end or is no plain text. `kinds` say of how many hosts, one
    after another, what they share: groups, source, implicit. `variables` are those of the hosts that have any, by
    number. Of a group: its name, variables, numbers of its hosts, children, parents and priority.
    """

    names: str | list[str]
    kinds: list[tuple[int, tuple[tuple[str, ...], str | None, bool]]]
    variables: dict[int, Mapping[str, Any]]
    groups: list[tuple[str, SourceMap, Sequence[int], dict[str, Origin | None], dict[str, None], int]]


def pack(hosts: Mapping[str, Host], groups: Mapping[str, Group]) -> Packed:
    """Give `hosts` and `groups`, each by its name, as what pickles quickly."""
    names = list(hosts)
    numbers = dict(zip(names, range(len(names)), strict=True))
    packed = [
        (
            group.name,
            group.vars,
            _numbers_of(group.hosts, names, numbers),
            group.children,
            group.parents,
            group.priority,
        )
        for group in groups.values()
    ]
    variables = {number: host.vars for number, host in enumerate(hosts.values()) if host.vars is not NO_VARS}
    kinds = [(count, (host.groups, host.source, host.implicit)) for count, host in _alike(hosts.values())]
    return Packed(_lines(list(numbers)), kinds, variables, packed)


def _numbers_of(members: Mapping[str, None], hosts: list[str], numbers: dict[str, int]) -> Sequence[int]:
    """Give the numbers of a group's hosts, a range if they follow one another; `numbers` gets who is no host."""
    start = numbers.get(next(iter(members), ""), 0)
    if hosts[start : start + len(members)] == list(members):
        return range(start, start + len(members))
    return [numbers.setdefault(name, len(numbers)) for name in members]


def _alike(hosts: Iterable[Host]) -> Iterator[tuple[int, Host]]:
    """Give how many hosts, one after another, are as the host beside it but for name and variables."""
    count, last = 0, Host("")
    for host in hosts:
        if (host.groups, host.source, host.implicit) == (last.groups, last.source, last.implicit):
            count += 1
        else:
            yield count, last
            count, last = 1, host
    yield count, last


def unpack(packed: Packed) -> tuple[dict[str, Host], dict[str, Group]]:
    """Give the hosts and groups that `pack` took."""
    names = packed.names.split("\n") if isinstance(packed.names, str) else packed.names
    hosts: dict[str, Host] = {}
    start = 0
    for count, (groups, source, implicit) in packed.kinds:
        for name in names[start : start + count]:
            hosts[name] = Host(name, NO_VARS, groups, source, implicit)
        start += count
    for number, values in packed.variables.items():
        hosts[names[number]].vars = values
    return hosts, {
        name: Group(name, values, dict.fromkeys(_named(numbers, names)), children, parents, priority)
        for name, values, numbers, children, parents, priority in packed.groups
    }


def _named(numbers: Sequence[int], names: list[str]) -> list[str]:
    if isinstance(numbers, range):
        return names[numbers.start : numbers.stop]
    return [names[number] for number in numbers]


def _lines(names: list[str]) -> str | list[str]:
    """Give `names` as the lines of one text, as they are if that would change them."""
    text = "\n".join(names)
    plain = text.count("\n") == len(names) - 1 and {type(name) for name in names} == {str}
    return text if plain else names
