"""What a worker inherits from the controller when it is forked, and what it makes of it for itself."""

from __future__ import annotations

import asyncio
from dataclasses import field
from functools import partial
from typing import TYPE_CHECKING

from pyplay.connection.open import Connector
from pyplay.diagnostics.dataclass import dataclass
from pyplay.diagnostics.model import Severity
from pyplay.shipping.client import RunnerClient
from pyplay.variables.log import LogReader
from pyplay.variables.store import Store
from pyplay.workers.connections import Connections
from pyplay.workers.context import TaskContext
from pyplay.workers.evaluate import Evaluator, GuardedLookups
from pyplay.workers.executor import Notice
from pyplay.workers.host_keys import host_key_asker
from pyplay.workers.passphrases import passphrase_asker
from pyplay.workers.remote import TaskRemote
from pyplay.workers.wire import Define

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyplay.actions.base import Prompter, Remote
    from pyplay.connection.base import Connection
    from pyplay.diagnostics.model import Diagnostic
    from pyplay.playbook.model import Play, Role, Task
    from pyplay.shipping.build import ModuleBuilder
    from pyplay.source.options import RunOptions
    from pyplay.source.settings import Settings
    from pyplay.source.vault import VaultSecrets
    from pyplay.templating.environment import TemplateEnvironment
    from pyplay.templating.user_plugins import UserPlugins
    from pyplay.variables.manager import VariableManager
    from pyplay.workers.connection_options import Destination
    from pyplay.workers.context import RemoteRequest
    from pyplay.workers.messages import ItemResult, JobReport, TaskResult
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
    builder: ModuleBuilder
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

    def build(
        self, emit: Callable[[ItemResult | JobReport | Notice | TaskResult], None], prompter: Prompter
    ) -> tuple[TaskContext, Connections]:
        """Make what this worker's tasks share. Call on the worker's loop."""
        self.environment.lookups = GuardedLookups(self.environment.lookups)
        if self.log is not None:
            before = self.variables.store
            self.variables.store = Store(self.variables.inventory, log=LogReader(self.log), cache=before.cache)

        def tell(diagnostic: Diagnostic) -> None:
            if diagnostic.severity is not Severity.NOTE or self.options.verbosity > 0:
                emit(Notice(diagnostic))

        connector = Connector(
            ask_host_key=host_key_asker(prompter), ask_passphrase=passphrase_asker(prompter), tell=tell
        )
        connections = Connections(connector, partial(start_runner, share=self.settings.share_process))
        evaluator = Evaluator()

        def remote(request: RemoteRequest) -> Remote:
            return TaskRemote(request, context, connections, self.builder)

        context = TaskContext(
            options=self.options,
            settings=self.settings,
            variables=self.variables,
            vault=self.vault,
            plays=self.plays,
            evaluator=evaluator,
            remote=remote,
            emit=emit,
            prompter=prompter,
            sleep=asyncio.sleep,
            names=self.builder.search,
        )
        return context, connections


async def start_runner(connection: Connection, destination: Destination, *, share: bool = True) -> RunnerClient:
    """Start a Runner over `connection`, as the destination says; `share` as for `RunnerClient.start`.

    Raises BecomeError, RunnerError, HostUnreachable.
    """
    options = destination.connection
    return await RunnerClient.start(
        connection,
        destination.become,
        destination.interpreter,
        host=options.host,
        address=options.address,
        candidates=destination.candidates,
        share=share,
    )
