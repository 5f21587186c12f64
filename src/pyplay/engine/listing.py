"""What --list-hosts, --list-tasks and --list-tags show: a play's hosts, tasks and tags, without running anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.dataclass import dataclass
from pyplay.engine.render import Renderer, flattened
from pyplay.engine.selection import select
from pyplay.inventory.patterns import select as select_hosts
from pyplay.playbook.compile import compile_play
from pyplay.playbook.model import Block
from pyplay.playbook.tags import matches

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyplay.engine.context import Variables
    from pyplay.inventory.model import Inventory
    from pyplay.playbook.model import Play, Task
    from pyplay.source.options import RunOptions


@dataclass(frozen=True, slots=True)
class ListedTask:
    """One task: its name with the role's in front, and its sorted tags."""

    name: str
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ListedPlay:
    """One play. `pattern` is what `hosts` says, `hosts` what it matches, `tasks` those that the tags select.

    `tags` are the play's own, `task_tags` those of all selected tasks; both sorted.
    """

    number: int
    pattern: tuple[str, ...]
    name: str
    tags: tuple[str, ...]
    hosts: tuple[str, ...]
    tasks: tuple[ListedTask, ...]
    task_tags: tuple[str, ...]


CHECKED = (
    "hosts", "name", "serial", "order", "strategy", "max_fail_percentage", "any_errors_fatal", "gather_facts",
    "gather_subset", "gather_timeout", "fact_path", "force_handlers",
)  # fmt: skip
"""Keywords of a play that are known without any host."""


def check_plays(plays: Iterable[Play], variables: Variables) -> None:
    """Render what is known of each play without any host, as a run would. Raises AuthorError for the first fault."""
    for play in plays:
        renderer = Renderer(variables, play)
        for keyword in CHECKED:
            for part in flattened(getattr(play, keyword)):
                renderer.keyword(part, keyword)


def list_plays(
    plays: Iterable[Play], inventory: Inventory, variables: Variables, options: RunOptions
) -> Iterator[ListedPlay]:
    """Give what is to be listed of each play. Raises InventoryError for a pattern that is wrong."""
    for number, play in enumerate(plays, 1):
        renderer = Renderer(variables, play)
        pattern = tuple(str(part) for part in flattened(renderer.value(play.hosts)))
        tasks = tuple(_tasks(play, renderer, options))
        yield ListedPlay(
            number=number,
            pattern=pattern,
            name=renderer.play_name(),
            tags=tuple(sorted({tag for raw in play.tags for tag in renderer.tag_names(raw)})),
            hosts=tuple(host.name for host in select_hosts(inventory, ",".join(pattern), limit=options.limit)),
            tasks=tasks,
            task_tags=tuple(sorted({tag for task in tasks for tag in task.tags})),
        )


def _tasks(play: Play, renderer: Renderer, options: RunOptions) -> Iterator[ListedTask]:
    def wanted(task: Task) -> bool:
        return matches(renderer.tags(task), options.tags, options.skip_tags)

    for task in _plain(select(compile_play(play), wanted)):
        if not task.implicit:
            yield ListedTask(task.label if task.name else task.action, tuple(sorted(set(renderer.tags(task)))))


def _plain(items: Iterable[Task | Block]) -> Iterator[Task]:
    """Give the tasks that run when all goes well: those of `rescue` and `always` are not listed, as in Ansible."""
    for item in items:
        if isinstance(item, Block):
            yield from _plain(item.tasks)
        else:
            yield item


def as_text(play: ListedPlay, *, hosts: bool = False, tasks: bool = False, tags: bool = False) -> str:
    """Give the lines of one play as `ansible-playbook` prints them; several may be asked for at once."""
    lines = [f"  play #{play.number} ({','.join(play.pattern)}): {play.name}\tTAGS: [{','.join(play.tags)}]"]
    if hosts:
        lines += [f"    pattern: {_quoted(play.pattern)}", f"    hosts ({len(play.hosts)}):"]
        lines += [f"      {host}" for host in play.hosts]
    if tasks:
        lines.append("    tasks:")
        lines += [f"      {task.name}\tTAGS: [{', '.join(task.tags)}]" for task in play.tasks]
    if tags:
        lines.append(f"      TASK TAGS: [{', '.join(play.task_tags)}]")
    return "\n".join(lines) + "\n"


def _quoted(names: Iterable[Any]) -> str:
    return repr([str(name) for name in names])
