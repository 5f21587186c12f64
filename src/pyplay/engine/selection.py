"""Leaving out tasks that --tags and --skip-tags do not select, and what force_handlers makes of a play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyplay.diagnostics.dataclass import replace
from pyplay.playbook.model import Block, Task, TaskKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence


def select(blocks: Iterable[Block], wanted: Callable[[Task], bool]) -> list[Block]:
    """Give copies of `blocks` with the tasks that are `wanted`; the compiler's flush points always stay.

    A block left without tasks is left out, with its rescue and always; the block that ends a role stays, since hosts
    that pass it have completed the role. The compiler's mark inside it is not walked.
    """
    return [block for item in blocks if (block := _selected_block(item, wanted)) is not None]


def _selected_block(block: Block, wanted: Callable[[Task], bool]) -> Block | None:
    tasks = _selected(block.tasks, wanted)
    rescue, always = _selected(block.rescue, wanted), _selected(block.always, wanted)
    if not (tasks or rescue or always or block.ends_role):
        return None
    return replace(block, tasks=tasks, rescue=rescue, always=always)


def _selected(items: Iterable[Task | Block], wanted: Callable[[Task], bool]) -> list[Task | Block]:
    found: list[Task | Block] = []
    for item in items:
        if isinstance(item, Block):
            block = _selected_block(item, wanted)
            if block is not None:
                found.append(block)
        elif is_flush(item) or (not item.implicit and wanted(item)):
            found.append(item)
    return found


def walk(items: Iterable[Task | Block]) -> Iterator[Task]:
    """Give every task in the order written: tasks, then rescue, then always of each block."""
    for item in items:
        if isinstance(item, Block):
            yield from walk(item.tasks)
            yield from walk(item.rescue)
            yield from walk(item.always)
        else:
            yield item


def is_flush(task: Task) -> bool:
    """Tell whether `task` is a flush point that the compiler put in."""
    return task.implicit and task.kind is TaskKind.META and task.args.get("_raw_params") == "flush_handlers"


def force_handlers(blocks: Sequence[Block]) -> list[Block]:
    """Give the play in which the handlers owed run at the end of each section even if it failed.

    What stands before an implicit flush point becomes the tasks of a block whose `always` is the flush.
    """
    found: list[Block] = []
    section: list[Task | Block] = []
    for block in blocks:
        if block.tasks and all(isinstance(task, Task) and is_flush(task) for task in block.tasks):
            found.append(Block(tasks=section, always=[block]))
            section = []
        else:
            section.append(block)
    return [*found, Block(tasks=section)] if section else found
