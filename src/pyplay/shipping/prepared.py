"""What is known of a source of ours without looking at it again: see `kept`."""

from __future__ import annotations

import ast
import marshal
import re
import zlib
from typing import Any

from pyplay.diagnostics.dataclass import dataclass
from pyplay.shipping.bytecode import code_of
from pyplay.shipping.imports import Import, scan_imports
from pyplay.shipping.kept import kept
from pyplay.shipping.module_text import LITERAL, find_options

FORMAT = 1
"""To be raised when something below comes out otherwise for the same source."""

LEVEL = 7
"""How hard code is packed: the utmost takes three times as long and saves one byte in a hundred."""

_WORDS = re.compile(rb'^( *)r?"""(?:.|\n)*?"""$|^ *#.*$', re.MULTILINE)
_STARTS_PROGRAMS = re.compile(r"\b(?:run_command|find_program|process)\b")


@dataclass(frozen=True, slots=True)
class Prepared:
    """A source of ours, ready to travel: lean and packed, and its code for hosts with our bytecode, packed, if any.

    `starts_programs` is a guess from its words, `options` are its literal OPTIONS.
    """

    packed: bytes
    code: bytes
    imports: list[Import]
    options: dict[str, Any] | None
    starts_programs: bool


def lean(source: bytes) -> bytes:
    """Give source without docstrings and comment lines, every other line where it was."""
    return _WORDS.sub(
        lambda found: (found[1] or b"") + b'""' * (found[1] is not None) + b"\n" * found[0].count(b"\n"), source
    )


def prepared(file: str, source: bytes, digest: str, path: str, package: str) -> Prepared:
    """Give what is known of `file`, whose content is `source`; it travels as `path` and is imported in `package`.

    It has no code where that would have to be made again by each process: it would cost what it gains.
    """

    def make(*, with_code: bool = True) -> tuple[Any, ...]:
        short, text = lean(source), source.decode()
        literal = LITERAL.search(text)
        return (
            zlib.compress(short, 9),
            zlib.compress(marshal.dumps(code_of(short, path)), LEVEL) if with_code else b"",
            [(found.name, found.member, found.eager) for found in scan_imports(text, package)],
            find_options(ast.parse(literal[0])) if literal else None,
            _STARTS_PROGRAMS.search(text) is not None,
        )

    found = kept(file, f"{FORMAT} {digest} {path} {package}", make) or make(with_code=False)
    packed, code, imports, options, programs = found
    return Prepared(packed, code, [Import(*each) for each in imports], options, programs)
