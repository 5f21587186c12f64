"""Where files are searched."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pyplay.templating.lookups.search import candidates, find_beside_tasks, find_file

if TYPE_CHECKING:
    from pathlib import Path

ROLE, PLAYS = "/r/web", "/p"


@pytest.mark.parametrize(("subdir", "name", "expected"), [
    ("files", "a", ["/r/web/files/a", "/r/web/a", "/r/web/tasks/files/a", "/r/web/tasks/a", "/p/files/a", "/p/a"]),
    ("templates", "b/c", ["/r/web/templates/b/c", "/r/web/b/c", "/r/web/tasks/templates/b/c", "/r/web/tasks/b/c", "/p/templates/b/c", "/p/b/c"]),
    ("files", "/etc/x", ["/etc/x"]),
    ("", "a", ["/r/web/a", "/r/web/tasks/a", "/p/a"]),
])  # fmt: skip
def test_candidates(subdir: str, name: str, expected: list[str]) -> None:
    assert list(candidates([ROLE, f"{ROLE}/tasks", PLAYS], PLAYS, subdir, name)) == expected


def test_the_first_that_exists_is_found(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "x").write_text("")
    assert find_file([str(tmp_path)], "", "files", "x") == str(tmp_path / "x")
    (tmp_path / "files" / "x").write_text("")
    assert find_file([str(tmp_path)], "", "files", "x") == str(tmp_path / "files" / "x")
    assert find_file([str(tmp_path)], "", "files", "nope") is None


def test_lookups_below_the_tasks_of_a_role_see_its_tasks(tmp_path: Path) -> None:
    role, plays = tmp_path / "roles" / "web", tmp_path
    for root in (role, plays):
        (root / "tasks" / "deep").mkdir(parents=True)
        (root / "tasks" / f"{root.name}.yml").write_text("")
    path = [str(role), str(role / "tasks" / "deep"), str(plays / "tasks" / "deep"), str(plays)]
    assert find_beside_tasks(path, str(plays), "web.yml") == str(role / "tasks" / "web.yml")
    assert find_beside_tasks(path, str(plays), f"{plays.name}.yml") is None
