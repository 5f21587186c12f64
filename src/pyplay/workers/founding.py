"""What the zygote makes of a handover: the setup that all workers share. Loading this loads all they are made of."""

from __future__ import annotations

import importlib
import pickle
from functools import partial
from typing import TYPE_CHECKING

from pyplay.actions.registry import find_action
from pyplay.connection.ssh_library import load_ssh
from pyplay.templating.secrets import SecretTexts
from pyplay.variables.codec import Codec
from pyplay.variables.fact_cache import fact_cache
from pyplay.variables.manager import VariableManager
from pyplay.variables.store import Store
from pyplay.workers.ground import Ground
from pyplay.workers.known import Known
from pyplay.workers.notices import Notices
from pyplay.workers.outlook import actions_of, will_connect, will_talk
from pyplay.workers.setup import WorkerSetup
from pyplay.workers.worker import run_worker

if TYPE_CHECKING:
    from pyplay.diagnostics.model import Diagnostic
    from pyplay.workers.handover import Handover
    from pyplay.workers.zygote import RunWorker


TALKING = (
    "pyplay.connection.open",
    "pyplay.shipping.build",
    "pyplay.shipping.client",
    "pyplay.workers.connection_options",
    "pyplay.workers.connections",
    "pyplay.workers.host_keys",
    "pyplay.workers.passphrases",
)
"""What `Reach` and `TaskRemote` load when the first task talks to a host."""


def unpack(log: int, parcel: int) -> RunWorker:
    """Give what `found` gives of the handover in the file `parcel`; both are file descriptors."""
    with open(parcel, "rb") as stream:  # a descriptor
        stream.seek(0)
        return found(pickle.load(stream), log)  # noqa: S301  # our own controller's


def found(handover: Handover, log: int) -> RunWorker:
    """Give what a worker does that has `handover` and follows the variables' log at the file descriptor `log`.

    What only some runs need is loaded here if this one will probably need it: the actions of its tasks, what ships
    modules, and asyncssh.
    """
    setup = setup_of(handover, log)
    setup.environment.make_ready()
    for name in actions_of(handover):
        find_action(name)
    if will_talk(handover):
        for name in TALKING:
            importlib.import_module(name)
    if will_connect(handover):
        load_ssh()
        importlib.import_module("ssl")  # asyncio looks whether a socket is one of its own
    return partial(run_worker, setup=setup)


def setup_of(handover: Handover, log: int) -> WorkerSetup:
    """Give the setup of workers that have `handover` and follow the log at the file descriptor `log`."""
    options, settings, inventory = handover.options, handover.settings, handover.inventory
    plays, roles, tasks = handover.plays, handover.roles, handover.tasks
    notices, secrets = Notices(), SecretTexts()
    for text in handover.secrets:
        secrets.add(text)
    for files in inventory.vars_files:
        files.on_warning = notices
    ground = Ground(
        options,
        settings,
        handover.directories,
        inventory=lambda: inventory,
        vault=handover.vault,
        secrets=secrets,
        warn=notices,
    )
    for role in roles.values():
        ground.add_role(role.path)
    variables = VariableManager(
        inventory,
        list(plays.values()),
        settings,
        handover.extra_vars,
        options,
        Store(inventory, cache=fact_cache(settings, _told_already)),
        environment=ground.environment,
        vault=handover.vault,
        on_warning=notices,
    )
    return WorkerSetup(
        options=options,
        settings=settings,
        variables=variables,
        environment=ground.environment,
        known=Known(
            tasks,
            plays,
            Codec(plays.values(), roles.values(), tasks.values()),
            on_role=ground.add_role,
        ),
        search=ground.search,
        log=log,
        vault=handover.vault,
        interactive=handover.interactive,
        progress=handover.progress,
        notices=notices,
    )


def _told_already(_: Diagnostic) -> None:
    """Take what the controller says."""
