"""Tables of options are read once, however many roles use a module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyplay.actions import tables
from pyplay.actions.tables import OptionTables
from pyplay.playbook.loader import PlaybookLoader
from pyplay.shipping.search import ModuleSearch
from pyplay.source.settings import load_settings

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

ROLES = 4
TASKS = "- ansible.builtin.command: 'true'\n- copy: {content: x, dest: /x}\n"


def test_a_modules_table_is_read_once_for_all_roles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(ROLES):
        home = tmp_path / "roles" / f"r{number}" / "tasks"
        home.mkdir(parents=True)
        (home / "main.yml").write_text(TASKS)
    book = tmp_path / "site.yml"
    book.write_text("- hosts: all\n  roles: [r0, r1, r2, r3]\n")
    own = tmp_path / "roles" / "r3" / "library"
    own.mkdir()
    (own / "copy.py").write_text("#!/usr/bin/python\n# a module of the role's own\n")
    settings = load_settings({"HOME": str(tmp_path)}, str(tmp_path))
    loader = PlaybookLoader(settings)
    loader.load_playbook(str(book))
    read: list[str] = []
    original = tables.read_table
    monkeypatch.setattr(tables, "read_table", lambda path, **more: read.append(str(path)) or original(path, **more))
    known = OptionTables(ModuleSearch(settings, [str(tmp_path)]))
    commands, copies = (
        [known.of(task) for task in loader.tasks.values() if task.action == action]
        for action in ("ansible.builtin.command", "copy")
    )
    assert len({id(table) for table in commands}) == 1
    assert [table is not None for table in copies] == [True] * (ROLES - 1) + [False]
    assert len(read) == len(set(read)), read
