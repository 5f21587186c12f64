"""The filter that makes a text a comment of some language."""

from __future__ import annotations

from typing import Any

from pyplay.diagnostics.dataclass import dataclass, replace
from pyplay.templating.filters.errors import FilterError
from pyplay.templating.filters.plain import shown, type_name


@dataclass(frozen=True, slots=True)
class _Style:
    """How a language writes comments: before every line, and lines before and after the whole."""

    decoration: str = ""
    beginning: str = ""
    end: str = ""


_STYLES = {
    "plain": _Style("# "),
    "erlang": _Style("% "),
    "c": _Style("// "),
    "cblock": _Style(" * ", "/*", " */"),
    "xml": _Style(" - ", "<!--", "-->"),
}


def comment(  # noqa: PLR0917  # the documented options may be given by position
    text: Any,
    style: str = "plain",
    decoration: str | None = None,
    beginning: str | None = None,
    end: str | None = None,
    prefix: str | None = None,
    prefix_count: int = 1,
    postfix: str | None = None,
    postfix_count: int = 1,
    newline: str = "\n",
) -> str:
    """Give a text as a comment: style plain (#), erlang (%), c (//), cblock (/* */) or xml (<!-- -->).

    `decoration` stands before every line, `beginning` and `end` around the whole, `prefix` and `postfix` (the
    decoration) above and below the text, `prefix_count` and `postfix_count` times; `newline` ends lines.
    """
    if not isinstance(text, str):
        raise FilterError(f"needs a text, not {type_name(text)}", help="value | string | comment")
    if style not in _STYLES:
        raise FilterError(f"Invalid style {shown(style)}", help=f"one of {', '.join(_STYLES)}")
    look = _STYLES[style]
    given = {"decoration": decoration, "beginning": beginning, "end": end}
    look = replace(look, **{name: part for name, part in given.items() if part is not None})
    edge = look.decoration.rstrip()
    parts = [look.beginning + newline] if look.beginning else []
    parts += [_ended(edge if prefix is None else prefix, newline)] * prefix_count
    parts.append(_decorated(text, look.decoration, newline))
    parts += [newline + (edge if postfix is None else postfix)] * postfix_count
    parts += [newline + look.end] if look.end else []
    return "".join(parts)


def _ended(prefix: str, newline: str) -> str:
    """Give a line above the text: none where it is empty or is itself the end of a line."""
    return prefix if prefix in ("", newline) else prefix + newline


def _decorated(text: str, decoration: str, newline: str) -> str:
    first, *rest = text.split(newline)
    lines = [decoration + first]
    for position, line in enumerate(rest, start=1):
        blank_inside = not line and position < len(rest)
        lines.append(decoration.rstrip() if blank_inside else decoration + line)
    return newline.join(lines)
