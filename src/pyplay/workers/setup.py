"""What a worker inherits from the controller when it is forked, and what it makes of it for itself."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pyplay.connection.open import Connector
from pyplay.shipping.client import RunnerClient
from pyplay.workers.connections import Connections
from pyplay.workers.context import TaskContext
from pyplay.workers.evaluate import Evaluator, GuardedLookups
from pyplay.workers.remote import TaskRemote

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyplay.actions.base import Prompter, Remote
    from pyplay.connection.base import Connection
    from pyplay.playbook.model import Play, Task
    from pyplay.shipping.build import ModuleBuilder
    from pyplay.source.options import RunOptions
    from pyplay.source.settings import Settings
    from pyplay.templating.environment import TemplateEnvironment
    from pyplay.workers.connection_options import Destination
    from pyplay.workers.context import RemoteRequest, Variables
    from pyplay.workers.messages import ItemResult, TaskResult
    from pyplay.workers.wire import Codec


@dataclass(slots=True, kw_only=True)
class WorkerSetup:
    """Everything that was made before the fork. `tasks` and `plays` grow in each worker by what is defined later.

    `follow` brings the variables to a position of the store's log. `progress`: tell when a host's turn comes.
    `interactive`: somebody can answer prompts at the controller.
    """

    options: RunOptions
    settings: Settings
    variables: Variables
    environment: TemplateEnvironment
    tasks: dict[int, Task]
    plays: dict[int, Play]
    builder: ModuleBuilder
    codec: Codec
    follow: Callable[[int], None]
    interactive: bool = False
    progress: bool = False
    on_define: Callable[[tuple[Task, ...]], None] = field(default=lambda _: None)

    def define(self, tasks: tuple[Task, ...]) -> None:
        """Learn tasks that appeared after the fork."""
        for task in tasks:
            self.tasks[task.id] = task
        self.on_define(tasks)

    def build(
        self, emit: Callable[[ItemResult | TaskResult], None], prompter: Prompter
    ) -> tuple[TaskContext, Connections]:
        """Make what this worker's tasks share. Call on the worker's loop."""
        self.environment.lookups = GuardedLookups(self.environment.lookups)
        connections = Connections(Connector(), start_runner)
        evaluator = Evaluator()

        def remote(request: RemoteRequest) -> Remote:
            return TaskRemote(request, context, connections, self.builder)

        context = TaskContext(
            options=self.options,
            settings=self.settings,
            variables=self.variables,
            plays=self.plays,
            evaluator=evaluator,
            remote=remote,
            emit=emit,
            prompter=prompter,
            sleep=asyncio.sleep,
        )
        return context, connections


async def start_runner(connection: Connection, destination: Destination) -> RunnerClient:
    """Start a Runner over `connection`, as the destination says. Raises BecomeError, RunnerError, HostUnreachable."""
    options = destination.connection
    return await RunnerClient.start(
        connection, destination.become, destination.interpreter, host=options.host, address=options.address
    )
