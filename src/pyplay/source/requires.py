"""Whether a collection's `requires_ansible` takes the ansible-core version that pyplay is compatible with.

The text holds clauses such as `>=2.15.0,<2.22`, all of which must hold. Source: PEP 440, "Version specifiers";
the Ansible documentation, "Collection structure", `meta/runtime.yml`.
"""

from __future__ import annotations

import operator
import re
from typing import TYPE_CHECKING

from pyplay.diagnostics.patterns import late_pattern
from pyplay.source.core_version import COMPATIBLE

if TYPE_CHECKING:
    from collections.abc import Callable

_CLAUSE = late_pattern(r"(===?|!=|<=|>=|<|>|~=)\s*v?(\d+(?:\.\d+)*)(\.\*)?(?:[._-]?(a|b|rc|dev|post)[._-]?\d*)?")
_LINE = late_pattern(r"""^requires_ansible\s*:\s*(?:"([^"]*)"|'([^']*)'|([^#\n]*?))\s*(?:#.*)?$""", re.MULTILINE)
_PARTS = 4  # numbers that are compared: 2.9 is 2.9.0.0

_Key = tuple[tuple[int, ...], int]
_COMPARE: dict[str, Callable[[_Key, _Key], bool]] = {
    ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt, "==": operator.eq, "===": operator.eq,
}  # fmt: skip


def requirement(runtime: str) -> str:
    """Give the value of `requires_ansible` in the text of a `meta/runtime.yml`, "" where it has none.

    The line alone is read: the rest of the file may be thousands of lines that a run does not need.
    """
    found = _LINE.search(runtime)
    return next((value.strip() for value in found.groups() if value), "") if found else ""


def fits(requirement: str, version: str = COMPATIBLE) -> bool:
    """Tell whether `version` meets every clause of `requirement`. Raises ValueError for what is no such text."""
    return all(_holds(clause.strip(), version) for clause in requirement.split(",") if clause.strip())


def _holds(clause: str, version: str) -> bool:
    parsed = _CLAUSE.fullmatch(clause)
    if parsed is None:
        raise ValueError(f"'{clause}' is no comparison of versions")
    sign, written, star, stage = parsed.groups()
    wanted, have = _numbers(written), _numbers(version)
    if sign == "~=":
        return have[: len(wanted) - 1] == wanted[:-1] and _key(have) >= _key(wanted, stage)
    if star or sign == "!=":
        length = len(wanted) if star else _PARTS
        same = _key(have)[0][:length] == _key(wanted)[0][:length] and not stage
        return same != (sign == "!=")
    return _COMPARE[sign](_key(have), _key(wanted, stage))


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split("."))


def _key(numbers: tuple[int, ...], stage: str | None = None) -> _Key:
    padded = (*numbers, *([0] * (_PARTS - len(numbers))))
    return padded, 0 if stage is None else 1 if stage == "post" else -1
