"""What a worker makes for itself, once, of what it inherits: its reach, lookups, the context of its tasks."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

from pyplay.diagnostics.model import Severity
from pyplay.variables.log import LogReader
from pyplay.variables.store import Store
from pyplay.workers.ahead import refuse_outside
from pyplay.workers.context import TaskContext
from pyplay.workers.evaluate import Evaluator, GuardedLookups
from pyplay.workers.executor import Notice
from pyplay.workers.reach import Reach

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyplay.actions.base import Prompter, Remote
    from pyplay.diagnostics.model import Diagnostic
    from pyplay.workers.context import RemoteRequest
    from pyplay.workers.messages import ItemResult, JobReport, TaskResult
    from pyplay.workers.setup import WorkerSetup


def assemble(
    setup: WorkerSetup, emit: Callable[[ItemResult | JobReport | Notice | TaskResult], None], prompter: Prompter
) -> tuple[TaskContext, Reach]:
    """Make what this worker's tasks share. Call on the worker's loop."""
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
    reach = Reach(setup, prompter, tell)

    def remote(request: RemoteRequest) -> Remote:
        return reach.remote(request, context)

    context = TaskContext(
        options=setup.options,
        settings=setup.settings,
        variables=setup.variables,
        vault=setup.vault,
        plays=setup.known.plays,
        evaluator=Evaluator(),
        remote=remote,
        emit=emit,
        prompter=prompter,
        sleep=asyncio.sleep,
        names=setup.search,
    )
    return context, reach
