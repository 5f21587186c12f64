"""The table of docs/modules.md is made from what the modules declare."""

from __future__ import annotations

import ast
import os
from pathlib import Path
from typing import Any

from pyplay.actions.registry import ACTIONS
from pyplay.actions.tables import action_table, read_table
from pyplay.playbook.builtin import BUILTIN
from pyplay.playbook.statements import STATEMENTS

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs" / "modules.md"
MARK = "<!-- generated: PYPLAY_WRITE_DOCS=1 pytest tests/test_modules_document.py -->\n"
HEAD = "\n| module | what it does | check mode | diff | identity | absent undoes | platforms |\n|---|---|---|---|---|---|---|\n"


def _file(name: str) -> Path:
    shipped = ROOT / "modules" / f"{name}.py"
    return shipped if shipped.exists() else ROOT / "src/pyplay/actions" / f"{ACTIONS[name]}.py"


def _table(name: str) -> dict[str, Any]:
    own = action_table(name) or {}
    return {**(read_table(ROOT / "modules" / f"{own.get('extends', name)}.py") or {}), **own}


def _line(name: str) -> str:
    table = _table(name)
    summary = table.get("doc") or (ast.get_docstring(ast.parse(_file(name).read_text())) or "").partition("\n")[0]
    summary = summary.removeprefix(f"{name}: ").replace("|", "\\|")
    shown = name if name in BUILTIN else f"ansible.posix.{name}"
    identity = [option for option in table.get("identity", ()) if not option.startswith("_")]
    cells = (
        f"`{shown}`" + ("¹" if name in ACTIONS or name in STATEMENTS else ""),
        summary[:1].upper() + summary[1:],
        table["check_mode"],
        "yes" if table.get("diff") else "-",
        ", ".join(f"`{option}`" for option in identity) or "-",
        "yes" if table.get("absent_undoes") else "-",
        table["platforms"],
    )
    return f"| {' | '.join(cells)} |\n"


def _names() -> list[str]:
    names = {path.stem for path in (ROOT / "modules").glob("*.py")} | ACTIONS.keys() | STATEMENTS.keys()
    return sorted(names, key=lambda name: (name not in BUILTIN, name))


def table() -> str:
    """Give the table as Markdown."""
    return HEAD + "".join(_line(name) for name in _names())


def test_the_table_is_that_of_the_modules() -> None:
    text, _, written = DOCUMENT.read_text().partition(MARK)
    if "PYPLAY_WRITE_DOCS" in os.environ:
        DOCUMENT.write_text(text + MARK + table())
        return
    assert written == table(), "write it anew: PYPLAY_WRITE_DOCS=1 pytest tests/test_modules_document.py"


def test_every_built_in_is_a_row() -> None:
    assert set(_names()) >= BUILTIN
