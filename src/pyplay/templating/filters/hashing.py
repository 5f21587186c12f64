"""Filters that give digests of text, for comparing contents."""

from __future__ import annotations

import hashlib
from typing import Any

from pyplay.templating.filters.errors import FilterError


def digest(value: Any, hashtype: str = "sha1") -> str:
    """Give the hexadecimal digest of a text by the algorithm `hashtype` (any that Python's hashlib has)."""
    try:
        state = hashlib.new(hashtype, usedforsecurity=False)
    except ValueError as error:
        known = ", ".join(sorted(hashlib.algorithms_guaranteed))
        raise FilterError(f"unsupported hash type {hashtype!r}", help=f"known: {known}") from error
    state.update(str(value).encode("utf-8", "surrogateescape"))
    if state.digest_size == 0:
        raise FilterError(f"{hashtype} has no fixed length", help="take sha3_256 or blake2b")
    return state.hexdigest()


def md5(value: Any) -> str:
    """Give the MD5 digest of a text: for telling contents apart, not for secrets."""
    return digest(value, "md5")


def sha1(value: Any) -> str:
    """Give the SHA-1 digest of a text. Also known as `checksum`: what copy, stat and template report."""
    return digest(value, "sha1")
