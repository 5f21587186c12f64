"""The test that compares versions, and the five ways in which versions are understood."""

from __future__ import annotations

import operator
import re
from functools import total_ordering
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.patterns import late_pattern
from pyplay.templating.filters.errors import FilterError
from pyplay.templating.filters.plain import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    **dict.fromkeys(("==", "=", "eq"), operator.eq),
    **dict.fromkeys(("<", "lt"), operator.lt),
    **dict.fromkeys(("<=", "le"), operator.le),
    **dict.fromkeys((">", "gt"), operator.gt),
    **dict.fromkeys((">=", "ge"), operator.ge),
    **dict.fromkeys(("!=", "<>", "ne"), operator.ne),
}


def version(
    value: Any, version: Any, operator: str = "eq", strict: Any = None, version_type: str | None = None
) -> bool:
    """Tell whether a version stands in the relation `operator` (==, <, ge, …) to `version`.

    `version_type`: loose (the default: numbers and words, compared one by one), strict (1.2.3a4), semver (or semantic;
    semver.org), pep440 (Python's). `strict` is the older word for version_type='strict'.
    """
    if strict is not None and version_type is not None:
        raise FilterError("strict and version_type cannot both be given", help="version_type alone says it")
    kind = version_type or ("strict" if strict else "loose")
    if kind not in PARSERS:
        raise FilterError(f"unknown version_type {kind!r}", help=f"one of {', '.join(PARSERS)}")
    if operator not in OPERATORS:
        raise FilterError(f"unknown operator {operator!r}", help=f"one of {', '.join(OPERATORS)}")
    for text in (value, version):
        if text is None or str(text) == "":
            raise FilterError("a version is empty")
    parse = PARSERS[kind]
    try:
        left, right = parse(str(value)), parse(str(version))
        _ = left == right or left < right  # what has no order is not merely unequal: TypeError
        return OPERATORS[operator](left, right)
    except TypeError as error:
        message = f"{shown(value)} and {shown(version)} cannot be compared: one has a word where the other has a number"
        raise FilterError(message, help="another version_type may understand them") from error


_LOOSE_PART = re.compile(r"\d+|[a-z]+|[^\da-z.]+")


def parse_loose(text: str) -> list[int | str]:
    """Give the numbers and words of a version, to be compared one by one."""
    return [int(part) if part.isdigit() else part for part in _LOOSE_PART.findall(text)]


_STRICT = late_pattern(r"(\d+)\.(\d+)(?:\.(\d+))?(?:([ab])(\d+))?", re.ASCII)


def parse_strict(text: str) -> tuple[Any, ...]:
    """Give `1.2`, `1.2.3` or `1.2.3a4` in comparable form; a release is newer than its a and b versions."""
    match = _STRICT.fullmatch(text)
    if match is None:
        raise FilterError(
            f"{shown(text)} is no strict version", help="it has two or three numbers, and a or b with a number"
        )
    major, minor, patch, stage, number = match.groups()
    return (int(major), int(minor), int(patch or 0), (stage, int(number)) if stage else ("z", 0))


_SEMVER = late_pattern(
    r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)"
    r"(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?"
    r"(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?",
    re.ASCII,
)


def parse_semver(text: str) -> tuple[Any, ...]:
    """Give a semantic version in comparable form; build data does not count. Source: semver.org 2.0.0, §9 to §11."""
    match = _SEMVER.fullmatch(text)
    if match is None:
        raise FilterError(f"{shown(text)} is no semantic version", help="it looks like 1.2.3 or 1.2.3-rc.1")
    release = tuple(int(part) for part in match.groups()[:3])
    if match[4] is None:
        return (*release, 1, ())
    parts = tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in match[4].split("."))
    return (*release, 0, parts)


_PEP440 = late_pattern(
    r"""v?(?:(?P<epoch>\d+)!)?(?P<release>\d+(?:\.\d+)*)
    (?:[-_.]?(?P<pre>alpha|a|beta|b|preview|pre|c|rc)[-_.]?(?P<pre_n>\d+)?)?
    (?P<post>-(?P<post_dash>\d+)|[-_.]?(?:post|rev|r)[-_.]?(?P<post_n>\d+)?)?
    (?P<dev>[-_.]?dev[-_.]?(?P<dev_n>\d+)?)?
    (?:\+(?P<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?""",
    re.VERBOSE | re.ASCII,
)
_STAGES = {"alpha": "a", "beta": "b", "preview": "rc", "pre": "rc", "c": "rc"}


@total_ordering
class _Extreme:
    """Something before (-1) or after (1) all else."""

    def __init__(self, side: int) -> None:
        self.side = side

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Extreme) and other.side == self.side

    def __lt__(self, other: object) -> bool:
        return self.side < (other.side if isinstance(other, _Extreme) else 0)

    def __hash__(self) -> int:
        return hash(self.side)


_FIRST, _LAST = _Extreme(-1), _Extreme(1)


def parse_pep440(text: str) -> tuple[Any, ...]:
    """Give a Python version in comparable form. Source: PEP 440, "Summary of permitted suffixes"."""
    match = _PEP440.fullmatch(text.strip().lower())
    if match is None:
        raise FilterError(
            f"{shown(text)} is no version of PEP 440", help="it looks like 1.2, 1.2rc1, 1.2.post1 or 1.2.dev3"
        )
    release = [int(part) for part in match["release"].split(".")]
    while len(release) > 1 and release[-1] == 0:
        release.pop()
    post: Any = int(match["post_dash"] or match["post_n"] or 0) if match["post"] else _FIRST
    dev: Any = int(match["dev_n"] or 0) if match["dev"] else _LAST
    pre: Any = _LAST
    if match["pre"]:
        pre = (_STAGES.get(match["pre"], match["pre"]), int(match["pre_n"] or 0))
    elif match["dev"] and not match["post"]:
        pre = _FIRST
    local: Any = _FIRST
    if match["local"]:
        local = tuple(
            (1, int(part), "") if part.isdigit() else (0, 0, part) for part in re.split(r"[-_.]", match["local"])
        )
    return (int(match["epoch"] or 0), tuple(release), pre, post, dev, local)


PARSERS: Mapping[str, Callable[[str], Any]] = {
    "loose": parse_loose,
    "strict": parse_strict,
    "semver": parse_semver,
    "semantic": parse_semver,
    "pep440": parse_pep440,
}
