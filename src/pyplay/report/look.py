"""What the default reporter shows, as the settings say."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """The choices that a user has for the default reporter and its like."""

    skipped: bool = True  # hosts that were skipped
    ok: bool = True  # hosts on which nothing changed
