"""Running one play: its hosts, its blocks, its batches one after another."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.dataclass import dataclass, replace
from pyplay.diagnostics.errors import AuthorError, TemplateError
from pyplay.diagnostics.late_modules import late_modules
from pyplay.engine import gather
from pyplay.engine.batch import Batch
from pyplay.engine.batches import batches, ordered
from pyplay.engine.handlers import Handlers
from pyplay.engine.render import Renderer, flattened
from pyplay.engine.roll import without
from pyplay.engine.selection import force_handlers, select
from pyplay.engine.strategy.registry import find_strategy
from pyplay.engine.vars_files import VarsFiles
from pyplay.inventory.patterns import select_names
from pyplay.playbook.compile import compile_handlers, compile_play
from pyplay.playbook.model import Block
from pyplay.report.events import PlayStart
from pyplay.source.text import origin_of
from pyplay.templating.omit import OMIT
from pyplay.templating.syntax import is_template

with late_modules("pyplay.engine.argspec", "pyplay.engine.prompts"):
    from pyplay.engine import argspec, prompts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyplay.engine.context import RunContext
    from pyplay.playbook.model import Play, Task


@dataclass(slots=True)
class StartAt:
    """--start-at-task: what is still to be found. Tasks before it are passed over; fact gathering is not."""

    pattern: str | None = None

    def found_in(self, batch: Batch) -> bool:
        """Put the hosts of `batch` before the task, if it is there."""
        pattern = self.pattern
        if pattern is None:
            return True

        from fnmatch import fnmatch  # noqa: PLC0415  # only where the run is to start at a task

        def wanted(task: Task) -> bool:
            names = (task.name or "", task.label)
            return any(name == pattern or fnmatch(name, pattern) for name in names)

        return batch.iterator.start_at(wanted)


_DEFAULTED = ("name", "gather_facts", "max_fail_percentage", "strategy", "order", "force_handlers")


def _without_omitted(play: Play, renderer: Renderer) -> Play:
    """Return `play` without those keywords of its own that render to `omit`: the defaults hold."""
    templates = [name for name in _DEFAULTED if isinstance(raw := getattr(play, name), str) and is_template(raw)]
    omitted: dict[str, Any] = {name: None for name in templates if _is_omitted(getattr(play, name), renderer)}
    serial = tuple(raw for raw in play.serial if not _is_omitted(raw, renderer))
    if len(serial) != len(play.serial):
        omitted["serial"] = serial
    return replace(play, **omitted) if omitted else play


def _is_omitted(raw: Any, renderer: Renderer) -> bool:
    try:
        return renderer.value(raw) is OMIT
    except AuthorError:
        return False


@dataclass(slots=True)
class PlayRun:
    """One play of a run. `run` gives whether the run goes on with the next play."""

    context: RunContext
    play: Play
    start_at: StartAt = field(default_factory=StartAt)

    def run(self) -> bool:
        """Run the play in its batches; False if no host is left that could go on. What is at fault has a place."""
        try:
            return self._run()
        except AuthorError as error:
            raise error.placed(self.play.origin) from error

    def _run(self) -> bool:
        context = self.context
        self.play = play = _without_omitted(self.play, Renderer(context.variables, self.play))
        renderer = Renderer(context.variables, play)
        context.recorder.write("", "play_start", {})
        self._prompt(renderer)
        matched = self.hosts(renderer)
        begun = PlayStart(
            name=renderer.play_name(),
            path=play.origin.shown,
            check_mode=self._shown_check_mode(renderer),
        )
        if not matched:
            context.reporter.play_started(begun)
            context.reporter.no_hosts_matched()
            return True
        hosts = without(matched, context.roll.out)
        if not hosts:
            context.reporter.play_started(begun)
            return True
        files = VarsFiles(context, play, renderer)
        files.read(hosts)
        forced = self._forces_handlers(renderer)
        blocks, handlers = self._compiled(forced=forced)
        context.recorder.write("", "play", {"ansible_play_hosts_all": list(matched)})
        serial = [part for raw in play.serial for part in flattened(renderer.keyword(raw, "serial"))]
        renderer.number(play.max_fail_percentage, "max_fail_percentage")  # a wrong one ends the run before its tasks
        check = None
        if play.validate_argspec is not None:
            check = argspec.argspec_task(play, renderer, context.loader, context.read_file)
        for chosen in batches(hosts, serial, play.origin):
            context.reporter.play_started(replace(begun, hosts=tuple(chosen)))
            context.roll.ended.clear()
            batch = Batch(context, play, chosen, blocks, self._handlers(renderer, handlers))
            batch.play_hosts, batch.vars_files, batch.forces_handlers = tuple(hosts), files, forced
            if not self._run_batch(batch, renderer, check):
                return False
            if batch.ended:
                break
        return True

    def _run_batch(self, batch: Batch, renderer: Renderer, check: Task | None) -> bool:
        """Walk one batch; False if every host of it is out by the end, unless a task ended the play."""
        if self.start_at.found_in(batch):
            self.start_at.pattern = None
            if check is not None:
                self._put_first(batch, check, batch.hosts)
            self._gather_first(batch, renderer)
            self._strategy(renderer)(batch).run()
        return not batch.broken and (batch.ended or bool(without(batch.hosts, self.context.roll.out)))

    def hosts(self, renderer: Renderer, *, warn_of_unknown: bool = True) -> list[str]:
        """Give the names of the hosts that the play's pattern matches, in the play's order. Raises InventoryError."""
        pattern = renderer.keyword(self.play.hosts, "hosts")
        text = ",".join(map(str, flattened(pattern)))
        context = self.context
        warn = context.reporter.warn if warn_of_unknown else None
        found = select_names(context.inventory, text, limit=context.options.limit, on_warning=warn)
        order = renderer.keyword(self.play.order, "order")
        return ordered(found, order)

    def _prompt(self, renderer: Renderer) -> None:
        """Ask for the variables of vars_prompt that the command line does not give."""
        values: dict[str, Any] = {}
        for prompt in self.play.vars_prompt:
            name = str(prompt["name"])
            if name not in self.context.options.extra_vars:
                values[name] = prompts.ask(prompt, self.context.terminal, renderer, self.context.encrypt)
        if values:
            self.context.recorder.write("", "prompts", values)

    def _shown_check_mode(self, renderer: Renderer) -> bool:
        """Whether the play begins in check mode, as far as that can be told without a host."""
        mode, asked = self.play.keywords.get("check_mode"), self.context.options.check
        try:
            return asked if mode is None or renderer.value(mode) is OMIT else renderer.flag(mode, "check_mode")
        except TemplateError:
            return asked

    def _forces_handlers(self, renderer: Renderer) -> bool:
        """Whether hosts that failed still run the handlers that they owe."""
        if self.play.force_handlers is not None:
            return renderer.flag(self.play.force_handlers, "force_handlers")
        return self.context.options.force_handlers or self.context.settings.force_handlers

    def _compiled(self, *, forced: bool) -> tuple[list[Block], list[Block]]:
        """Return the play's blocks as far as tags select them, and its blocks of handlers."""
        context, play = self.context, self.play
        compiled = compile_play(play)
        if forced:
            compiled = force_handlers(compiled)
        probe = Batch(context, play, (), (), Handlers((), lambda raw, _task: raw))
        return select(compiled, probe.wanted), compile_handlers(play)

    def _handlers(self, renderer: Renderer, blocks: Sequence[Block]) -> Handlers:
        return Handlers(blocks, lambda raw, task: renderer.value(raw, None, task), self.context.reporter.warn)

    def _gather_first(self, batch: Batch, renderer: Renderer) -> None:
        """Let hosts gather facts before anything else, where the play and the settings say so."""
        context, gathering = self.context, self.context.settings.gathering
        if not gather.wants_facts(self.play, gathering, lambda raw: renderer.flag(raw, "gather_facts")):
            return
        hosts = [h for h in batch.hosts if gathering != "smart" or not gather.known(context.recorder.facts(h))]
        task = gather.gather_task(self.play, context.settings, context.loader)
        if hosts:
            self._put_first(batch, task, hosts)

    def _put_first(self, batch: Batch, task: Task, hosts: Sequence[str]) -> None:
        """Let `hosts` run the implicit `task` before all else, if tags select it."""
        if batch.wanted(task):
            self.context.pool.define([task])
            batch.iterator.insert(Block(tasks=[task]), dict.fromkeys(hosts, (0,)))

    def _strategy(self, renderer: Renderer) -> Any:
        raw = self.play.strategy if self.play.strategy is not None else self.context.settings.strategy
        return find_strategy(
            str(renderer.keyword(raw, "strategy")), origin_of(raw) or self.play.origin, self.context.reporter.warn
        )
