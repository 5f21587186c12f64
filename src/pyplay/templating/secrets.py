"""The secrets that came to light in this process, so that whatever is shown can be masked."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MASK = "********"
SHORTEST = 4
"""Shorter secrets are not masked in texts: replacing every `1` would tell more than it hides."""


class SecretTexts:
    """Texts that must not be shown: vault values that were decrypted, in the order in which they were used."""

    def __init__(self) -> None:
        self._texts: dict[str, None] = {}

    def add(self, text: str) -> None:
        """Remember `text`, and the lines of it if it has several, since programs print them one by one."""
        for part in (text, *text.splitlines()):
            stripped = str.__str__(part).strip()
            if len(stripped) >= SHORTEST:
                self._texts[stripped] = None

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._texts))

    def __len__(self) -> int:
        return len(self._texts)

    def mask(self, text: str) -> str:
        """Give `text` with every secret in it replaced."""
        for secret in sorted(self._texts, key=len, reverse=True):
            if secret in text:
                text = text.replace(secret, MASK)
        return text
