"""Dynamic includes: what hosts asked for is loaded once per distinct call and walked by the hosts that made it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.errors import AuthorError, PlaybookError
from pyplay.engine.outcome import author_failure
from pyplay.engine.selection import select
from pyplay.playbook.model import Block, TaskKind
from pyplay.source.text import origin_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from pyplay.engine.batch import Batch
    from pyplay.engine.results import Results
    from pyplay.playbook.model import Task
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


class MissingFileError(PlaybookError):
    """The file of an include is nowhere where it is searched; the hosts that asked for it fail."""


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
            for call in made:
                key = _frozen((call.args, call.item_vars, call.vars))
                group = groups.get(key)
                if group is None:
                    group = groups[key] = _Group(call)
                    known = self._shared.get((task.id, key))
                    if known is not None:
                        group.block, group.path = known.block, known.path
                group.hosts.append(host)
        return groups

    def _load(self, task: Task, groups: Mapping[Hashable, _Group]) -> None:
        for group in groups.values():
            if group.block is not None:
                continue
            try:
                blocks = self._blocks(task, group)
            except MissingFileError as error:
                for host in group.hosts:
                    self._results.take(task, author_failure(task, host, error))
                continue
            chosen = select(blocks, self._batch.wanted)
            self._batch.define(chosen)
            group.block = Block(tasks=list(chosen))

    def _blocks(self, task: Task, group: _Group) -> list[Block]:
        call = group.call
        params = {**call.vars, **call.item_vars}
        parent = replace(task, include_params=(*task.include_params, params)) if params else task
        if task.kind is TaskKind.INCLUDE_ROLE:
            return self._role_blocks(parent, group)
        group.path = find_file(
            task, str(call.args.get("file") or call.args.get("_raw_params") or ""), self._batch.play.basedir
        )
        handler = self._batch.iterator.state(group.hosts[0]).in_handlers
        return self._batch.context.loader.load_tasks(group.path, parent, handler=handler)

    def _role_blocks(self, parent: Task, group: _Group) -> list[Block]:
        args = group.call.args
        name = str(args.get("name") or args.get("role") or args.get("_raw_params") or "")
        options = {key: args[key] for key in _ROLE_OPTIONS if key in args}
        role, blocks = self._batch.context.loader.load_role(name, parent, **options)
        for handlers in role.handlers:
            chosen = select([handlers], self._batch.wanted)
            self._batch.define(chosen)
            for block in chosen:
                self._batch.handlers.add(block)
        group.path = role.name
        return blocks

    def _report(self, task: Task, group: _Group) -> None:
        context = self._batch.context
        label = (
            group.call.item_vars.get(str(group.call.item_vars.get("ansible_loop_var", "item")))
            if group.call.item_vars
            else None
        )
        context.reporter.included(group.path, group.hosts, label)
        for host in group.hosts:
            context.stats.ok(host)


def candidates(task: Task, name: str, basedir: str) -> Iterator[Path]:
    """Give the places where `task` looks for the file `name` that it includes, nearest first.

    Beside the file that the task is in, then in each search directory's `tasks` (for handlers `handlers` first) and
    in the directory itself, then beside the playbook.
    """
    path = Path(name).expanduser()
    if path.is_absolute():
        yield path
        return
    yield Path(task.origin.path).parent / path
    sections = ("handlers", "tasks") if task.kind is TaskKind.HANDLER else ("tasks", "handlers")
    for directory in (*task.search_dirs, basedir):
        for section in sections:
            yield Path(directory) / section / path
        yield Path(directory) / path


def find_file(task: Task, name: str, basedir: str) -> str:
    """Give the path of the file `name` that `task` includes. Raises MissingFileError."""
    places = list(dict.fromkeys(candidates(task, name, basedir)))
    for place in places:
        if place.is_file():
            return str(place.resolve() if ".." in place.parts else place)
    raw = task.args.get("file", task.args.get("_raw_params"))
    looked = ", ".join(str(place) for place in places)
    raise MissingFileError.of(
        "missing-include",
        f"file to include is not there: {name}",
        origin_of(raw) or task.origin,
        help=f"looked at {looked}",
    )


def _frozen(value: Any) -> Hashable:
    """Give a key that is equal for equal values, whatever they hold."""
    if isinstance(value, dict):
        return "dict", tuple((key, _frozen(part)) for key, part in value.items())  # pyright: ignore[reportUnknownVariableType]  # any
    if isinstance(value, (list, tuple)):
        return "list", tuple(_frozen(part) for part in value)  # pyright: ignore[reportUnknownVariableType]  # any
    try:
        hash(value)
    except TypeError:
        return repr(value)
    return type(value).__name__, value


__all__ = ["AuthorError", "Includes", "MissingFileError", "candidates", "find_file"]
