"""Scripted hosts for the engine's tests: plays built in Python, results given by a function, events kept."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import pytest

from pyplay.diagnostics.errors import UndefinedError
from pyplay.diagnostics.model import Origin
from pyplay.engine.batch import Batch
from pyplay.engine.context import RunContext
from pyplay.engine.handlers import Handlers
from pyplay.engine.record import Recorder
from pyplay.engine.selection import select
from pyplay.engine.stepper import Stepper
from pyplay.engine.strategy.registry import STRATEGIES
from pyplay.inventory.model import Inventory
from pyplay.playbook.model import Block, Play, Role, Task, TaskKind
from pyplay.report.events import Reporter
from pyplay.source.options import RunOptions
from pyplay.source.settings import Settings
from pyplay.source.text import Trusted
from pyplay.workers.messages import IncludeCall, ItemResult, Round, TaskResult

if TYPE_CHECKING:
    from pyplay.report.events import PlayStart, TaskStart

Script = Callable[[str, Task], Any]


class PlayBuilder:
    """Makes tasks and blocks with ids of their own."""

    def __init__(self) -> None:
        self.ids = itertools.count(1)
        self.tasks: dict[int, Task] = {}

    def new_id(self) -> int:
        return next(self.ids)

    def task(self, name: str | None, **keywords: Any) -> Task:
        number = self.new_id()
        keywords.setdefault("action", "debug")
        keywords.setdefault("resolved_action", f"ansible.builtin.{keywords['action']}")
        keywords.setdefault("origin", Origin("site.yml", number))
        task = Task(id=number, play_id=1, name=name, **keywords)
        self.tasks[number] = task
        return task

    def meta(self, what: str, *, implicit: bool = False, when: Sequence[str] = (), role: Role | None = None) -> Task:
        return self.task(
            None,
            action="meta",
            kind=TaskKind.META,
            args={"_raw_params": what},
            implicit=implicit,
            when=tuple(map(Trusted, when)),
            role=role,
        )

    def handler(self, name: str | None, **keywords: Any) -> Task:
        return self.task(name, kind=keywords.pop("kind", TaskKind.HANDLER), **keywords)

    def include(self, name: str = "include", **keywords: Any) -> Task:
        return self.task(name, action="include_tasks", kind=TaskKind.INCLUDE_TASKS, **keywords)

    def items(self, entries: Iterable[Any], **keywords: Any) -> list[Task | Block]:
        """Texts become tasks; tasks and blocks stay."""
        return [self.task(entry, **keywords) if isinstance(entry, str) else entry for entry in entries]

    def block(self, *tasks: Any, rescue: Iterable[Any] = (), always: Iterable[Any] = (), **keywords: Any) -> Block:
        return Block(tasks=self.items(tasks), rescue=self.items(rescue), always=self.items(always), **keywords)

    def role(self, name: str, *, identity: Any = None, allow_duplicates: bool = False) -> Role:
        return Role(
            id=self.new_id(),
            name=name,
            fqcn=name,
            path=f"/roles/{name}",
            identity=identity or name,
            allow_duplicates=allow_duplicates,
        )

    def use(self, role: Role, *names: str) -> Block:
        return Block(tasks=[self.task(name, role=role) for name in names], role=role, ends_role=True)


@dataclass
class ScriptedPool:
    """Answers rounds from a script; keeps who was in flight. The newest dispatch answers last."""

    script: Script
    tasks: dict[int, Task]
    order: list[tuple[str, str]] = field(default_factory=list)  # (task, host) as dispatched
    rounds: list[Round] = field(default_factory=list)
    peak: int = 0
    released: list[str] = field(default_factory=list)
    reset: list[str] = field(default_factory=list)
    closed: bool = False
    cancelled: bool = False
    waiting: list[tuple[str, Task]] = field(default_factory=list)
    one_by_one: bool = False

    def define(self, tasks: Sequence[Task]) -> None:
        self.tasks.update({task.id: task for task in tasks})

    def dispatch(self, work: Round) -> None:
        task = self.tasks[work.task_id]
        self.rounds.append(work)
        for host in work.hosts:
            self.order.append((task.name or task.action, host))
            self.waiting.append((host, task))
        self.peak = max(self.peak, len(self.waiting))

    def foretells(self, host: str, task_id: int) -> bool:
        return False

    @property
    def has_answers(self) -> bool:
        return False

    def receive(self, timeout: float | None = None) -> list[Any]:
        taken, self.waiting = (self.waiting[:1], self.waiting[1:]) if self.one_by_one else (self.waiting, [])
        return [event for host, task in taken for event in self._events(host, task)]

    def _events(self, host: str, task: Task) -> list[Any]:
        answer = self.script(host, task)
        if isinstance(answer, BaseException):
            raise answer
        if isinstance(answer, list):
            return answer
        return [answer if isinstance(answer, (TaskResult, ItemResult)) else made_result(host, task, answer)]

    def release(self, hosts: Iterable[str]) -> None:
        self.released.extend(hosts)

    def reset_connection(self, host: str) -> None:
        self.reset.append(host)

    def cancel(self) -> None:
        self.cancelled = True

    def close(self) -> None:
        self.closed = True


def made_result(host: str, task: Task, answer: Any) -> TaskResult:
    """Make a result of a word (ok, changed, failed, unreachable, skipped, ignored) or of TaskResult's fields."""
    fields = dict(answer) if isinstance(answer, dict) else {}
    word = answer if isinstance(answer, str) else fields.pop("word", "ok")
    flags: dict[str, Any] = {
        "changed": {"changed": True},
        "failed": {"failed": True},
        "unreachable": {"unreachable": True},
        "skipped": {"skipped": True},
        "ignored": {"failed": True, "ignored": True},
        "ok": {},
    }[word or "ok"]
    fields.setdefault("any_errors_fatal", task.any_errors_fatal is True)
    notify = tuple(task.notify) if flags.get("changed") else ()
    fields.setdefault("notify", notify)
    fields.setdefault("register", task.register)
    result = {key: True for key, value in flags.items() if value and key != "ignored"}
    return TaskResult(
        host=host, task_id=task.id, result=fields.pop("result", result), name=task.name or "", **flags, **fields
    )


