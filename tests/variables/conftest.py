"""A small world: an inventory, a play, a manager over them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from pyplay.diagnostics.model import Origin
from pyplay.inventory.model import Inventory
from pyplay.playbook.model import Play, Role, Task
from pyplay.source.options import RunOptions
from pyplay.source.settings import Settings
from pyplay.source.text import SourceMap, Trusted
from pyplay.templating.environment import TemplateEnvironment
from pyplay.variables.log import Delta
from pyplay.variables.manager import VariableManager
from pyplay.variables.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass
class World:
    """Everything a test changes before it asks for a value."""

    basedir: str
    inventory: Inventory = field(default_factory=Inventory)
    settings: Settings = field(default_factory=Settings)
    options: RunOptions = field(default_factory=RunOptions)
    extra_vars: dict[str, Any] = field(default_factory=dict)
    play: Play = None  # type: ignore[assignment]
    task: Task = None  # type: ignore[assignment]
    store: Store = None  # type: ignore[assignment]
    ids: int = 100

    def __post_init__(self) -> None:
        self.play = Play(
            id=1, path=f"{self.basedir}/site.yml", basedir=self.basedir, origin=Origin("site.yml"), hosts="all"
        )
        self.task = self.new_task()
        self.store = Store(self.inventory)
        self._manager: VariableManager | None = None

    def new_task(self, **fields: Any) -> Task:
        self.ids += 1
        return Task(
            id=self.ids,
            play_id=1,
            action="debug",
            resolved_action="ansible.builtin.debug",
            origin=Origin("site.yml", 3, 5),
            **fields,
        )

    def new_role(self, name: str, **fields: Any) -> Role:
        self.ids += 1
        return Role(id=self.ids, name=name, fqcn=name, path=f"/roles/{name}", identity=name, **fields)

    def write(self, host: str, layer: str, **values: Any) -> None:
        self.store.apply(Delta(host, layer, values))

    @property
    def manager(self) -> VariableManager:
        if self._manager is None:
            self._manager = VariableManager(
                self.inventory,
                [self.play],
                self.settings,
                self.extra_vars,
                self.options,
                self.store,
                environment=TemplateEnvironment(self.settings),
            )
        return self._manager

    def render(self, text: str, host: str | None = "h1", **fields: Any) -> Any:
        return self.manager.templar(host, self.play, self.new_task(**fields) if fields else self.task).resolve(
            Trusted(text)
        )


@pytest.fixture
def new_world(tmp_path_factory: Any) -> Callable[[], World]:
    def make() -> World:
        made = World(str(tmp_path_factory.mktemp("world")))
        made.inventory.add_host("h1", ["web"])
        made.inventory.add_host("h2.example.com", ["web"], SourceMap({"x": Trusted("{{ y }}"), "y": "two"}))
        return made

    return make


@pytest.fixture
def world(new_world: Callable[[], World]) -> World:
    return new_world()
