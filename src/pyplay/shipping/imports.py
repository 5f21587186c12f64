"""Which modules a source imports, found by reading it, not by running it."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Import:
    """One imported module: `name` is absolute; `member` is the `c` of `from a.b import c`, which may be a module too.

    `eager` says that it happens when the source is run, not when one of its functions is.
    """

    name: str
    member: str
    eager: bool


def find_imports(tree: ast.Module, package: str = "") -> list[Import]:
    """Give the imports of a parsed source in their order; `package` is what relative ones start from."""
    return list(_walk(tree, package, eager=True))


def _walk(node: ast.AST, package: str, *, eager: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            for alias in child.names:
                yield Import(alias.name, "", eager)
        elif isinstance(child, ast.ImportFrom):
            base = _absolute(child, package)
            for alias in child.names:
                yield Import(base, "" if alias.name == "*" else alias.name, eager)
        elif not isinstance(child, ast.expr):
            inside = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
            yield from _walk(child, package, eager=eager and not inside)


def _absolute(node: ast.ImportFrom, package: str) -> str:
    if not node.level:
        return node.module or ""
    words = package.split(".")
    words = words[: len(words) - node.level + 1]
    return ".".join([*words, *([node.module] if node.module else [])])
