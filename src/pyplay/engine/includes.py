"""Dynamic includes: what hosts asked for is loaded once per distinct call and walked by the hosts that made it."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.dataclass import dataclass
from pyplay.diagnostics.errors import PlaybookError
from pyplay.engine.freeze import frozen
from pyplay.engine.outcome import author_failure
from pyplay.engine.selection import select
from pyplay.playbook.compile import role_handlers
from pyplay.playbook.model import Block, TaskKind
from pyplay.source.booleans import read_boolean
from pyplay.source.text import origin_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from pyplay.diagnostics.model import Diagnostic, Origin
    from pyplay.engine.batch import Batch
    from pyplay.engine.results import Results
    from pyplay.playbook.model import Role, Task
    from pyplay.workers.messages import IncludeCall

_ROLE_OPTIONS = (
    "tasks_from",
    "vars_from",
    "defaults_from",
    "handlers_from",
    "allow_duplicates",
    "public",
    "rolespec_validate",
)


_OF_HOSTS = frozenset(("missing-file", "missing-role", "missing-role-file", "two-loops"))
"""Faults in what is included that fail the hosts that asked for it, not the run. Source: seen with ansible-core."""


class MissingIncludeError(PlaybookError):
    """What an include names is not there, or is no list of tasks; the hosts that asked for it fail."""


@dataclass(slots=True)
class _Group:
    """The hosts that made the same call, and what it brought."""

    call: IncludeCall
    hosts: list[str] = field(default_factory=list[str])
    block: Block | None = None
    path: str = ""


class Includes:
    """Expands the includes of one batch. `shared` keeps what was loaded, for strategies whose hosts come one by one."""

    def __init__(self, batch: Batch, results: Results) -> None:
        self._batch, self._results = batch, results
        self._shared: dict[tuple[int, Hashable], _Group] = {}

    def expand(self, task: Task, calls: Mapping[str, Sequence[IncludeCall]], *, keep: bool = False) -> None:
        """Load what `calls` ask for and let each host walk its own, in the order of hosts, then of items.

        A file that is not there fails the hosts that asked for it. Raises PlaybookError for a file that is wrong.
        `keep` remembers what was loaded for hosts that come to the task later.
        """
        groups = self._grouped(task, calls)
        self._load(task, groups)
        if keep:
            self._shared.update({(task.id, key): group for key, group in groups.items() if group.block is not None})
        routes: dict[str, list[int]] = {}
        whole = Block()
        for group in groups.values():
            if group.block is None:
                continue
            self._report(task, group)
            whole.tasks.append(group.block)
            for host in group.hosts:
                routes.setdefault(host, []).append(len(whole.tasks) - 1)
        live = {host: tuple(route) for host, route in routes.items() if host in self._batch.live}
        self._batch.iterator.insert(whole, live)

    def _grouped(self, task: Task, calls: Mapping[str, Sequence[IncludeCall]]) -> dict[Hashable, _Group]:
        groups: dict[Hashable, _Group] = {}
        for host, made in calls.items():
            before: dict[Hashable, int] = {}  # how often the host made a call: an item may come again in a loop
            for call in made:
                same = frozen((call.args, call.item_vars, call.apply))
                key = same, before.get(same, 0)
                before[same] = key[1] + 1
                group = groups.get(key)
                if group is None:
                    group = groups[key] = _Group(call)
                    known = self._shared.get((task.id, key))
                    if known is not None:
                        group.block, group.path = known.block, known.path
                group.hosts.append(host)
        return groups

    def _load(self, task: Task, groups: Mapping[Hashable, _Group]) -> None:
        missing: dict[str, list[Diagnostic]] = {}
        for group in groups.values():
            if group.block is not None:
                continue
            known = len(self._batch.play.roles)
            try:
                blocks = self._blocks(task, group)
            except MissingIncludeError as error:
                for host in group.hosts:
                    missing.setdefault(host, []).extend(error.diagnostics)
                continue
            for role in self._batch.play.roles[known:]:  # included, or imported by what was
                self._take_handlers(role)
            in_handlers = self._batch.iterator.state(group.hosts[0]).in_handlers
            chosen = blocks if in_handlers else select(blocks, self._batch.wanted)
            self._batch.define(chosen)
            group.block = Block(tasks=list(chosen))
        for host, faults in missing.items():  # one failure of the task, however many items of its loop are not there
            self._results.take(task, author_failure(task, host, MissingIncludeError(faults)), counts=True)
            self._batch.leave(host)

    def _blocks(self, task: Task, group: _Group) -> list[Block]:
        call = group.call
        handler = self._batch.iterator.state(group.hosts[0]).in_handlers
        params = call.item_vars
        if task.kind is TaskKind.INCLUDE_ROLE:
            return self._role_blocks(task, group, params, handler=handler)
        loader = self._batch.context.loader
        name = str(call.args.get("file") or call.args.get("_raw_params") or "")
        group.path = loader.find_tasks(name, task, handler=handler) or ""
        if not group.path:
            searched = ", ".join(loader.searched_tasks(name, task, handler=handler))
            message = f"there is no file of tasks '{name}' to include; searched: {searched}"
            raise MissingIncludeError.of("missing-file", message, include_origin(task))
        try:
            return loader.load_tasks(name, task, handler=handler, params=params, apply=call.apply)
        except PlaybookError as error:
            if all(diagnostic.code in _OF_HOSTS or diagnostic.code == "not-a-list" for diagnostic in error.diagnostics):
                raise MissingIncludeError(error.diagnostics) from error
            raise

    def _role_blocks(self, task: Task, group: _Group, params: Mapping[str, Any], *, handler: bool) -> list[Block]:
        args = group.call.args
        name = str(args.get("name") or args.get("role") or args.get("_raw_params") or "")
        options = {key: args[key] for key in _ROLE_OPTIONS if key in args}
        try:
            role, blocks = self._batch.context.loader.load_role(
                name, task, handler=handler, params=params, apply=group.call.apply, **options
            )
        except PlaybookError as error:
            rescuable = read_boolean(args.get("rescuable")) is not False
            if rescuable and all(diagnostic.code in _OF_HOSTS for diagnostic in error.diagnostics):
                raise MissingIncludeError(error.diagnostics) from error
            raise
        roles = self._batch.play.roles
        if role.public or all(other.public or other.name != role.name for other in roles):
            roles.append(role)  # all later tasks of the play see its name, and its variables if it is public
        else:
            self._take_handlers(role)
        group.path = name
        return blocks

    def _take_handlers(self, role: Role) -> None:
        for block in role_handlers(role):
            self._batch.define([block])
            self._batch.handlers.add(block)

    def _report(self, task: Task, group: _Group) -> None:
        context = self._batch.context
        renderer, host = self._batch.renderer, group.hosts[0]
        private = renderer.may_be_set(task, "no_log", host, default=context.settings.no_log)
        label = None if private else renderer.label(task, host, group.call.item_vars)
        context.reporter.included(group.path, group.hosts, label)
        for host in group.hosts:
            context.stats.ok(host)


def include_origin(task: Task) -> Origin:
    """Give where `task` names what it includes."""
    for key in ("file", "name", "_raw_params"):
        origin = origin_of(task.args.get(key)) or task.arg_origins.get(key)
        if origin is not None:
            return origin
    return task.origin
