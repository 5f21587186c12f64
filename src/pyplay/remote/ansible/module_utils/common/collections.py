"""Collections and what tells them apart."""

from collections.abc import (
    Container,
    Hashable,
    ItemsView,
    Iterable,
    Iterator,
    KeysView,
    Mapping,
    MappingView,
    MutableMapping,
    MutableSequence,
    MutableSet,
    Sequence,
    Set,
    Sized,
    ValuesView,
)

__all__ = [
    "Container", "Hashable", "ImmutableDict", "ItemsView", "Iterable", "Iterator", "KeysView", "Mapping", "MappingView",
    "MutableMapping", "MutableSequence", "MutableSet", "Sequence", "Set", "Sized", "ValuesView", "count", "is_iterable",
    "is_sequence", "is_string",
]  # fmt: skip


class ImmutableDict(Hashable, Mapping):
    """A mapping that does not change and may be a key itself."""

    def __init__(self, *args, **kwargs):
        self._store = dict(*args, **kwargs)

    def __getitem__(self, key):
        return self._store[key]

    def __iter__(self):
        return iter(self._store)

    def __len__(self):
        return len(self._store)

    def __hash__(self):
        return hash(frozenset(self.items()))

    def __eq__(self, other):
        try:
            return hash(self) == hash(other)
        except TypeError:
            return False

    def __repr__(self):
        return "ImmutableDict(%r)" % (self._store,)

    def union(self, overriding_mapping):
        """Give one that has these items, too; they win."""
        return ImmutableDict(self._store, **overriding_mapping)

    def difference(self, subtractive_iterable):
        """Give one without these keys."""
        gone = frozenset(subtractive_iterable)
        return ImmutableDict((key, value) for key, value in self._store.items() if key not in gone)


def is_string(seq):
    """Tell whether this is text or bytes."""
    return isinstance(seq, (str, bytes))


def is_iterable(seq, include_strings=False):
    """Tell whether this has items; text and bytes count only with `include_strings`."""
    if not include_strings and is_string(seq):
        return False
    try:
        iter(seq)
    except TypeError:
        return False
    return True


def is_sequence(seq, include_strings=False):
    """Tell whether this is a list or the like; text and bytes count only with `include_strings`."""
    if not include_strings and is_string(seq):
        return False
    return isinstance(seq, Sequence)


def count(seq):
    """Give how often each item is there."""
    if not is_iterable(seq):
        raise TypeError("%r has no items to be counted" % (seq,))
    found = {}
    for item in seq:
        found[item] = found.get(item, 0) + 1
    return found
