"""The layers of a play's roles are looked through once, not for each of its tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyplay.playbook.loader import PlaybookLoader
from pyplay.source.settings import load_settings
from pyplay.variables.layers import role_layers, static_layers

if TYPE_CHECKING:
    from pathlib import Path


def test_roles_without_variables_cost_tasks_nothing(tmp_path: Path) -> None:
    for name in ("bare", "set", "also_bare"):
        home = tmp_path / "roles" / name / "tasks"
        home.mkdir(parents=True)
        (home / "main.yml").write_text("- ansible.builtin.debug: {msg: x}\n")
    defaults = tmp_path / "roles" / "set" / "defaults"
    defaults.mkdir()
    (defaults / "main.yml").write_text("colour: red\n")
    book = tmp_path / "site.yml"
    book.write_text("- hosts: all\n  roles: [bare, set, also_bare]\n")
    loader = PlaybookLoader(load_settings({"HOME": str(tmp_path)}, str(tmp_path)))
    [play] = loader.load_playbook(str(book))
    roles = role_layers(play)
    assert [(layers.role.name, dict(layers.defaults[0]), layers.vars) for layers in roles] == [
        ("set", {"colour": "red"}, ())
    ]
    tasks = [task for task in loader.tasks.values() if task.action == "ansible.builtin.debug"]
    lower = [static_layers(play, task, roles).lower for task in tasks]
    assert [[dict(layer) for layer in layers] for layers in lower] == [[{"colour": "red"}]] * 3
