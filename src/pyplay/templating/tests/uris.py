"""Tests of text for being a URI, URL or URN (RFC 3986, RFC 8141)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Sequence
    from urllib.parse import SplitResult


def _split(value: Any, schemes: Sequence[str] | None) -> SplitResult | None:
    if not isinstance(value, str):
        return None
    try:
        parts = urlsplit(value)
    except ValueError:
        return None
    wanted = [schemes] if isinstance(schemes, str) else schemes
    return parts if wanted is None or parts.scheme in {scheme.lower() for scheme in wanted} else None


def uri(value: Any, schemes: Sequence[str] | None = None) -> bool:
    """Tell whether a text can be a URI, absolute or relative; with `schemes`, one of these schemes."""
    return _split(value, schemes) is not None


def url(value: Any, schemes: Sequence[str] | None = None) -> bool:
    """Tell whether a text is a URL: scheme and host, or a `file:` path; with `schemes`, one of these schemes."""
    parts = _split(value, schemes)
    return bool(parts and parts.scheme and (parts.netloc or (parts.scheme == "file" and parts.path)))


def urn(value: Any) -> bool:
    """Tell whether a text is a URN, `urn:namespace:name`."""
    return _split(value, ["urn"]) is not None
