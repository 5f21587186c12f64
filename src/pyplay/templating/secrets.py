"""The secrets that came to light in this process, so that whatever is shown can be masked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MASK = "********"
SHORTEST = 4
"""Shorter secrets are not masked in texts: replacing every `1` would tell more than it hides."""


class Word(str):
    """A secret that is masked only where it stands alone, as a number does."""

    __slots__ = ()


class SecretTexts:
    """Texts that must not be shown: vault values that were decrypted, in the order in which they were used."""

    def __init__(self) -> None:
        self._texts: dict[str, None] = {}
        self._pattern: re.Pattern[str] | None = None

    def add(self, text: str) -> None:
        """Remember `text`, and the lines of it if it has several, since programs print them one by one."""
        parts = (text,) if isinstance(text, Word) else (text, *text.splitlines())
        for part in parts:
            stripped = str.__str__(part).strip()
            if len(stripped) >= SHORTEST and stripped not in self._texts:
                self._texts[Word(stripped) if isinstance(text, Word) else stripped] = None
                self._pattern = None

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._texts))

    def __len__(self) -> int:
        return len(self._texts)

    def mask(self, text: str) -> str:
        """Give `text` with every secret in it replaced, also quoted or encoded as texts carry it."""
        if not self._texts:
            return text
        if self._pattern is None:
            texts = [secret for secret in self._texts if not isinstance(secret, Word)]
            forms = {form for secret in texts for form in _forms(secret)}
            found = [
                *map(re.escape, sorted(forms, key=len, reverse=True)),
                *map(_alone, self._texts.keys() - set(texts)),
            ]
            self._pattern = re.compile("|".join(found))
        return self._pattern.sub(MASK, text)


def _alone(word: str) -> str:
    """Return the pattern of `word` where no letter, digit or part of a longer number stands beside it."""
    return rf"(?<![\w.-]){re.escape(word)}(?!\w|[.]\d)"


def _forms(secret: str) -> set[str]:
    """Give `secret` as it is and as texts carry it: quoted for shells, JSON and Python, base64, within URLs."""
    import base64  # noqa: PLC0415  # few runs have secrets
    import json  # noqa: PLC0415
    from urllib.parse import quote, quote_plus  # noqa: PLC0415

    raw = secret.encode("utf-8", "surrogatepass")
    forms = {secret, secret.replace("'", "'\"'\"'"), base64.b64encode(raw).decode()}
    forms |= {quote(raw), quote(raw, safe=""), quote_plus(raw)}
    for _ in range(2):  # a text with JSON in it is itself shown as JSON
        forms |= {json.dumps(form, ensure_ascii=ascii_only)[1:-1] for form in forms for ascii_only in (True, False)}
    return forms | {repr(form)[1:-1] for form in forms}
