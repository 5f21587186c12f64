"""A bench for running single tasks in this process: real templates, real modules over the local connection."""

from __future__ import annotations

import asyncio
import pickle
from collections import ChainMap
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from pyplay.connection.open import Connector
from pyplay.diagnostics.model import Origin
from pyplay.inventory.trust import trusted
from pyplay.playbook.builtin import resolve_action
from pyplay.playbook.model import LoopControl, Play, Task, TaskKind
from pyplay.shipping.build import ModuleBuilder
from pyplay.shipping.search import ModuleSearch
from pyplay.source.options import RunOptions
from pyplay.source.reads import set_by
from pyplay.source.settings import load_settings
from pyplay.source.text import Trusted
from pyplay.source.yaml import load_text
from pyplay.templating.environment import TemplateEnvironment
from pyplay.templating.filters.registry import FILTERS
from pyplay.templating.lookups.registry import LOOKUPS
from pyplay.templating.scope import MapScope
from pyplay.templating.templar import Templar
from pyplay.templating.tests.registry import TESTS
from pyplay.workers.ahead import refuse_outside
from pyplay.workers.connections import Connections
from pyplay.workers.context import TaskContext
from pyplay.workers.evaluate import Evaluator, GuardedLookups
from pyplay.workers.known import Known
from pyplay.workers.messages import ItemResult, TaskResult
from pyplay.workers.pool import WorkerPool
from pyplay.workers.reach import start_runner
from pyplay.workers.remote import TaskRemote
from pyplay.workers.setup import WorkerSetup
from pyplay.workers.task_run import TaskRun
from pyplay.workers.terminal import ControllerTerminal
from pyplay.workers.worker import run_worker
from pyplay.workers.zygote import Zygote

_LISTS = ("when", "until", "changed_when", "failed_when", "notify")
_RENAMED = {"async": "async_seconds"}


@dataclass
class Means:
    """What `TaskRemote` goes with."""

    connections: Connections
    builder: ModuleBuilder


class NoTerminal:
    """A Prompter without a person; keeps what was shown."""

    interactive = False

    def __init__(self) -> None:
        self.shown: list[str] = []

    async def pause(self, text: str, *, echo: bool, seconds: float | None) -> str | None:
        self.shown.append(text)
        return None

    async def show(self, text: str) -> None:
        self.shown.append(text)


class WrittenScope(MapScope):
    """Variables of which users wrote those of pyplay's own (`ansible_…`), as an inventory would hold them."""

    def get(self, name: str, /) -> Any:
        value = super().get(name)
        return trusted(value, None) if (name.startswith("ansible_") or set_by(name)) and name not in FACTS else value


FACTS = frozenset({"ansible_facts", "ansible_pkg_mgr", "ansible_service_mgr"})


