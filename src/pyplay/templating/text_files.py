"""Rendering the content of template files to text: options, the `#jinja2:` line, and places in the file.

Source: the Ansible documentation, "ansible.builtin.template".
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.errors import AuthorError, TemplateError
from pyplay.diagnostics.model import Origin
from pyplay.diagnostics.patterns import late_pattern
from pyplay.diagnostics.suggest import did_you_mean
from pyplay.source.text import Trusted
from pyplay.templating import faults
from pyplay.templating.undefined import UndefinedUse
from pyplay.templating.values import concat, finish, text_of

if TYPE_CHECKING:
    from pyplay.templating.templar import Templar

HEADER = "#jinja2:"
OPTIONS = {
    "block_start_string": str,
    "block_end_string": str,
    "variable_start_string": str,
    "variable_end_string": str,
    "comment_start_string": str,
    "comment_end_string": str,
    "line_statement_prefix": str,
    "line_comment_prefix": str,
    "trim_blocks": bool,
    "lstrip_blocks": bool,
    "newline_sequence": str,
    "keep_trailing_newline": bool,
}
"""What a template may set of Jinja, and of which type."""

_ENTRY = late_pattern(r"""\s*([A-Za-z_]\w*)\s*:\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^,]*?)\s*(?:,|$)""")
_ESCAPES = {"\\n": "\n", "\\r": "\r", "\\t": "\t", "\\\\": "\\"}


def render_text(templar: Templar, content: str, *, path: str | None = None, **options: Any) -> str:
    """Give the text of the template `content`; newlines at its end are kept.

    `path` is the file it was read from: errors name it, and includes are searched in its directory too. `options` are
    the names of `OPTIONS`, None for the default (`trim_blocks` is on). A first line `#jinja2: name: value, …` goes
    before them and is not part of the text. Raises UndefinedError and TemplateError with the line of the file.
    """
    return _text(render_native(templar, content, path=path, **options), templar, path)


def render_native(templar: Templar, content: str, *, path: str | None = None, **options: Any) -> Any:
    """Give the template `content` as `render_text` does, but an expression alone as its object (lookup `template`).

    The result is not finished: it may be undefined, or hold what is. Text ends with at least as many newlines as
    `content`, even where a block tag takes the newline behind it (observed in ansible-core 2.21).
    """
    set_options = {name: value for name, value in options.items() if value is not None}
    body, header = split_header(content, path)
    set_options.update(header)
    shift = 1 if header else 0
    templar = _beside(templar, path)
    origin = Origin(path) if path else None
    state = templar.environment.state
    before, state.templar = state.templar, templar
    around, state.template = state.template, Trusted("", origin)
    if not state.stack:
        state.sink = templar.notices
    try:
        compiled = templar.environment.compile_template(body, set_options, path)
        newline = str(set_options.get("newline_sequence") or "\n")
        return _with_newlines(concat(compiled.template.open(templar)), content, newline)
    except UndefinedUse as error:
        line = faults.line_in_file(path, error) if path else 0
        return error.undefined.placed("", Origin(path, line + shift) if path and line else origin)
    except AuthorError:
        raise
    except Exception as error:
        fault = faults.template_error(error, path or content, origin, templar)
        line = faults.line_in_file(path, error) if path else 0
        raise (faults.placed_in_file(fault, path, line + shift if line else 0) if path else fault) from error
    finally:
        state.templar, state.template = before, around


def _with_newlines(value: Any, content: str, newline: str) -> Any:
    if value is None and not content.strip("\r\n"):  # not even a comment
        value = ""
    if not isinstance(value, str):
        return value
    return value + newline * (_newlines_at_end(content) - _newlines_at_end(value))


def _newlines_at_end(text: str) -> int:
    end = text[len(text.rstrip("\r\n")) :]
    return max(end.count("\n"), end.count("\r"))


def _text(value: Any, templar: Templar, path: str | None) -> str:
    try:
        return text_of(finish(value))
    except UndefinedUse as error:
        raise faults.undefined_error(error.undefined, templar, Origin(path) if path else None) from error


def _beside(templar: Templar, path: str | None) -> Templar:
    """Give `templar` with the directory of the template file searched first for includes."""
    if not path:
        return templar
    search_path = (os.path.dirname(os.path.abspath(path)), *templar.search_path)  # noqa: PTH100, PTH120  # plain strings
    return type(templar)(
        templar.environment, templar.scope, search_path=search_path, basedir=templar.basedir, notices=templar.notices
    )


def split_header(content: str, path: str | None = None) -> tuple[str, dict[str, Any]]:
    """Give the template without its `#jinja2:` line, and the options in it. Raises TemplateError for unknown ones."""
    if not content.startswith(HEADER):
        return content, {}
    line, _, body = content.partition("\n")
    origin = Origin(path, 1) if path else None
    found: dict[str, Any] = {}
    position, text = 0, line[len(HEADER) :].rstrip("\r")
    while position < len(text) and text[position:].strip():
        match = _ENTRY.match(text, position)
        if match is None:
            raise TemplateError.of(
                "bad-header", f"Missing key-value separator: the first line is not `{HEADER} name: value, …`", origin
            )
        name, value = match[1].strip(), match[2]
        found[name] = _option(name, value, origin)
        position = match.end()
    return body, found


def _option(name: str, value: str, origin: Origin | None) -> Any:
    kind = OPTIONS.get(name)
    if kind is None:
        raise TemplateError.of(
            "unknown-option", f"there is no template option '{name}'", origin, help=did_you_mean(name, OPTIONS)
        )
    if kind is bool:
        word = value.strip("\"'").lower()
        if word not in ("true", "false", "yes", "no"):
            raise TemplateError.of("bad-option", f"{name} is True or False, not {value}", origin)
        return word in ("true", "yes")
    if value[:1] in ("'", '"') and value[-1:] == value[:1]:
        value = value[1:-1]
    return re.sub(r"\\[nrt\\]", lambda match: _ESCAPES[match[0]], value)
