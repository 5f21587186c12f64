"""What a worker's parts are given: one value, made once per worker, handed down."""

from __future__ import annotations

from dataclasses import field
from itertools import count
from typing import TYPE_CHECKING, Any, Protocol

from pyplay.diagnostics.dataclass import dataclass
from pyplay.workers.destinations import Destinations
from pyplay.workers.engine_settings import EngineSettings
from pyplay.workers.keywords import is_unsure
from pyplay.workers.module_defaults import BuiltinNames

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping

    from pyplay.actions.base import Prompter, Remote
    from pyplay.diagnostics.errors import HostUnreachable
    from pyplay.playbook.model import Play, Task
    from pyplay.source.options import RunOptions
    from pyplay.source.settings import Settings
    from pyplay.source.vault import VaultSecrets
    from pyplay.templating.templar import Templar
    from pyplay.workers.ahead import CallTurn
    from pyplay.workers.background import Background
    from pyplay.workers.evaluate import Evaluator
    from pyplay.workers.messages import ItemResult, JobReport, TaskResult
    from pyplay.workers.module_defaults import ModuleNames


class Variables(Protocol):
    """The part of `variables.manager.VariableManager` that running tasks needs."""

    def templar(self, host: str, play: Play, task: Task | None) -> Templar:
        """Give a templar that sees what `task` on `host` sees."""
        ...


class RemoteFactory(Protocol):
    """Makes the Remote of one task call."""

    def __call__(self, request: RemoteRequest) -> Remote:
        """Give a Remote; connections are made when it is first used."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteRequest:
    """What a Remote needs to know of one call.

    `owner` is the host the task is for: what it opened is closed when that host has no play left. `target` is where the
    task runs, the owner or the delegate. `templar` sees what the task sees, `overlay` is what items and registered
    results add to it. `turn`: the call is one of those that are sent ahead. `lost`: an earlier item of the task found
    that the target cannot be reached, so that it is not tried again.
    """

    owner: str
    target: str
    task: Task
    play: Play
    templar: Templar
    overlay: Mapping[str, Any]
    check_mode: bool
    diff: bool
    private: bool
    background: Background | None = None
    turn: CallTurn | None = None
    lost: HostUnreachable | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskContext:
    """What running a task on a host needs besides the task and the host.

    `emit` sends a result to the controller; `names` knows modules by all their names.
    """

    options: RunOptions
    settings: Settings
    variables: Variables
    vault: VaultSecrets | None
    plays: Mapping[int, Play]
    evaluator: Evaluator
    remote: RemoteFactory
    emit: Callable[[ItemResult | JobReport | TaskResult], None]
    prompter: Prompter
    sleep: Callable[[float], Awaitable[Any]]
    names: ModuleNames = field(default_factory=BuiltinNames)
    engines: EngineSettings = field(default_factory=EngineSettings)
    destinations: Destinations = field(default_factory=Destinations)
    unsure: dict[Task, bool] = field(default_factory=dict["Task", bool])  # what `is_unsure` found
    lanes: Iterator[int] = field(default_factory=lambda: count(1))  # numbers for loops whose items are sent ahead

    def is_unsure(self, task: Task) -> bool:
        """Tell whether values of the keywords of `task` must be looked at for each host; found out once."""
        found = self.unsure.get(task)
        if found is None:
            found = self.unsure[task] = is_unsure(task)
        return found
