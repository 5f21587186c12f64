r"""Reading templates: in texts of playbooks, strings inside of `{{ }}` are raw.

`regex_replace('\d', …)` in a playbook means what it says, without doubling backslashes. In `{% %}`, in conditions and
in template files strings are Jinja's. Source: observed in ansible-core 2.21.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jinja2 import lexer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jinja2 import Environment

_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_KNOWN_ESCAPES = frozenset("\\'\"abfnrtvxuUN01234567\n")


class TemplateLexer(lexer.Lexer):
    """Jinja's lexer; with `raw`, strings between the delimiters of variables are raw.

    A backslash before a letter that makes no escape of Python's is the two characters, without a warning.
    """

    def __init__(self, environment: Environment, *, raw: bool) -> None:
        super().__init__(environment)
        self._raw = raw

    def wrap(
        self, stream: Iterable[tuple[int, str, str]], name: str | None = None, filename: str | None = None
    ) -> Iterator[lexer.Token]:
        """Give the tokens of `stream`."""
        return super().wrap(self._escaped(stream), name, filename)

    def _escaped(self, stream: Iterable[tuple[int, str, str]]) -> Iterator[tuple[int, str, str]]:
        raw = False
        for line, kind, value in stream:
            if kind in (lexer.TOKEN_VARIABLE_BEGIN, lexer.TOKEN_VARIABLE_END):
                raw = self._raw and kind == lexer.TOKEN_VARIABLE_BEGIN
            if kind == lexer.TOKEN_STRING and "\\" in value:
                value = value.replace("\\", "\\\\") if raw else _ESCAPE.sub(_known, value)  # noqa: PLW2901  # same token
            yield line, kind, value


def _known(match: re.Match[str]) -> str:
    return match[0] if match[1] in _KNOWN_ESCAPES else f"\\{match[0]}"