@dataclass
class KeptEvents(Reporter):
    """A reporter that keeps what it is told; `shown` is how much of it is shown by now."""

    events: list[tuple[Any, ...]] = field(default_factory=list)
    shown: int = 0

    def caught_up(self) -> None:
        self.shown = len(self.events)

    def run_started(self, playbooks: Sequence[str]) -> None:
        self.events.append(("run",))

    def play_started(self, play: PlayStart) -> None:
        self.events.append(("play", play.name, play.hosts))

    def no_hosts_matched(self) -> None:
        self.events.append(("no hosts matched",))

    def no_hosts_remaining(self) -> None:
        self.events.append(("no hosts remaining",))

    def task_started(self, task: TaskStart) -> None:
        self.events.append(("handler" if task.handler else "task", task.name))

    def host_started(self, host: str) -> None:
        self.events.append(("started", host))

    def item_ended(self, item: ItemResult, *, action: str) -> None:
        self.events.append(("item", item.host))

    def host_ended(self, result: TaskResult, *, action: str) -> None:
        word = next((w for w in ("unreachable", "failed", "skipped", "changed") if getattr(result, w)), "ok")
        self.events.append((word, result.host))

    def included(self, path: str, hosts: Sequence[str], label: Any) -> None:
        self.events.append(("included", path, tuple(hosts), label))

    def meta_acted(self, action: str, hosts: Sequence[str]) -> None:
        self.events.append(("meta", action, tuple(hosts)))

    def warn(self, diagnostic: Any) -> None:
        self.events.append(("warning", diagnostic.code))

    def run_ended(self, stats: Any, custom: Any) -> None:
        self.events.append(("recap", stats, custom))


