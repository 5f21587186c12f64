from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING, Any

import pytest

from pyplay.diagnostics.errors import PlaybookError
from pyplay.playbook.builtin import is_builtin
from pyplay.playbook.compile import compile_play
from pyplay.playbook.loader import PlaybookLoader
from pyplay.playbook.model import Block, Play, Task
from pyplay.source.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pyplay.diagnostics.model import Diagnostic


class Project:
    """A directory of playbook files, and what loading them gave."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.warnings: list[Diagnostic] = []
        self.environ = {"HOME": str(root / "home")}
        self.loader = self.new_loader()

    def new_loader(self, **more: Any) -> PlaybookLoader:
        settings = load_settings(self.environ, str(self.root))
        return PlaybookLoader(settings, on_warning=self.warnings.append, **more)

    def write(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dedent(text))

    def load(self, text: str, files: dict[str, str] | None = None, **more: Any) -> list[Play]:
        self.write({"site.yml": text, **(files or {})})
        self.loader = self.new_loader(**more)
        return self.loader.load_playbook(str(self.root / "site.yml"))

    def tasks(self, text: str, files: dict[str, str] | None = None, **more: Any) -> list[Task]:
        """Give the tasks that a list of tasks holds, blocks and imports opened."""
        play = "- hosts: all\n  tasks:\n" + "".join(f"    {line}\n" for line in dedent(text).strip("\n").split("\n"))
        (loaded,) = self.load(play, files, **more)
        return self.flat(loaded.tasks)

    def faults(self, text: str, files: dict[str, str] | None = None, **more: Any) -> list[tuple[str, int]]:
        """Give code and line of the faults in a playbook."""
        with pytest.raises(PlaybookError) as caught:
            self.load(text, files, **more)
        return [(d.code, d.origin.line if d.origin else 0) for d in caught.value.diagnostics]

    def order(self, play: Play) -> list[str]:
        """Give what runs, in order: names of tasks, `!` before implicit ones."""
        found = self.flat(compile_play(play))
        return [f"!{t.args['_raw_params']}" if t.implicit else str(t.label) for t in found]

    def flat(self, items: Iterable[Task | Block]) -> list[Task]:
        """Give the tasks in `items`, blocks opened."""
        found: list[Task] = []
        for item in items:
            if isinstance(item, Block):
                found += self.flat(item.tasks) + self.flat(item.rescue) + self.flat(item.always)
            else:
                found.append(item)
        return found


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


@pytest.fixture
def known_only() -> dict[str, Any]:
    return {"find_module": lambda name, task: is_builtin(name)}
