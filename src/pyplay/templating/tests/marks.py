"""Tests that look at what is known of a value beside itself: that it is a template, where it stands, that it is sealed.

They have the names of core's own private collection, with which playbooks are debugged.
"""

from __future__ import annotations

from typing import Any

from jinja2 import Undefined

from pyplay.source.text import SourceList, SourceMap, Trusted
from pyplay.source.vault import Secret, VaultText
from pyplay.templating.filters.errors import FilterError
from pyplay.templating.filters.plain import raise_undefined
from pyplay.templating.marks import lazy
from pyplay.templating.sealed import Opened, Sealed

KINDS: dict[str, tuple[type, ...]] = {
    "Origin": (Trusted, SourceMap, SourceList),
    "TrustedAsTemplate": (Trusted,),
    "VaultedValue": (VaultText, Secret, Sealed, Opened),
}
"""Which types bear each mark."""


@lazy
def tagged_with(value: Any, name: str) -> bool:
    """Tell whether a value is marked: TrustedAsTemplate (a user's text), Origin (its place is known), VaultedValue."""
    if isinstance(value, Undefined):
        raise_undefined(value)
    kinds = KINDS.get(str(name))
    if kinds is None:
        raise FilterError(f"there is no mark {name!r}", help=f"one of {', '.join(KINDS)}")
    return isinstance(value, kinds)


@lazy
def tagged(value: Any) -> bool:
    """Tell whether a value has any mark."""
    return any(tagged_with(value, name) for name in KINDS)
