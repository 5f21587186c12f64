"""Filters that search and replace with regular expressions (Python's)."""

from __future__ import annotations

import re
from typing import Any

from pyplay.templating.filters.errors import FilterError
from pyplay.templating.filters.plain import shown

_POSIX_BASIC_SPECIAL = re.compile(r"([].[^$*\\])")
_GROUP_BY_NUMBER = re.compile(r"\\(\d+)")
_GROUP_BY_NAME = re.compile(r"\\g<(\S+)>")


def compile_pattern(pattern: Any, *, ignorecase: Any = False, multiline: Any = False) -> re.Pattern[str]:
    """Give the compiled pattern (Python keeps compiled patterns in a cache). Raises FilterError at a wrong one."""
    flags = (re.IGNORECASE if ignorecase else 0) | (re.MULTILINE if multiline else 0)
    try:
        return re.compile(str(pattern), flags)
    except re.error as error:
        raise FilterError(f"regular expression {shown(pattern)}: {error}") from error


def regex_replace(  # noqa: PLR0917  # the documented positions
    value: Any = "",
    pattern: Any = "",
    replacement: Any = "",
    ignorecase: Any = False,  # noqa: FBT002
    multiline: Any = False,  # noqa: FBT002
    count: int = 0,
    mandatory_count: int = 0,
) -> str:
    r"""Give a text with what `pattern` matches replaced; `\1` and `\g<name>` stand for groups.

    `count` bounds the replacements (0: all); with `mandatory_count`, another number of them is an error.
    """
    compiled = compile_pattern(pattern, ignorecase=ignorecase, multiline=multiline)
    text = str(value)
    try:
        result, replaced = compiled.subn(str(replacement), text, count=count)
    except (re.error, IndexError) as error:
        raise FilterError(f"replacement {shown(replacement)}: {error}") from error
    if mandatory_count and replaced != mandatory_count:
        raise FilterError(
            f"{shown(pattern)} must match {mandatory_count} times, but matches {replaced} times in {shown(text)}"
        )
    return result


def regex_findall(value: Any, regex: Any, multiline: Any = False, ignorecase: Any = False) -> list[Any]:  # noqa: FBT002
    """Give all that `regex` matches: texts, or tuples of its groups if there are several."""
    return compile_pattern(regex, ignorecase=ignorecase, multiline=multiline).findall(str(value))


def regex_search(value: Any, regex: Any, *groups: Any, multiline: Any = False, ignorecase: Any = False) -> Any:
    r"""Give the first text that `regex` matches, or None; with `groups` (`\1`, `\g<name>`) a list of these."""
    wanted = [_group(group) for group in groups]
    match = compile_pattern(regex, ignorecase=ignorecase, multiline=multiline).search(str(value))
    if match is None:
        return None
    if not wanted:
        return match.group()
    try:
        return [match.group(group) for group in wanted]
    except IndexError as error:
        raise FilterError(f"{shown(regex)} has not all of the groups {', '.join(map(str, groups))}") from error


def _group(argument: Any) -> int | str:
    by_number = _GROUP_BY_NUMBER.match(str(argument))
    if by_number:
        return int(by_number[1])
    by_name = _GROUP_BY_NAME.match(str(argument))
    if by_name:
        return by_name[1]
    raise FilterError(f"{shown(argument)} is no group", help=r"write '\1' or '\g<name>'")


def regex_escape(value: Any, re_type: str = "python") -> str:
    """Give a text in which nothing is special to a regular expression of the kind `re_type`: python or posix_basic."""
    if re_type == "python":
        return re.escape(str(value))
    if re_type == "posix_basic":
        return _POSIX_BASIC_SPECIAL.sub(r"\\\1", str(value))
    if re_type == "posix_extended":
        raise FilterError(f"Regex type ({re_type}) not yet implemented", help="python or posix_basic")
    raise FilterError(f"Invalid regex type ({re_type})", help="python or posix_basic")
