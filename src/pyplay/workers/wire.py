"""The requests and answers that pass between controller and worker, beside the results in `messages.py`."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any, Literal, Protocol

from pyplay.diagnostics.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pyplay.playbook.model import Role, Task
    from pyplay.workers.messages import Round, TaskResult


class Codec(Protocol):
    """Values to bytes and back, keeping trust, origins, vault values and `omit`. See `variables.codec`."""

    def encode(self, value: Any) -> bytes:
        """Give `value` as bytes."""
        ...

    def decode(self, data: bytes) -> Any:
        """Give the value that `data` holds."""
        ...

    def learn(self, things: Iterable[Any]) -> None:
        """Name these roles and tasks by their ids from now on; the other side does the same."""
        ...


@dataclass(frozen=True, slots=True)
class RunRound:
    """Run the round's task on these hosts, all of which the worker owns."""

    round: Round


@dataclass(frozen=True, slots=True)
class Define:
    """Learn tasks that appeared after the workers were forked, and all roles of plays that got new ones."""

    tasks: tuple[Task, ...]
    roles: dict[int, tuple[Role, ...]] = field(default_factory=dict[int, "tuple[Role, ...]"])


@dataclass(frozen=True, slots=True)
class Release:
    """Close the connections of hosts that have no play left."""

    hosts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reset:
    """Drop every connection to this host."""

    host: str


@dataclass(frozen=True, slots=True)
class CancelAll:
    """Stop every running task."""


@dataclass(frozen=True, slots=True)
class CloseDown:
    """End: stop what runs, close every Runner and connection, exit."""


@dataclass(frozen=True, slots=True)
class Secrets:
    """Worker to controller: secrets that came to light there, before anything that may show them."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Foretold:
    """Worker to controller, in one frame with a result: what comes of the tasks that the round named as following it.

    They are answers to rounds that are not dispatched yet, and then need not be sent.
    """

    results: tuple[TaskResult, ...]


@dataclass(frozen=True, slots=True)
class Bug:
    """Worker to controller, the last of it: it ends by a bug of ours; `message` names the file with the report."""

    message: str


@dataclass(frozen=True, slots=True)
class PromptRequest:
    """Worker to controller: show `text`, ask for a line, or wait `seconds` for one.

    With `keep` the answer is kept, for whoever asks the same.
    """

    number: int
    text: str
    purpose: Literal["show", "ask", "pause"] = "ask"
    echo: bool = True
    seconds: float | None = None
    keep: bool = False


@dataclass(frozen=True, slots=True)
class PromptAnswer:
    """Controller to worker: the line typed, None for none. `aborted`: the person wants the task to end."""

    number: int
    text: str | None
    aborted: bool = False
