"""What the engine tells reporters. Events are values; a reporter consumes them and nothing else."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any, Protocol

from pyplay.diagnostics.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pyplay.diagnostics.model import Diagnostic
    from pyplay.workers.messages import ItemResult, JobReport, TaskResult

    Prepare = Callable[[Any], Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class HostStats:
    """The recap's figures for one host."""

    ok: int = 0
    changed: int = 0
    unreachable: int = 0
    failed: int = 0
    skipped: int = 0
    rescued: int = 0
    ignored: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayStart:
    """A play, or the next batch of a serial play. `name` is rendered, `path` is file:line:column."""

    name: str
    hosts: tuple[str, ...] = ()
    path: str = ""
    check_mode: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskStart:
    """A task that begins. `name` is rendered and has the role's name in front, `path` is file:line:column.

    `id` is what results name it by, `action` the module as written, `args` its raw arguments. Those of a `private`
    task (no_log) are not to be shown. The same task may begin again: in another batch, or in strategies without
    barrier when a host comes to it later.
    """

    name: str
    id: int = 0
    action: str = ""
    role: str = ""
    handler: bool = False
    path: str = ""
    check_mode: bool = False
    args: Mapping[str, Any] = field(default_factory=dict[str, Any])
    private: bool = False


class Reporter(Protocol):
    """Takes the events of one run, in order. What inherits from it does nothing with events it does not define."""

    def run_started(self, playbooks: Sequence[str]) -> None:
        """Take that the run begins."""

    def play_started(self, play: PlayStart) -> None:
        """Take that a play (or the next batch of a serial play) begins."""

    def no_hosts_matched(self) -> None:
        """Take that the play's pattern matched no host."""

    def no_hosts_remaining(self) -> None:
        """Take that every host of the play has failed."""

    def task_started(self, task: TaskStart) -> None:
        """Take that a task begins."""

    def host_started(self, host: str) -> None:
        """Take that a host has begun the current task (strategies without barrier, and live progress)."""

    def item_ended(self, item: ItemResult, *, action: str) -> None:
        """Take that a loop item or an `until` attempt ended."""

    def host_ended(self, result: TaskResult, *, action: str) -> None:
        """Take that the task ended on a host. `action` is the task's action as resolved (`ansible.builtin.copy`)."""

    def job_asked(self, report: JobReport) -> None:
        """Take how a task in the background (`async`) stands: asked for and not done, done, failed."""

    def included(self, path: str, hosts: Sequence[str], label: Any) -> None:
        """Take that a file was included for `hosts`."""

    def meta_acted(self, action: str, hosts: Sequence[str]) -> None:
        """Take that a meta action was done: for `hosts`, or once for all where it names none."""

    def caught_up(self) -> None:
        """Take that all that has come was told, and that more may be long in coming: what was kept back is shown."""

    def warn(self, diagnostic: Diagnostic) -> None:
        """Take a warning or deprecation; the same one is shown once in a run."""

    def run_ended(self, stats: Mapping[str, HostStats], custom: Mapping[str, Any]) -> None:
        """Take the recap; `custom` are the values of set_stats."""


WITH_VALUES = ("play_started", "task_started", "item_ended", "host_ended", "included", "run_ended")
"""Events that hold values of playbooks and hosts; diagnostics are masked where they are written."""

EVENTS = tuple(name for name in vars(Reporter) if not name.startswith("_"))


class Fanout(Reporter):
    """Hands every event to several reporters, in order.

    Each event goes straight to those that do something with it; with only one of them, calling it costs what calling
    that reporter costs. `prepare` gives what reporters have in place of each value of an event (masked, for example).
    """

    def __init__(self, reporters: Sequence[Reporter] = (), prepare: Prepare | None = None) -> None:
        self._reporters, self._prepare = list(reporters), prepare
        self._bind()

    def add(self, *reporters: Reporter) -> None:
        """Let `reporters` take the events, too, after the others."""
        self._reporters += reporters
        self._bind()

    def _bind(self) -> None:
        for name in EVENTS:
            idle = getattr(Reporter, name)
            targets = [getattr(r, name) for r in self._reporters if getattr(type(r), name) is not idle]
            target = targets[0] if len(targets) == 1 else _each(targets)
            if targets and name in WITH_VALUES and self._prepare is not None:
                target = _prepared(target, self._prepare)
            setattr(self, name, target)


def _each(targets: Sequence[Callable[..., None]]) -> Callable[..., None]:
    def call(*args: Any, **kwargs: Any) -> None:
        for target in targets:
            target(*args, **kwargs)

    return call


def _prepared(call: Callable[..., None], prepare: Prepare) -> Callable[..., None]:
    def prepared(*args: Any, **kwargs: Any) -> None:
        call(*map(prepare, args), **kwargs)

    return prepared
