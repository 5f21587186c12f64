"""What a run is made of, as one frozen value that `cli` makes and hands down."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any, Protocol

from pyplay.diagnostics.dataclass import dataclass
from pyplay.engine.changes import InventoryChanges
from pyplay.engine.roll import Roll
from pyplay.engine.stats import Stats

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pyplay.engine.record import Recorder
    from pyplay.engine.stepper import Stepper
    from pyplay.inventory.model import Inventory
    from pyplay.playbook.model import Block, Play, Role, Task
    from pyplay.report.events import Reporter
    from pyplay.source.options import RunOptions
    from pyplay.source.settings import Settings
    from pyplay.templating.templar import Templar
    from pyplay.workers.executor import Executor
    from pyplay.workers.terminal import Terminal


class Variables(Protocol):
    """Where templates get their values: the variable manager."""

    def templar(self, host: str | None, play: Play, task: Task | None = None) -> Templar:
        """Give the templar of a host, a play and perhaps a task. Without a host: extra vars and the play's vars."""
        ...


class Loader(Protocol):
    """Reads what a play includes while it runs: the playbook loader."""

    def make_task(self, play: Play, action: str, args: Mapping[str, Any], **fields: Any) -> Task:
        """Give a numbered task of `play` that no user wrote, with the play's keywords and `fields`."""
        ...

    def find_tasks(self, path: str, parent: Task, *, handler: bool = False) -> str | None:
        """Give the file that the include `parent` names `path`, None if there is none."""
        ...

    def searched_tasks(self, path: str, parent: Task, *, handler: bool = False) -> list[str]:
        """Give the places where the file that the include `parent` names `path` was searched, in order."""
        ...

    def load_tasks(
        self,
        path: str,
        parent: Task,
        *,
        handler: bool = False,
        params: Mapping[str, Any] | None = None,
        apply: Mapping[str, Any] | None = None,
    ) -> list[Block]:
        """Give the blocks of the file that `parent` includes as `path`, seeing `params`. Raises PlaybookError."""
        ...

    def load_role(
        self,
        name: str,
        parent: Task,
        *,
        handler: bool = False,
        params: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> tuple[Role, list[Block]]:
        """Give the role that `parent` includes, and its blocks, seeing `params`. Raises PlaybookError."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class RunContext:
    """What every part of the engine is given. `roll` and `stats` grow while the run goes on.

    `reload_inventory` reads all inventory sources again, `encrypt` hashes an answer as its vars_prompt says. `pool`
    runs the tasks. `read_file` gives the value of a YAML file, parsed once in a run; it raises PlaybookError.
    `playbook_ended` takes a playbook that has been run and the hosts that are out by then.
    """

    options: RunOptions
    settings: Settings
    inventory: Inventory
    variables: Variables
    loader: Loader
    pool: Executor
    recorder: Recorder
    reporter: Reporter
    terminal: Terminal
    stepper: Stepper
    reload_inventory: Callable[[], Inventory]
    encrypt: Callable[[str, Mapping[str, Any]], str]
    read_file: Callable[[str], Any]
    playbook_ended: Callable[[str, Sequence[str]], object]
    roll: Roll = field(default_factory=Roll)
    stats: Stats = field(default_factory=Stats)
    changes: InventoryChanges = field(init=False)

    def __post_init__(self) -> None:
        """Let changes of the inventory go where all changes go."""
        object.__setattr__(self, "changes", InventoryChanges(self.recorder, self.inventory))
