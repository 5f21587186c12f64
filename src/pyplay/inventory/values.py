"""Words and values of INI inventories.

Source: Ansible's documentation of the `ini` inventory plugin: host lines are split like a shell would, values are
Python literals where they can be read as such and text otherwise.
"""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING, Any, cast

from pyplay.diagnostics.patterns import late_pattern
from pyplay.inventory.shapes import as_mapping
from pyplay.source.text import SourceList, SourceMap, Trusted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pyplay.diagnostics.model import Origin

_WORD = late_pattern(r"""\s*+(?:((?:[^\s"'\\\#]++|"(?:[^"\\]|\\.)*+"|'[^']*+'|\\.)++)|(\#)|(\S))""", re.DOTALL)
_QUOTING = late_pattern(r"""["'\\\#]""")
_QUOTED = late_pattern(r""""((?:[^"\\]|\\.)*+)"|'([^']*+)'|\\(.)""", re.DOTALL)
_ESCAPED = late_pattern(r'\\(["\\])')
_INTEGER = late_pattern(r"-?(?:0|[1-9][0-9]*)\Z")
# What starts with a letter can be a literal only if it has a quote, a parenthesis or a comment, or is a constant.
_PLAIN_TEXT = late_pattern(r"""[A-Za-z_/][^'"(\#\\\n]*+\Z|[0-9]+(?:\.[0-9]+){2,}\Z""")
_CONSTANTS = {"True": True, "False": False, "None": None}
_NOT_LITERAL: Any = object()


class WordFault(ValueError):  # noqa: N818  # the field's word for what authors do wrong
    """A line that cannot be split into words; `column` (from 1) is where it goes wrong."""

    def __init__(self, message: str, column: int) -> None:
        self.column = column
        super().__init__(message)


def split_words(line: str) -> list[tuple[str, int]]:
    """Split `line` into words as a POSIX shell would; `#` starts a comment wherever it stands unquoted.

    Gives each word without quotes, and the column (from 1) where it starts. Raises WordFault for quotes that are not
    closed and a backslash at the end.
    """
    words: list[tuple[str, int]] = []
    if not _QUOTING.search(line):
        position = 0
        for text in line.split():
            position = line.index(text, position)
            words.append((text, position + 1))
            position += len(text)
        return words
    for match in _WORD.finditer(line):
        kind = match.lastindex
        if kind == 2:
            break
        if kind == 3:
            message = "a backslash ends the line" if match[3] == "\\" else f"the quote {match[3]} is not closed"
            raise WordFault(message, match.start(3) + 1)
        text = match[1]
        if _QUOTING.search(text):
            text = _QUOTED.sub(_unquote, text)
        words.append((text, match.start(1) + 1))
    return words


def _unquote(match: re.Match[str]) -> str:
    if match[1] is not None:
        return _ESCAPED.sub(r"\1", match[1]) if "\\" in match[1] else match[1]
    return match[2] if match[2] is not None else match[3]


def parse_value(text: str, origin: Origin) -> Any:
    """Give the Python value that `text` spells, else `text` as a trusted string; strings inside are trusted too.

    `1` is an int, `True` a bool, `[1, 2]` a list, `'05'` the text 05; `yes`, `0644` and `a b` stay text. What playbooks
    have no type for becomes the nearest: tuples and sets become lists; anything further stays text.
    """
    if _PLAIN_TEXT.match(text):
        bare = text.rstrip()
        return _CONSTANTS[bare] if bare in _CONSTANTS else Trusted(text, origin)
    if _INTEGER.match(text) and len(text) < 4000:  # Python bounds the digits of an int
        return int(text)
    if not text:
        return Trusted(text, origin)
    value = _trusted(_literal(text), origin)
    return Trusted(text, origin) if value is _NOT_LITERAL else value


def _literal(text: str) -> Any:
    import ast  # noqa: PLC0415  # most values are text and numbers

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.literal_eval(text)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            return _NOT_LITERAL


def _trusted(value: Any, origin: Origin) -> Any:
    """Give `value` with strings trusted, `_NOT_LITERAL` if a part of it is of no type that playbooks know."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "surrogateescape")
    if isinstance(value, str):
        return Trusted(value, origin)
    if value is None or isinstance(value, int | float):
        return value
    if isinstance(value, list | tuple | set):
        items = [_trusted(item, origin) for item in cast("Iterable[Any]", value)]
        return _NOT_LITERAL if any(item is _NOT_LITERAL for item in items) else SourceList(items, origin)
    mapping = as_mapping(value)
    if mapping is not None:
        pairs = {key: _trusted(item, origin) for key, item in mapping.items()}
        return _NOT_LITERAL if any(item is _NOT_LITERAL for item in pairs.values()) else SourceMap(pairs, origin)
    return _NOT_LITERAL
