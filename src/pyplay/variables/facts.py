"""How facts become variables: under `ansible_facts` without their prefix, and injected under their own names."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pyplay.source.reads import NAMES_KEPT, may_be_fact
from pyplay.variables.magic import FALLBACKS, HOST_MAGIC, MAGIC

if TYPE_CHECKING:
    from collections.abc import Mapping

PREFIX = "ansible_"
_WHOLE = frozenset({"ansible_local"})
_OURS = MAGIC.keys() | HOST_MAGIC.keys() | FALLBACKS.keys()


def namespaced(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Give `facts` with the names that they have under `ansible_facts`."""
    return {name if name in _WHOLE else name.removeprefix(PREFIX): value for name, value in facts.items()}


@lru_cache(NAMES_KEPT)
def may_be_injected(name: str) -> bool:
    """Whether a fact may be a variable of its own: never where pyplay says what it is, or reads it as an option."""
    return name not in _OURS and may_be_fact(name)
