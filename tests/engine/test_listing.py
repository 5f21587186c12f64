"""The listings, line for line as ansible-playbook prints them."""

from __future__ import annotations

from typing import Any

from pyplay.diagnostics.model import Origin
from pyplay.engine.listing import as_text, list_plays
from pyplay.playbook.model import Block, Play, TaskKind
from pyplay.source.options import RunOptions


def test_one_play(stage: Any) -> None:
    b = stage.build
    for name in ("a", "b"):
        stage.inventory.add_host(name)
    role = b.role("web")
    tasks = [
        b.task("one", tags=("z", "y")),
        b.task(None, action="command"),
        b.block("two", rescue=["three"], always=["four"]),
        b.meta("flush_handlers"),
        b.task("in role", role=role),
        b.task(None, role=role),
        b.task("more of it", role=role, action="include_role", kind=TaskKind.INCLUDE_ROLE),
        b.task("a file", role=role, action="include_tasks", kind=TaskKind.INCLUDE_TASKS),
    ]
    flushes = tuple(b.meta("flush_handlers", implicit=True) for _ in range(3))
    play = Play(
        id=1,
        path="p",
        basedir="/",
        origin=Origin("p", 1),
        name="first",
        hosts=["a", "b"],
        tags=("z",),
        tasks=[Block(tasks=tasks)],
        flush_points=flushes,
    )
    (listed,) = list_plays([play], stage.inventory, stage.context().variables, RunOptions())
    assert as_text(listed, hosts=True, tasks=True, tags=True) == (
        "  play #1 (a,b): first\tTAGS: [z]\n"
        "    pattern: ['a', 'b']\n"
        "    hosts (2):\n"
        "      a\n"
        "      b\n"
        "    tasks:\n"
        "      one\tTAGS: [y, z]\n"
        "      command\tTAGS: []\n"
        "      two\tTAGS: []\n"
        "      meta\tTAGS: []\n"
        "      web : in role\tTAGS: []\n"
        "      debug\tTAGS: []\n"
        "      more of it\tTAGS: []\n"
        "      web : a file\tTAGS: []\n"
        "      TASK TAGS: [y, z]\n"
    )


def test_tags_choose_what_is_listed(stage: Any) -> None:
    flushes = tuple(stage.build.meta("flush_handlers", implicit=True) for _ in range(3))
    tasks = [stage.build.task("one", tags=("x",)), stage.build.task("two")]
    play = Play(
        id=1,
        path="p",
        basedir="/",
        origin=Origin("p", 1),
        hosts="localhost",
        tasks=[Block(tasks=tasks)],
        flush_points=flushes,
    )
    (listed,) = list_plays([play], stage.inventory, stage.context().variables, RunOptions(tags=("x",)))
    assert [task.name for task in listed.tasks] == ["one"]
    assert listed.name == "localhost"
