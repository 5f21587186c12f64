"""What the engine tells reporters. Events are values; a reporter consumes them and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyplay.diagnostics.model import Diagnostic
    from pyplay.workers.messages import ItemResult, JobReport, TaskResult


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


class Reporter(Protocol):
    """Takes the events of one run, in order."""

    def run_started(self, playbooks: Sequence[str]) -> None:
        """Take that the run begins."""

    def play_started(self, name: str, hosts: Sequence[str]) -> None:
        """Take that a play (or the next batch of a serial play) begins; `name` is rendered."""

    def no_hosts_matched(self) -> None:
        """Take that the play's pattern matched no host."""

    def no_hosts_remaining(self) -> None:
        """Take that every host of the play has failed."""

    def task_started(self, name: str, *, handler: bool, path: str, check_mode: bool) -> None:
        """Take that a task begins; `name` is rendered and has the role's name in front, `path` is file:line."""

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

    def warn(self, diagnostic: Diagnostic) -> None:
        """Take a warning or deprecation; the same one is shown once in a run."""

    def run_ended(self, stats: Mapping[str, HostStats], custom: Mapping[str, Any]) -> None:
        """Take the recap; `custom` are the values of set_stats."""


@dataclass(slots=True)
class Fanout:
    """Hands every event to several reporters, in order."""

    reporters: list[Reporter] = field(default_factory=list["Reporter"])

    def __getattr__(self, name: str) -> Any:
        """Give a function that calls `name` on every reporter."""
        targets = [getattr(r, name) for r in self.reporters]

        def call(*args: Any, **kwargs: Any) -> None:
            for target in targets:
                target(*args, **kwargs)

        return call
