"""Versions of collections and the ranges that requirements name.

Source: Semantic Versioning 2.0.0 (semver.org), section 11; the Ansible documentation, "Installing collections",
"Installing an older version of a collection".
"""

from __future__ import annotations

import operator
import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_SEMVER = re.compile(
    r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?", re.ASCII
)
_CLAUSE = re.compile(r"\s*(==|!=|>=|<=|=|>|<)?\s*(\S+)\s*")
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}
_Key = tuple[int, int, int, tuple[Any, ...]]
ANY = "*"


class Version:
    """One semantic version; raises ValueError for text that is none. Build metadata does not count in comparisons."""

    def __init__(self, text: str) -> None:
        match = _SEMVER.fullmatch(text)
        if match is None:
            raise ValueError(f"'{text}' is no semantic version such as 1.2.3")
        self.text = text
        self._parts = match.groups()

    @property
    def is_pre_release(self) -> bool:
        """Whether it comes before the release of the same numbers."""
        return self._parts[3] is not None

    @cached_property
    def key(self) -> _Key:
        """What versions are ordered by."""
        major, minor, patch, pre = self._parts
        words: tuple[Any, ...] = (1,)
        if pre is not None:
            words = (0, *((0, int(word), "") if word.isdigit() else (1, 0, word) for word in pre.split(".")))
        return int(major or 0), int(minor or 0), int(patch or 0), words

    def __str__(self) -> str:
        return self.text


class Range:
    """What versions are wanted, `>=1.0.0,<2.0.0`; raises ValueError for text that is no range."""

    def __init__(self, text: str = ANY) -> None:
        self.text = text.strip() or ANY
        self._clauses = [_clause(part) for part in self.text.split(",") if part.strip() != ANY]

    @property
    def exact(self) -> str | None:
        """The version that it names exactly, None if it is a range."""
        if len(self._clauses) == 1 and self._clauses[0][0] == "==":
            return self._clauses[0][1].text
        return None

    def __contains__(self, version: str) -> bool:
        key = Version(version).key
        return all(_COMPARE[sign](key, bound.key) for sign, bound in self._clauses)

    @property
    def names_pre_release(self) -> bool:
        """Whether a clause names a pre-release, so that such versions are wanted."""
        return any(bound.is_pre_release for _, bound in self._clauses)

    def __str__(self) -> str:
        return self.text


def _clause(text: str) -> tuple[str, Version]:
    match = _CLAUSE.fullmatch(text)
    if match is None:
        raise ValueError(f"'{text.strip()}' is no condition such as >=1.2.3")
    sign = match[1] or "=="
    return "==" if sign == "=" else sign, Version(match[2])
