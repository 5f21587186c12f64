"""The abstract collections, under the name that old modules import."""

from .collections import (
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
    "Container", "Hashable", "ItemsView", "Iterable", "Iterator", "KeysView", "Mapping", "MappingView",
    "MutableMapping", "MutableSequence", "MutableSet", "Sequence", "Set", "Sized", "ValuesView",
]  # fmt: skip
