"""Imports found in the text of our own sources are those that a parser finds."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import pyplay.remote
from pyplay.shipping.imports import Import, find_imports, scan_imports
from pyplay.shipping.module_text import LITERAL, find_options
from pyplay.shipping.search import builtin_directory

UTILS = Path(pyplay.remote.__file__).parent / "module_utils"
SOURCES = sorted([*builtin_directory().glob("*.py"), *UTILS.rglob("*.py")])


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_own_sources_read_alike(path: Path) -> None:
    text = path.read_text()
    package = "pyplay.remote.module_utils" if path.is_relative_to(UTILS) else ""
    assert scan_imports(text, package) == find_imports(ast.parse(text), package)


@pytest.mark.parametrize("path", sorted(builtin_directory().glob("*.py")), ids=lambda path: path.name)
def test_own_options_read_alike(path: Path) -> None:
    text = path.read_text()
    literal = LITERAL.search(text)
    assert (find_options(ast.parse(literal[0])) if literal else None) == find_options(ast.parse(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import os, sys as system  # both\n", [Import("os", "", eager=True), Import("sys", "", eager=True)]),
        (
            "from a.b import (\n    c,  # why\n    d as e,\n)\n",
            [Import("a.b", "c", eager=True), Import("a.b", "d", eager=True)],
        ),
        ("from a import *\n", [Import("a", "", eager=True)]),
        (
            "from . import b\nfrom ..c import d\n",
            [Import("pack.age", "b", eager=True), Import("pack.c", "d", eager=True)],
        ),
        ("def f():\n    import os\n", [Import("os", "", eager=False)]),
        ("try:\n    import os\nexcept ImportError:\n    os = None\n", [Import("os", "", eager=True)]),
        (
            "def f(\n    a,\n):\n    import os\n\n\nimport sys\n",
            [Import("os", "", eager=False), Import("sys", "", eager=True)],
        ),
    ],
)
def test_forms(text: str, expected: list[Import]) -> None:
    assert scan_imports(text, "pack.age") == expected == find_imports(ast.parse(text), "pack.age")
