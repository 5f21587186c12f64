"""What travels between the controller and its workers: plain serialisable data.

A `Round` says "these hosts run this task now, reading the store at this position". Workers answer with `ItemResult`s
as loop items end and one `TaskResult` per host. The forked pool is the first executor that carries them.
"""

from __future__ import annotations

from dataclasses import field
from enum import Enum
from typing import Any

from pyplay.diagnostics.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Round:
    """One task for some hosts. `position` is the length of the store's log that the hosts may see.

    `ahead` are the tasks that each of them will be given next, one after another, as long as they end well. Those in
    `held`, of which `task_id` may be one, are followed only where their conditions skip them.
    """

    task_id: int
    hosts: tuple[str, ...]
    position: int
    ahead: tuple[int, ...] = ()
    held: tuple[int, ...] = ()


@dataclass(slots=True, kw_only=True)
class ItemResult:
    """One loop item has ended (`retry` false), or an `until` attempt has (`retry` true, `attempts` in result)."""

    host: str
    task_id: int
    result: dict[str, Any]
    label: Any = None
    retry: bool = False
    delegate: str | None = None
    delegate_address: str | None = None
    private: bool = False  # no_log: reporters must not show item and result
    ignored: bool = False
    diff: bool = False  # show result's diff
    action: str = ""  # full name of the module that ran; empty: the task's


class JobState(Enum):
    """What was heard of a job in the background: it runs, it is done, it failed."""

    POLL = "poll"
    OK = "ok"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class JobReport:
    """A task in the background was asked for. `job` is the name of the job, "None" under no_log."""

    host: str
    task_id: int
    state: JobState
    job: str
    started: bool = True
    finished: bool = False


@dataclass(slots=True, kw_only=True)
class IncludeCall:
    """What one host wants included: one per loop item whose `when` held.

    `args` are the templated arguments of include_tasks / include_role, `item_vars` the loop's variables for this item.
    `apply` is its `apply`, rendered, if that makes a difference.
    """

    args: dict[str, Any]
    item_vars: dict[str, Any] = field(default_factory=dict[str, Any])
    vars: dict[str, Any] = field(default_factory=dict[str, Any])
    apply: dict[str, Any] | None = None


@dataclass(slots=True, kw_only=True)
class TaskResult:
    """How one task ended on one host.

    `result` is what `register` stores, with Ansible's keys (changed, failed, skipped, unreachable, msg, results …).
    `failed` and `changed` are after failed_when/changed_when; `ignored` says that ignore_errors (or
    ignore_unreachable) covers the failure; of add_host and group_by it is set beforehand, since the controller finds
    those of their changes that cannot be made. `store` are values for the variable store, by layer: `facts`,
    `set_facts`, `include_vars`, each {host: {name: value}} since delegate_facts may name another host. `notify` are the
    rendered notifications of a changed task. `private` is no_log: reporters must not show the result.
    """

    host: str
    task_id: int
    result: dict[str, Any]
    failed: bool = False
    changed: bool = False
    skipped: bool = False
    unreachable: bool = False
    ignored: bool = False
    private: bool = False
    name: str = ""  # the task's name, rendered
    register: str | None = None
    projected: dict[str, Any] | None = None  # what a mapping under `register` makes of the result, by name
    delegate: str | None = None  # inventory name of the delegate, where one was used
    delegate_address: str | None = None  # its ansible_host, if it has one
    store: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict[str, dict[str, dict[str, Any]]])
    notify: tuple[str, ...] = ()
    includes: tuple[IncludeCall, ...] = ()
    add_hosts: tuple[dict[str, Any], ...] = ()
    add_groups: tuple[dict[str, Any], ...] = ()
    stats: tuple[dict[str, Any], ...] = ()  # set_stats calls
    any_errors_fatal: bool = False
    debugger: Any = None
    looped: bool = False
    label: Any = None
    diff: bool = False  # show result's diff
    action: str = ""  # full name of the module that ran; empty: the task's
    warnings: tuple[str, ...] = ()
    deprecations: tuple[dict[str, Any], ...] = ()
