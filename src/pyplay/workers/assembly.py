"""What a worker makes for itself, once, of what it inherits: connections, lookups, the context of its tasks."""

from __future__ import annotations

import asyncio
import threading
from functools import partial
from typing import TYPE_CHECKING

from pyplay.connection.open import Connector
from pyplay.diagnostics.model import Severity
from pyplay.shipping.build import ModuleBuilder
from pyplay.shipping.client import RunnerClient
from pyplay.variables.log import LogReader
from pyplay.variables.store import Store
from pyplay.workers.ahead import refuse_outside
from pyplay.workers.connections import Connections
from pyplay.workers.context import TaskContext
from pyplay.workers.evaluate import Evaluator, GuardedLookups
from pyplay.workers.executor import Notice
from pyplay.workers.host_keys import host_key_asker
from pyplay.workers.passphrases import passphrase_asker
from pyplay.workers.remote import TaskRemote

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyplay.actions.base import Prompter, Remote
    from pyplay.connection.base import Connection
    from pyplay.diagnostics.model import Diagnostic
    from pyplay.workers.connection_options import Destination
    from pyplay.workers.context import RemoteRequest
    from pyplay.workers.messages import ItemResult, JobReport, TaskResult
    from pyplay.workers.setup import WorkerSetup


def assemble(
    setup: WorkerSetup, emit: Callable[[ItemResult | JobReport | Notice | TaskResult], None], prompter: Prompter
) -> tuple[TaskContext, Connections]:
    """Make what this worker's tasks share. Call on the worker's loop."""
    builder = ModuleBuilder(setup.search)
    setup.environment.lookups = GuardedLookups(setup.environment.lookups)
    setup.environment.outside = refuse_outside
    if setup.log is not None:
        before = setup.variables.store
        setup.variables.store = Store(setup.variables.inventory, log=LogReader(setup.log), cache=before.cache)

    def tell(diagnostic: Diagnostic) -> None:
        if diagnostic.severity is not Severity.NOTE or setup.options.verbosity > 0:
            emit(Notice(diagnostic))

    loop, here = asyncio.get_running_loop(), threading.get_ident()

    def tell_from_anywhere(diagnostic: Diagnostic) -> None:
        if threading.get_ident() == here:
            tell(diagnostic)
        else:
            loop.call_soon_threadsafe(tell, diagnostic)

    setup.notices.listen(tell_from_anywhere)
    connector = Connector(ask_host_key=host_key_asker(prompter), ask_passphrase=passphrase_asker(prompter), tell=tell)
    connections = Connections(connector, partial(start_runner, share=setup.settings.share_process))
    evaluator = Evaluator()

    def remote(request: RemoteRequest) -> Remote:
        return TaskRemote(request, context, connections, builder)

    context = TaskContext(
        options=setup.options,
        settings=setup.settings,
        variables=setup.variables,
        vault=setup.vault,
        plays=setup.known.plays,
        evaluator=evaluator,
        remote=remote,
        emit=emit,
        prompter=prompter,
        sleep=asyncio.sleep,
        names=setup.search,
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