class PlainTemplar:
    """Knows `inventory_hostname` alone."""

    def __init__(self, host: str | None) -> None:
        self.host = host

    def resolve(self, value: Any) -> Any:
        if isinstance(value, str):
            if "undefined" in value:
                raise UndefinedError.of("undefined", "'undefined' is undefined")
            if value.startswith("{{") and value.endswith("}}") and value.count("{{") == 1:
                return eval(value[2:-2], {"inventory_hostname": self.host})
            return value.replace("{{ inventory_hostname }}", str(self.host))
        if isinstance(value, (list, tuple)):
            return [self.resolve(part) for part in value]
        return value

    def evaluate(self, expression: str) -> Any:
        try:
            return eval(expression, {"inventory_hostname": self.host})
        except NameError as error:
            raise UndefinedError.of("undefined", str(error)) from error

    def condition(self, value: Any) -> bool:
        if "undefined" in str(value):
            raise UndefinedError.of("undefined", "'undefined' is undefined")
        return bool(self.evaluate(str(value)))

    def with_vars(self, extra: Any) -> PlainTemplar:
        return self


class PlainVariables:
    def templar(self, host: str | None, play: Play, task: Task | None = None) -> PlainTemplar:
        return PlainTemplar(host)


@dataclass
class KeptDeltas:
    """Store and log in one: keeps every change."""

    deltas: list[tuple[str, str, Any]] = field(default_factory=list)
    known_facts: dict[str, dict[str, Any]] = field(default_factory=dict)

    def apply(self, delta: Any) -> None:
        self.deltas.append((delta.host, delta.layer, delta.values))

    def append(self, delta: Any) -> int:
        return len(self.deltas)

    def facts(self, host: str) -> dict[str, Any]:
        return self.known_facts.get(host, {})


@dataclass
class ScriptedTerminal:
    answers: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)
    interactive: bool = True

    def show(self, text: str) -> None:
        self.shown.append(text)

    def ask(self, text: str, *, echo: bool) -> str | None:
        self.shown.append(text)
        return self.answers.pop(0) if self.answers else None


@dataclass
class ScriptedLoader:
    """Gives the blocks that a test keeps for a file, made anew for each include."""

    build: PlayBuilder
    files: dict[str, Callable[[], list[Block]]] = field(default_factory=dict)
    roles_by_name: dict[str, Callable[[], tuple[Role, list[Block]]]] = field(default_factory=dict)
    loads: list[str] = field(default_factory=list)
    params: list[Any] = field(default_factory=list)
    values: dict[str, Any] = field(default_factory=dict)

    def read_file(self, path: str) -> Any:
        self.loads.append(path)
        return self.values[path.rpartition("/")[2]]

    @property
    def tasks(self) -> dict[int, Task]:
        return self.build.tasks

    def make_task(self, play: Play, action: str, args: Any, **fields: Any) -> Task:
        return self.build.task(fields.pop("name", None), action=action, resolved_action=action, args=args, **fields)

    def searched_tasks(self, path: str, parent: Task, *, handler: bool = False) -> list[str]:
        del parent, handler
        return [f"/play/{path}"]

    def find_tasks(self, path: str, parent: Task, *, handler: bool = False) -> str | None:
        return f"/play/{path}" if path in self.files else None

    def load_tasks(
        self, path: str, parent: Task, *, handler: bool = False, params: Any = None, apply: Any = None
    ) -> list[Block]:
        self.loads.append(path)
        self.params.append(params)
        return self.files[path]()

    def load_role(
        self, name: str, parent: Task, *, handler: bool = False, params: Any = None, apply: Any = None, **options: Any
    ) -> tuple[Role, list[Block]]:
        self.loads.append(name)
        return self.roles_by_name[name]()


