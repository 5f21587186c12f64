"""Marking the strings of data that came without places (JSON of scripts, TOML) as written by a user."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.inventory.shapes import as_list, as_mapping
from pyplay.source.text import SourceList, SourceMap, Trusted
from pyplay.source.vault import VaultText

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.diagnostics.model import Origin
    from pyplay.source.vault import VaultSecrets

_UNSAFE = "__ansible_unsafe"
_VAULT = "__ansible_vault"


def trusted(value: Any, origin: Origin | None, vault: VaultSecrets | None = None) -> Any:
    """Give a copy of `value` whose strings are trusted and said to stand at `origin`.

    `{"__ansible_unsafe": text}` stays plain text, `{"__ansible_vault": text}` is sealed. Source: what
    `ansible-inventory --list` writes for such values.
    """
    if isinstance(value, str):
        return Trusted(value, origin)
    mapping = as_mapping(value)
    if mapping is not None:
        marked = _marked(mapping, origin, vault)
        if marked is not None:
            return marked
        return SourceMap(((key, trusted(item, origin, vault)) for key, item in mapping.items()), origin)
    items = as_list(value)
    return value if items is None else SourceList((trusted(item, origin, vault) for item in items), origin)


def plain(value: Any) -> Any:
    """Give a copy of `value`, what JSON gives, in which the texts that are marked as unsafe stand alone."""
    mapping = as_mapping(value)
    if mapping is not None:
        text = mapping.get(_UNSAFE)
        if len(mapping) == 1 and isinstance(text, str):
            return text
        return {key: plain(member) for key, member in mapping.items()}
    items = as_list(value)
    return value if items is None else [plain(member) for member in items]


def _marked(value: Mapping[str, Any], origin: Origin | None, vault: VaultSecrets | None) -> Any:
    if len(value) != 1:
        return None
    if isinstance(value.get(_UNSAFE), str):
        return value[_UNSAFE]
    if isinstance(value.get(_VAULT), str):
        return VaultText(value[_VAULT], origin, vault)
    return None
