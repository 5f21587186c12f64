"""How things that go round are told: the way from one to the same again, and where each names the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyplay.diagnostics.model import Origin


def arrows(names: Sequence[str]) -> str:
    """Give `a → b → a`."""
    return " → ".join(names)


def places(names: Sequence[str], origins: Sequence[Origin | None]) -> tuple[str, ...]:
    """Give a note for each step of `names`: `origins` tells where the first names the second, and so on."""
    steps = zip(names, names[1:], origins, strict=False)
    return tuple(f"{first} names {second} at {origin}" for first, second, origin in steps if origin is not None)