@dataclass
class Stage:
    """Everything a test of the engine needs around one batch."""

    tmp: Any
    build: PlayBuilder = field(default_factory=PlayBuilder)
    kept: KeptEvents = field(default_factory=KeptEvents)
    deltas: KeptDeltas = field(default_factory=KeptDeltas)
    terminal: ScriptedTerminal = field(default_factory=ScriptedTerminal)
    options: RunOptions = field(default_factory=RunOptions)
    settings: Settings = field(default_factory=Settings)
    inventory: Inventory = field(default_factory=Inventory)

    def __post_init__(self) -> None:
        self.loader = ScriptedLoader(self.build)
        self.pool = ScriptedPool(lambda host, task: "ok", self.build.tasks)
        self.play = Play(
            id=1, path=f"{self.tmp}/site.yml", basedir=str(self.tmp), origin=Origin("site.yml", 1), hosts="all"
        )

    def context(self, script: Script | None = None) -> RunContext:
        if script is not None:
            self.pool.script = script
        return RunContext(
            options=self.options,
            settings=self.settings,
            inventory=self.inventory,
            variables=PlainVariables(),  # type: ignore[arg-type]
            loader=self.loader,
            pool=self.pool,
            recorder=Recorder(self.deltas, self.deltas),  # type: ignore[arg-type]
            reporter=self.kept,
            terminal=self.terminal,
            stepper=Stepper(self.terminal, active=self.options.step),
            reload_inventory=lambda: self.inventory,
            encrypt=lambda text, how: f"hash of {text}",
            read_file=self.loader.read_file,
            playbook_ended=lambda playbook, hosts: None,
        )

    def run(
        self,
        blocks: Sequence[Any],
        hosts: str = "a b c",
        script: Script | None = None,
        *,
        strategy: str = "linear",
        handlers: Sequence[Task] = (),
        handler_blocks: Sequence[Block] | None = None,
        **play: Any,
    ) -> Batch:
        """Walk one batch to its end."""
        self.play = replace(self.play, **play)
        context = self.context(script)
        found = Handlers(
            handler_blocks if handler_blocks is not None else [Block(tasks=list(handlers))],
            lambda raw, task: PlainTemplar(None).resolve(raw),
        )
        probe = Batch(context, self.play, (), (), found)
        wrapped = [block if isinstance(block, Block) else Block(tasks=self.build.items([block])) for block in blocks]
        batch = Batch(context, self.play, hosts.split(), select(wrapped, probe.wanted), found)
        STRATEGIES[strategy](batch).run()
        self.batch = batch
        return batch

    def write(self, name: str, blocks: Callable[[], list[Block]]) -> None:
        """Let the file `name` beside the playbook hold `blocks`."""
        self.loader.files[name] = blocks

    @property
    def trace(self) -> list[str]:
        """Give what was run, a word per round: `task:hosts`."""
        found: list[str] = []
        for work in self.pool.rounds:
            task = self.pool.tasks[work.task_id]
            found.append(f"{task.name or task.action}:{''.join(work.hosts)}")
        return found

    def figures(self, host: str) -> str:
        """Give the figures of a host that are not zero, as the recap writes them."""
        stats = self.batch.context.stats.frozen().get(host)
        names = ("ok", "changed", "unreachable", "failed", "skipped", "rescued", "ignored")
        return " ".join(f"{n}={getattr(stats, n)}" for n in names if getattr(stats, n)) if stats else ""


@pytest.fixture
def stage(tmp_path: Any) -> Stage:
    """Give an empty stage."""
    return Stage(tmp_path)


@pytest.fixture
def build() -> PlayBuilder:
    """Give a builder of plays."""
    return PlayBuilder()


@pytest.fixture
def include_call() -> Callable[..., IncludeCall]:
    """Give a function that makes the call of an include of a file."""
    return lambda name, **item_vars: IncludeCall(args={"_raw_params": name}, item_vars=item_vars)
