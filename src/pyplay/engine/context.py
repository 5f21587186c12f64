"""What a run is made of, as one frozen value that `cli` makes and hands down."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

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

    tasks: dict[int, Task]

    def new_id(self) -> int:
        """Give an id that no task has."""
        ...

    def load_tasks(self, path: str, parent: Task, *, handler: bool) -> list[Block]:
        """Give the blocks of a file of tasks that `parent` includes. Raises PlaybookError."""
        ...

    def load_role(self, name: str, parent: Task, **options: Any) -> tuple[Role, list[Block]]:
        """Give the role that `parent` includes, and its blocks. Raises PlaybookError."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class RunContext:
    """What every part of the engine is given. `roll` and `stats` grow while the run goes on.

    `reload_inventory` reads all inventory sources again, `encrypt` hashes an answer as its vars_prompt says. `pool`
    runs the tasks.
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
    playbooks: Sequence[str] = ()
    roll: Roll = field(default_factory=Roll)
    stats: Stats = field(default_factory=Stats)
