"""The form in which thousands of hosts travel to other processes.

A pickle of an object for each host takes longer than reading the inventory did. Packed, the names are one text, groups
name their hosts by number, and what hosts have in common is said once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.dataclass import dataclass
from pyplay.inventory.hosts import Hosts, Kind
from pyplay.inventory.members import NO_VARS, Group, Host

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyplay.diagnostics.model import Origin
    from pyplay.source.text import SourceMap


@dataclass(frozen=True, slots=True)
class Packed:
    """Hosts and groups as few, flat values. Hosts are numbered in their order, other members of groups after them.

    `names` are lines, or a list where a name has a line's end or is no plain text; `hosts` of them are hosts. `kinds`
    say of the hosts from a number on, up to that of the next kind, which groups and source they share. `variables` are
    those of the hosts that have any, by number. Of a group: its name, variables, numbers of its hosts, children,
    parents and priority.
    """

    names: str | list[str]
    hosts: int
    kinds: list[tuple[int, tuple[str, ...], str | None]]
    variables: dict[int, Mapping[str, Any]]
    groups: list[tuple[str, SourceMap, Sequence[int], dict[str, Origin | None], dict[str, None], int]]


def pack(hosts: Hosts, groups: Mapping[str, Group]) -> Packed:
    """Give `hosts` and `groups`, by name, as what pickles quickly."""
    numbers = _Numbers(hosts)
    packed = [
        (group.name, group.vars, numbers.of(group.hosts), group.children, group.parents, group.priority)
        for group in groups.values()
    ]
    kinds: list[tuple[int, tuple[str, ...], str | None]] = []
    variables: dict[int, Mapping[str, Any]] = {}
    last: Host | Kind | None = None
    for number, held in enumerate(hosts.held()):
        if held is last:
            continue
        last = held
        if not kinds or kinds[-1][1:] != (held.groups, held.source):
            kinds.append((number, held.groups, held.source))
        if isinstance(held, Host) and held.vars is not NO_VARS:
            variables[number] = held.vars
    return Packed(_lines(numbers.names), numbers.hosts, kinds, variables, packed)


class _Numbers:
    """The numbers of members; `names` are those of all that have one, the first `hosts` of them hosts."""

    def __init__(self, hosts: Hosts) -> None:
        self.names = list(hosts)
        self.hosts = len(self.names)
        self._known: dict[str, int] | None = None
        self._next = 0

    def of(self, members: Mapping[str, None]) -> Sequence[int]:
        """Give the numbers of a group's hosts, a range if they follow one another. Who is no host gets one, too."""
        names = list(members)
        start = self._next if self._follow(self._next, names) else self._number(names[0])
        if not self._follow(start, names):
            return list(map(self._number, names))
        self._next = start + len(names)
        return range(start, self._next)

    def _follow(self, start: int, names: list[str]) -> bool:
        """Tell whether `names` are those of the hosts from `start` on."""
        end = start + len(names)
        return end <= self.hosts and self.names[start:end] == names

    def _number(self, name: str) -> int:
        if self._known is None:
            self._known = {name: number for number, name in enumerate(self.names)}
        number = self._known.setdefault(name, len(self.names))
        if number == len(self.names):
            self.names.append(name)
        return number


def unpack(packed: Packed) -> tuple[Hosts, dict[str, Group]]:
    """Give the hosts and groups that `pack` took."""
    names = packed.names.split("\n") if isinstance(packed.names, str) else packed.names
    hosts = Hosts()
    ends = [*(start for start, _, _ in packed.kinds[1:]), packed.hosts]
    for (start, groups, source), end in zip(packed.kinds, ends, strict=False):
        hosts.add_alike(names[start:end], Kind(groups, source))
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
    plain = text.count("\n") == len(names) - 1 and set(map(type, names)) == {str}
    return text if plain else names
