"""The table of docs/settings.md is the table of settings."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from pyplay.source.catalogue import BASE
from pyplay.source.plugin_settings import PLUGIN_OPTIONS
from pyplay.source.setting_names import ansible_name

if TYPE_CHECKING:
    from pyplay.source.setting import Setting

DOCUMENT = Path(__file__).parents[1] / "docs" / "settings.md"
MARK = "<!-- generated: PYPLAY_WRITE_DOCS=1 pytest tests/test_settings_document.py -->\n"


def _names(row: Setting) -> str:
    ini = [f"[{section}] {key}" for section, key in row.ini]
    return "<br>".join(f"`{name}`" for name in (*row.env, *ini)) or "-"


def _shown(row: Setting) -> str:
    value = row.default
    if isinstance(value, tuple):
        value = ", ".join(map(str, value)) if len(str(value)) < 60 else "…"
    text = "…" if isinstance(value, dict) else "" if value is None else str(value)
    return f"`{text.replace('{{ANSIBLE_HOME}}', '~/.ansible')}`" if text else "-"


def _line(name: str, row: Setting) -> str:
    choices = f" ({', '.join(row.choices)})" if row.choices and len(row.choices) < 6 else ""
    effect = f" *Changes nothing: {row.idle}.*" if row.idle else ""
    return f"| {name} | {_shown(row)} | {_names(row)} | {row.doc}{choices}{effect} |"


def tables() -> str:
    """Give the tables as Markdown."""
    head = "| name | default | set by | what it decides |\n|---|---|---|---|\n"
    base = "\n".join(_line(f"`{ansible_name(row)}`", row) for row in BASE)
    chosen = {(option.type, option.plugin, option.name): option.rows[-1] for option in PLUGIN_OPTIONS}
    plugins = "\n".join(
        _line(f"{type_} {plugin} `{name}`", row) for (type_, plugin, name), row in sorted(chosen.items())
    )
    return f"\n## All settings\n\n{head}{base}\n\n## Options of plugins\n\n{head}{plugins}\n"


def test_the_table_is_that_of_the_settings() -> None:
    text, _, written = DOCUMENT.read_text().partition(MARK)
    if "PYPLAY_WRITE_DOCS" in os.environ:
        DOCUMENT.write_text(text + MARK + tables())
        return
    assert written == tables(), "write it anew: PYPLAY_WRITE_DOCS=1 pytest tests/test_settings_document.py"


def test_every_name_in_the_text_is_one() -> None:
    text = DOCUMENT.read_text().partition(MARK)[0]
    known = {name for row in BASE for name in row.env} | {"ANSIBLE_CONFIG"}
    assert set(re.findall(r"ANSIBLE_[A-Z_]+\b", text)) <= known | {"ANSIBLE_HOME"}
