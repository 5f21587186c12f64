"""Values as bytes between the processes of one run: trust, origins, vault values, `omit` and dates survive.

Plays, roles and tasks that the other side knows are named by their ids, so that they stay the same objects there. The
bytes are pickles: they travel between processes that pyplay forked itself, and nowhere else.
"""

from __future__ import annotations

import io
import pickle
from typing import TYPE_CHECKING, Any

from pyplay.playbook.model import Play, Role, Task

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Known = Play | Role | Task


class UnknownReferenceError(Exception):
    """The other side named a play, role or task that was never sent here: a bug of ours."""


def known(kind: str, number: int) -> Any:
    """Stand in pickles for a play, role or task by its id; the decoder puts its own in place of this function."""
    raise UnknownReferenceError(f"{kind} {number}")


class Codec:
    """Encodes and decodes for one pair of sides that share the plays, roles and tasks told to `learn`."""

    def __init__(self, plays: Iterable[Play] = (), roles: Iterable[Role] = (), tasks: Iterable[Task] = ()) -> None:
        self._known: dict[tuple[str, int], Known] = {}
        self._table: dict[type, Callable[[Any], Any]] = dict.fromkeys((Play, Role, Task), self._reduce)
        self._globals: dict[tuple[str, str], Any] = {(__name__, "known"): self._find}
        self.learn(plays)
        self.learn(roles)
        self.learn(tasks)

    def learn(self, things: Iterable[Known]) -> None:
        """Take that the other side knows `things` by their ids, too; with a task its role, and with a role its kin."""
        for thing in things:
            key = (type(thing).__name__, thing.id)
            if key in self._known:
                continue
            self._known[key] = thing
            if isinstance(thing, Task):
                self.learn([thing.role] if thing.role else [])
            elif isinstance(thing, Role):
                self.learn((*thing.dependencies, *thing.parents))
            else:
                self.learn(thing.roles)

    def encode(self, value: Any) -> bytes:
        """Give `value` as bytes."""
        buffer = io.BytesIO()
        pickler = pickle.Pickler(buffer, pickle.HIGHEST_PROTOCOL)
        pickler.dispatch_table = self._table
        pickler.dump(value)
        return buffer.getvalue()

    def decode(self, data: bytes | memoryview) -> Any:
        """Give the value that `data` holds. Raises UnknownReferenceError."""
        return _Unpickler(io.BytesIO(data), self._globals).load()

    def _reduce(self, thing: Known) -> Any:
        key = (type(thing).__name__, thing.id)
        if self._known.get(key) is thing:
            return known, key
        return object.__reduce_ex__(thing, pickle.HIGHEST_PROTOCOL)

    def _find(self, kind: str, number: int) -> Known:
        try:
            return self._known[kind, number]
        except KeyError:
            raise UnknownReferenceError(f"{kind} {number}") from None


class _Unpickler(pickle.Unpickler):
    """Looks up each global once: `found` are those that were asked for, and the one that finds references."""

    def __init__(self, buffer: io.BytesIO, found: dict[tuple[str, str], Any]) -> None:
        super().__init__(buffer)
        self._found = found

    def find_class(self, module: str, name: str, /) -> Any:
        """Give the global that a pickle names."""
        found = self._found.get((module, name))
        if found is None:
            found = self._found[module, name] = super().find_class(module, name)
        return found


_PLAIN = Codec()


def encode(value: Any) -> bytes:
    """Give `value` as bytes, with plays, roles and tasks in full."""
    return _PLAIN.encode(value)


def decode(data: bytes | memoryview) -> Any:
    """Give the value that `encode` made `data` of."""
    return _PLAIN.decode(data)
