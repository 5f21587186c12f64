"""The hosts of an inventory, by name: of hosts that are like their neighbours, what they share is kept, once.

Of thousands most have no variables of their own and are in the groups that their neighbours are in, and a process that
works on some of them asks for these alone. A host is made when it is asked for.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import TYPE_CHECKING

from pyplay.diagnostics.dataclass import dataclass
from pyplay.inventory.members import NO_VARS, Host

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, KeysView, Sequence


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """What hosts without variables share: the groups that name them (in order), the source that first did."""

    groups: tuple[str, ...] = ()
    source: str | None = None


class Hosts(MutableMapping[str, Host]):
    """Hosts by name, in the order they were added."""

    __slots__ = ("_held",)

    def __init__(self) -> None:
        self._held: dict[str, Host | Kind] = {}

    def __getitem__(self, name: str) -> Host:
        held = self._held[name]
        return self._made(name, held) if isinstance(held, Kind) else held

    def __setitem__(self, name: str, host: Host) -> None:
        self._held[name] = host

    def __delitem__(self, name: str) -> None:
        del self._held[name]

    def __contains__(self, name: object) -> bool:
        return name in self._held

    def __iter__(self) -> Iterator[str]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)

    def keys(self) -> KeysView[str]:
        """Give the names."""
        return self._held.keys()

    def held(self, names: Iterable[str] | None = None) -> Iterator[Host | Kind]:
        """Give the hosts `names` (default: all in order): of those that nobody asked for their kind."""
        return iter(self._held.values()) if names is None else map(self._held.__getitem__, names)

    def _made(self, name: str, kind: Kind) -> Host:
        made = self._held[name] = Host(str(name), NO_VARS, kind.groups, kind.source)
        return made

    # -- many at once

    def add_alike(self, names: Collection[str], kind: Kind) -> None:
        """Add new hosts of one kind."""
        held = self._held
        for name in names:
            held[name] = kind
        if set(map(type, names)) - {str}:  # a name may know where it was written: its host must
            for name in names:
                self._made(name, kind).name = name

    def put_into(self, group: str, names: Sequence[str]) -> None:
        """Add `group` to the groups of the hosts `names`, all of which are there."""
        held = self._held
        longer: dict[tuple[str, ...], tuple[str, ...]] = {}
        kind = new = Kind()
        for name in names:
            each = held[name]
            if each is kind:  # as its neighbour
                held[name] = new
                continue
            groups = longer.get(each.groups) or longer.setdefault(each.groups, (*each.groups, group))
            if isinstance(each, Host):
                each.groups = groups
            else:
                kind = each
                held[name] = new = Kind(groups, each.source)
