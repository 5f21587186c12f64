r"""Reading templates: in texts of playbooks, strings inside of `{{ }}` are raw.

`regex_replace('\d', …)` in a playbook means what it says, without doubling backslashes. In `{% %}`, in conditions and
in template files strings are Jinja's. Source: observed in ansible-core 2.21.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jinja2 import lexer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class RawStringLexer(lexer.Lexer):
    """Jinja's lexer, with raw strings between the delimiters of variables."""

    def wrap(
        self, stream: Iterable[tuple[int, str, str]], name: str | None = None, filename: str | None = None
    ) -> Iterator[lexer.Token]:
        """Give the tokens of `stream`."""
        return super().wrap(_raw(stream), name, filename)


def _raw(stream: Iterable[tuple[int, str, str]]) -> Iterator[tuple[int, str, str]]:
    inside = False
    for line, kind, value in stream:
        if kind in (lexer.TOKEN_VARIABLE_BEGIN, lexer.TOKEN_VARIABLE_END):
            inside = kind == lexer.TOKEN_VARIABLE_BEGIN
        if inside and kind == lexer.TOKEN_STRING and "\\" in value:
            value = value.replace("\\", "\\\\")  # noqa: PLW2901  # the same token
        yield line, kind, value
