"""Our sources compiled here, for the hosts whose Python has the bytecode of ours: they need not compile them.

Compiled is a third of what the first call costs such a host. Other hosts get the source. What is compiled never comes
from a host, and never from anything but the files of this installation.
"""

from __future__ import annotations

import sys
from importlib.util import MAGIC_NUMBER
from types import CodeType

BYTECODE = f"{sys.implementation.cache_tag}-{MAGIC_NUMBER.hex()}"
"""What a Python says of its bytecode, here and in `remote.bootstrap`: hosts that say the same run what we compile."""

_SHORT_LINES = ((3, 11), (3, 12), (3, 13), (3, 14))
"""The Pythons whose table of lines is known to be as written below."""
_NO_COLUMNS, _NO_PLACE, _LONGEST = 13, 15, 8


def code_of(source: bytes, path: str) -> CodeType:
    """Give the code of a source; its tracebacks name `path` and the lines of the source."""
    return without_columns(compile(source, path, "exec", dont_inherit=True, optimize=0))


def without_columns(code: CodeType) -> CodeType:
    """Give code that knows its lines but not its columns, which are a third of what would travel.

    Source: CPython, InternalDocs/code_objects.md (before 3.14 Objects/locations.md), "Source code locations".
    """
    if sys.version_info[:2] not in _SHORT_LINES:
        return code
    table, line = bytearray(), code.co_firstlineno
    for start, end, number in code.co_lines():
        units = (end - start) // 2
        while units > 0:
            count = min(units, _LONGEST)
            kind = _NO_PLACE if number is None else _NO_COLUMNS
            table.append(0x80 | kind << 3 | count - 1)
            if number is not None:
                table += _signed(number - line)
                line = number
            units -= count
    constants = tuple(without_columns(each) if isinstance(each, CodeType) else each for each in code.co_consts)
    return code.replace(co_linetable=bytes(table), co_consts=constants)


def _signed(number: int) -> bytes:
    """Give a signed number in pieces of six bits, the lowest first, its sign in the first bit."""
    rest = -number << 1 | 1 if number < 0 else number << 1
    found = bytearray()
    while rest > 0x3F:
        found.append(0x40 | rest & 0x3F)
        rest >>= 6
    found.append(rest)
    return bytes(found)
