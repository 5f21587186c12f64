"""What a worker inherits from the controller when it is forked; `assembly` makes of it what its tasks share."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from pyplay.diagnostics.dataclass import dataclass
from pyplay.workers.wire import Define

if TYPE_CHECKING:
    from pyplay.playbook.model import Play, Role, Task
    from pyplay.shipping.search import ModuleSearch
    from pyplay.source.options import RunOptions
    from pyplay.source.settings import Settings
    from pyplay.source.vault import VaultSecrets
    from pyplay.templating.environment import TemplateEnvironment
    from pyplay.templating.user_plugins import UserPlugins
    from pyplay.variables.manager import VariableManager
    from pyplay.workers.wire import Codec


@dataclass(slots=True, kw_only=True)
class WorkerSetup:
    """Everything that was made before the fork. `tasks` grow in each worker by what is defined later.

    `log` is the file descriptor of the variables' log (`LogWriter.fd`); a worker's variables follow it; without one
    they stay as they are. `codec` knows the plays, roles and tasks that exist now. `progress`: tell when a host's turn
    comes. `interactive`: somebody can answer prompts at the controller. `plugins` are users' own, also those of roles.
    """

    options: RunOptions
    settings: Settings
    variables: VariableManager
    environment: TemplateEnvironment
    tasks: dict[int, Task]
    plays: dict[int, Play]
    search: ModuleSearch
    codec: Codec
    log: int | None
    vault: VaultSecrets | None = None
    plugins: UserPlugins | None = None
    interactive: bool = False
    progress: bool = False
    _known_roles: dict[int, int] = field(default_factory=dict[int, int])

    def __post_init__(self) -> None:
        self._known_roles = {number: len(play.roles) for number, play in self.plays.items()}

    def announce(self, tasks: tuple[Task, ...]) -> Define:
        """Give, in the controller, what makes `tasks` known to workers, with the roles that plays got since then."""
        grown: dict[int, tuple[Role, ...]] = {}
        for number in {task.play_id for task in tasks}:
            roles = self.plays[number].roles if number in self.plays else []
            if len(roles) != self._known_roles.get(number, 0):
                self._known_roles[number] = len(roles)
                grown[number] = tuple(roles)
        return Define(tasks, grown)

    def learn(self, definition: Define) -> None:
        """Take, on either side, what `announce` gave."""
        for task in definition.tasks:
            self.tasks[task.id] = task
            if self.plugins is not None and task.role is not None:
                self.plugins.add_beside(task.role.path)
        self.codec.learn(definition.tasks)
        for number, roles in definition.roles.items():
            self.codec.learn(roles)
            self.plays[number].roles[:] = roles

    def follow(self, position: int) -> None:
        """Bring, in a worker, the variables to a position of the log."""
        if self.log is not None:
            self.variables.store.advance(position)
