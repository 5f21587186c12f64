"""From the controller to the zygote: what was parsed, by inheritance or as bytes.

A zygote that was forked when the command began loads what workers are made of while the controller reads playbooks and
inventory, and then gets these as a pickle, which travels between processes that pyplay forked itself. Of much
(thousands of tasks, or of hosts with variables) a copy by `fork` is quicker: then, and where values of users' plugins
are among it, that zygote is given up for one that is forked now.
"""

from __future__ import annotations

import copyreg
import io
import pickle
from functools import partial
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.dataclass import dataclass
from pyplay.playbook.model import Block, Task
from pyplay.variables.log import open_memory
from pyplay.workers.early import load
from pyplay.workers.zygote import Zygote

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyplay.inventory.model import Inventory
    from pyplay.playbook.model import Play, Role
    from pyplay.source.options import RunOptions
    from pyplay.source.settings import Settings
    from pyplay.source.vault import VaultSecrets
    from pyplay.workers.zygote import RunWorker

MOST_TASKS, MOST_BYTES = 4000, 1_500_000
"""Above these a pickle takes longer than loading anew what workers are made of, some 70 ms."""

_ARG_ORIGINS = list(Task.__slots__).index("arg_origins")
_NOWHERE: dict[str, Any] = {}


@dataclass(slots=True, kw_only=True)
class Handover:
    """What workers get from the controller, as plain data.

    `directories` are those of the playbooks, `secrets` the texts that were decrypted so far. `interactive` and
    `progress` are as in `WorkerSetup`.
    """

    options: RunOptions
    settings: Settings
    directories: Sequence[str]
    extra_vars: Mapping[str, Any]
    vault: VaultSecrets | None
    secrets: tuple[str, ...]
    inventory: Inventory
    plays: dict[int, Play]
    roles: Mapping[Any, Role]
    tasks: dict[int, Task]
    interactive: bool = False
    progress: bool = False


def hand_over(handover: Handover, log: int, early: Zygote | None = None) -> Zygote:
    """Give the zygote whose workers have `handover`, and the variables' log at the file descriptor `log`.

    It is `early` if what is handed over is little enough; else that one is ended.
    """
    parcel = None if early is None else packed(handover)
    if early is None or parcel is None:
        if early is not None:
            early.close()
        zygote = Zygote(load, partial(_take, handover))
        zygote.settle([log])
        return zygote
    memory = open_memory()
    with open(memory, "wb") as stream:  # noqa: PTH123  # a descriptor
        stream.write(parcel)
        stream.flush()
        early.settle([log, memory])
    return early


class _TooMuchError(Exception):
    """What is pickled takes more bytes than it may."""


class _Bounded(io.BytesIO):
    """Takes no more than MOST_BYTES. Raises _TooMuchError."""

    def write(self, data: Any, /) -> int:
        """Take some bytes."""
        if self.tell() + len(data) > MOST_BYTES:
            raise _TooMuchError
        return super().write(data)


def packed(handover: Handover) -> bytes | None:
    """Give `handover` as bytes, None where it is too much or cannot travel."""
    if len(handover.tasks) > MOST_TASKS:
        return None
    buffer = _Bounded()
    pickler = pickle.Pickler(buffer, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = copyreg.dispatch_table | {Block: _left_out, Task: _flat}
    try:
        pickler.dump(handover)
    except Exception:  # noqa: BLE001  # variables may be anything; what does not travel is inherited
        return None
    return buffer.getvalue()


def _left_out(_: Block) -> tuple[Any, ...]:
    """Workers walk no blocks: without them, and their way back to roles, a task is a row of values."""
    return Block, ()


def _flat(task: Any) -> tuple[Any, ...]:
    """Leave out where arguments stand, too: they were judged here."""
    state: list[Any] = list(task.__getstate__())
    state[_ARG_ORIGINS] = _NOWHERE
    return _task_of, tuple(state)


def _task_of(*state: Any) -> Task:
    task: Any = Task.__new__(Task)
    task.__setstate__(state)
    return task


def _take(handover: Handover, descriptors: Sequence[int]) -> RunWorker:
    from pyplay.workers.founding import found  # noqa: PLC0415  # in the zygote alone

    return found(handover, descriptors[0])