@dataclass
class Bench:
    """Runs tasks one after another; what they register or set is seen by those after them."""

    basedir: str
    variables: dict[str, Any] = field(default_factory=dict)
    hosts: dict[str, dict[str, Any]] = field(default_factory=dict)
    options: RunOptions = field(default_factory=RunOptions)
    emitted: list[Any] = field(default_factory=list)
    naps: list[float] = field(default_factory=list)
    prompter: Any = field(default_factory=NoTerminal)

    def __post_init__(self) -> None:
        settings = load_settings({"ANSIBLE_PYTHON_INTERPRETER": "/usr/bin/python3"}, self.basedir)
        self.settings = settings
        self.environment = TemplateEnvironment(settings, filters=FILTERS, tests=TESTS, lookups=GuardedLookups(LOOKUPS))
        self.environment.outside = refuse_outside
        self.builder = ModuleBuilder(ModuleSearch(settings, [self.basedir]))
        self.play = Play(id=1, path=f"{self.basedir}/site.yml", basedir=self.basedir, origin=Origin("site.yml", 1, 1))
        self.base: dict[str, Any] = {"ansible_connection": "local", "inventory_hostname": "h1"}

    def templar(self, host: str, play: Play, task: Task | None) -> Templar:
        own = self.hosts.setdefault(host, {})
        values = ChainMap(dict(task.vars if task else {}), own, self.variables, self.base)  # live, as the real ones are
        return Templar(self.environment, WrittenScope(values), search_path=(self.basedir,), basedir=self.basedir)

    def run(self, text: str, host: str = "h1", **options: Any) -> TaskResult:
        """Run the task that `text` spells in YAML."""
        return asyncio.run(self._run([make_task(text)], host))[0]

    def run_all(self, text: str, host: str = "h1") -> list[TaskResult]:
        """Run the tasks that `text` spells, a YAML list."""
        return asyncio.run(self._run([task_of(entry) for entry in load_text(text, "site.yml")], host))

    async def run_task(self, task: Task, host: str = "h1") -> TaskResult:
        """Run a task made by hand."""
        return (await self._run([task], host))[0]

    async def _run(self, tasks: list[Task], host: str) -> list[TaskResult]:
        async def sleep(seconds: float) -> None:
            self.naps.append(seconds)
            await asyncio.sleep(0)

        connections = Connections(Connector(), start_runner)
        means = Means(connections, self.builder)
        context = TaskContext(
            options=self.options, settings=self.settings, variables=self, vault=None, plays={1: self.play}, evaluator=Evaluator(),
            remote=lambda request: TaskRemote(request, context, means),
            emit=self.emitted.append, prompter=self.prompter, sleep=sleep,
        )  # fmt: skip
        results = []
        try:
            for task in tasks:
                found = await TaskRun(context, task, host).run()
                results.append(found)
                self._keep(found)
        finally:
            await connections.close()
        return results

    def _keep(self, found: TaskResult) -> None:
        if found.register:
            self.variables[found.register] = {k: v for k, v in found.result.items() if not k.startswith("_ansible_")}
        for hosts in found.store.values():
            for host, values in hosts.items():
                self.hosts.setdefault(host, {}).update(values)

    @property
    def items(self) -> list[ItemResult]:
        """The results of loop items and attempts so far."""
        return [message for message in self.emitted if isinstance(message, ItemResult)]


def make_task(text: str) -> Task:
    """Give the task that `text` spells in YAML."""
    return task_of(load_text(text, "site.yml"))


def task_of(entry: dict[str, Any]) -> Task:
    """Give the task of a parsed entry: its first key that is no keyword is the action."""
    fields = set(Task.__dataclass_fields__)
    given: dict[str, Any] = {}
    action, args = "", {}
    for key, value in entry.items():
        name = _RENAMED.get(key, key)
        if key.startswith("with_"):
            given["loop"], given["loop_with"] = value, key[5:]
        elif name == "loop_control":
            given[name] = LoopControl(**{**value, "break_when": _many(value.get("break_when", ()))})
        elif name == "args":
            args.update({"_variable_params": value} if isinstance(value, str) else value)
        elif name == "environment" or name == "module_defaults":
            given[name] = (value,)
        elif name == "kind":
            given[name] = TaskKind(value)
        elif name in fields:
            given[name] = _many(value) if name in _LISTS else value
        else:
            action = key
            args.update(value if isinstance(value, dict) else {} if value is None else {"_raw_params": value})
    return Task(
        id=7,
        play_id=1,
        action=action,
        resolved_action=resolve_action(action),
        origin=Origin("site.yml", 3, 5),
        args=args,
        **given,
    )


def _many(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (list, tuple)) else (value,)


class PickleCodec:
    """Values to bytes by pickle alone."""

    encode = staticmethod(pickle.dumps)
    decode = staticmethod(pickle.loads)

    def learn(self, things: Any) -> None:
        """Everything travels in full."""


def setup_of(bench: Bench, tasks: dict[int, Task], **more: Any) -> WorkerSetup:
    """Give what workers inherit, made of a bench."""
    return WorkerSetup(
        options=bench.options, settings=bench.settings, variables=bench, environment=bench.environment,
        known=Known(tasks, {1: bench.play}, PickleCodec()), search=bench.builder.search, log=None, **more,
    )  # fmt: skip


def started(setup: WorkerSetup, *, size: int = 2, terminal: Any = None) -> WorkerPool:
    """Give a pool whose workers have `setup`, inherited."""
    terminal = terminal or ControllerTerminal()
    setup.interactive = terminal.interactive
    zygote = Zygote(lambda: None, lambda _: partial(run_worker, setup=setup))
    zygote.settle([])
    pool = WorkerPool(setup.known, setup.environment.secrets, size=size, terminal=terminal, progress=setup.progress)
    pool.start(zygote)
    return pool


__all__ = ["Bench", "Means", "NoTerminal", "PickleCodec", "Trusted", "make_task", "setup_of", "started", "task_of"]
