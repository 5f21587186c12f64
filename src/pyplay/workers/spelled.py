"""What text spells as a literal list or mapping: ansible-core up to 2.18 took the text of templates so."""

from __future__ import annotations

import ast
from typing import Any

_WORDS = {"true": True, "false": False, "null": None}


class _JsonWords(ast.NodeTransformer):
    """Takes the words of JSON for what they are, beside those of Python."""

    def visit_Name(self, node: ast.Name) -> ast.expr:  # the name that ast calls
        return ast.Constant(_WORDS[node.id]) if node.id in _WORDS else node


def literal(text: str) -> list[Any] | dict[Any, Any] | None:
    """Give the list or mapping that `text` spells as a literal of Python or JSON, None if it spells none."""
    try:
        found = ast.literal_eval(_JsonWords().visit(ast.parse(text, mode="eval")))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    return found if isinstance(found, (list, dict)) else None  # pyright: ignore[reportUnknownVariableType]  # any
