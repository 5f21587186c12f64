"""Running one task on one host: its loop, and from the items' outcomes the one result the controller acts on."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from pyplay.actions.base import ASKS
from pyplay.diagnostics.dataclass import dataclass
from pyplay.diagnostics.errors import AuthorError
from pyplay.templating.syntax import is_template
from pyplay.workers import outcome
from pyplay.workers.ahead import Lane, NotAhead, is_ahead, watching
from pyplay.workers.ahead_rules import WINDOW, may_go_ahead
from pyplay.workers.evaluate import BlockingLookup
from pyplay.workers.item_run import ItemOutcome, ItemRun, Session, joined
from pyplay.workers.keywords import first_false, flag, lenient_flag
from pyplay.workers.loops import Loop, evaluate_loop, has_loop
from pyplay.workers.messages import ItemResult, TaskResult
from pyplay.workers.projections import TASK, project, projections, reads_own_result
from pyplay.workers.values import add_notices, author_failure, explain, number

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator

    from pyplay.playbook.model import Task
    from pyplay.templating.templar import Templar
    from pyplay.workers.ahead import CallTurn, ItemTurn, ItemTurns, TaskCallTurn
    from pyplay.workers.context import TaskContext

_LOOP_SAYS = frozenset({"msg", "rc"})
"""Words of a result that a loop's variable of that name takes the place of. Source: seen with ansible-core 2.21."""

MANY = 2
"""Loops of more items than this are worth the trouble of sending ahead."""


@dataclass(slots=True)
class _Flying:
    """An item that was begun before its turn."""

    item_vars: dict[str, Any]
    running: asyncio.Task[ItemOutcome]
    turn: ItemTurn
    session: Session
    noticed: int = 0  # how much of what was noticed before it goes with it: what there is to say of the loop

    @property
    def refused(self) -> bool:
        """Whether the item has to wait until those before it are through."""
        return self.running.done() and not self.running.cancelled() and isinstance(self.running.exception(), NotAhead)


class TaskRun:
    """One task on one host. `run` sends ItemResults as items end and gives the TaskResult.

    `turn` is its place in a stretch of tasks (`stretch.py`).
    """

    def __init__(self, context: TaskContext, task: Task, host: str, turn: TaskCallTurn | None = None) -> None:
        self._context, self._task, self._host = context, task, host
        self._play = context.plays[task.play_id]
        base = context.variables.templar(host, self._play, task)
        self._base, self._turn = base if turn is None else turn.watched(base), turn
        self._session = Session()
        self._templates = projections(task)
        if self._templates or reads_own_result(task):
            self._session.overlay.update({TASK: {}, **self._templates})
        self._outcomes: list[ItemOutcome] = []
        self._register: str | None = None
        self._private: bool | None = None  # no_log, where it and `when` have been looked at beforehand

    def skipped(self) -> TaskResult | None:
        """Give the result of a task without loop that its `when` skips; None where it runs, or `run` must see.

        Nothing is awaited, and nothing made that only a task needs which runs: most of what a skipped task would cost.
        """
        task = self._task
        if (
            self._private is not None
            or self._session.overlay
            or not task.when
            or "no_log" in task.outer
            or not _is_plain(task)
        ):
            return None
        try:
            private = flag(self._base, task.no_log, "no_log", self._context.settings.no_log)
            refused = first_false(self._base, task.when, "when")
        except (AuthorError, BlockingLookup):
            return None
        if refused is None:
            self._private = private
            return None
        result = outcome.skipped(refused.condition)
        shown = TaskResult(
            host=self._host,
            task_id=task.id,
            result=result,
            skipped=True,
            private=private,
            name=self._shown_name(),
            register=None if task.register is None else str(task.register),
            any_errors_fatal=bool(task.any_errors_fatal),
            debugger=task.debugger,
            action=task.resolved_action,
        )
        add_notices(result, self._base.take_notices())
        return shown

    async def run(self) -> TaskResult:
        """Run the task to its end. What goes wrong is in the result; only cancellation is raised."""
        found = self.skipped()
        if found is not None:
            return found
        try:
            self._register = self._rendered_name(self._task.register)
            result, label = await self._run()
        except AuthorError as error:
            result, label = author_failure(error), None
        return await self._finish(result, label)

    async def _run(self) -> tuple[dict[str, Any], Any]:
        if not has_loop(self._task):
            found = await self._item({}, self._turn)
            self._outcomes.append(found)
            return found.result, None
        loop = await self._loop()
        if loop is None:
            return self._outcomes[0].result, None
        return await self._items(loop), None

    async def _loop(self) -> Loop | None:
        """Give the loop; None if it cannot be evaluated and the task is skipped whatever its items are."""
        evaluate = self._context.evaluator.run
        try:
            return await evaluate(evaluate_loop, self._task, self._base)
        except AuthorError:
            refused = await self._refused()
            if refused is None:
                raise
            self._outcomes.append(ItemOutcome(refused))
            return None

    async def _refused(self) -> dict[str, Any] | None:
        """Give the result of a task that its `when` skips without looking at an item, else None."""
        try:
            refused = await self._context.evaluator.run(first_false, self._base, self._task.when, "when")
        except AuthorError:
            return None
        return None if refused is None else outcome.skipped(refused.condition)

    async def _items(self, loop: Loop) -> dict[str, Any]:
        if not loop.items:
            return outcome.empty_loop()
        results: list[dict[str, Any]] = []
        async with aclosing(self._each(loop)) as outcomes:
            async for item_vars, found in outcomes:
                await self._due()
                self._outcomes.append(found)
                found.result = _with_item(found.result, item_vars, loop)
                if loop.warnings and not results:  # the first item shows what there is to say of the loop
                    found.result["warnings"] = [*loop.warnings, *found.result.get("warnings", ())]
                label = await self._label(found, item_vars, item_vars[loop.loop_var])
                stop = await self._breaks(found, item_vars)
                results.append(found.result)
                if found.include is None:
                    self._emit(found, label)
                if stop:
                    break
        return outcome.combined(results)

    async def _each(self, loop: Loop) -> AsyncGenerator[tuple[dict[str, Any], ItemOutcome]]:
        """Run the items and give their outcomes, in their order."""
        waiting, turns = loop.variables(), self._turn
        if turns is None and len(loop.items) > MANY and may_go_ahead(self._task, self._context.settings):
            turns = Lane(next(self._context.lanes), self._task)
        if turns is not None:
            for item_vars in waiting if turns.opens else ():
                turn = turns.item_turn()
                yield item_vars, await self._item(item_vars, turn)
                if turn.was_sent:
                    break
            async with aclosing(self._ahead(waiting, turns)) as outcomes:
                async for pair in outcomes:
                    yield pair
        for index, item_vars in enumerate(waiting):
            if index:
                await self._pause()
            yield item_vars, await self._item(item_vars)

    async def _due(self) -> None:
        """Wait until the task's turn has come, where it is ahead of it."""
        if self._turn is not None:
            await self._turn.due()

    async def _ahead(
        self, waiting: Iterator[dict[str, Any]], turns: ItemTurns
    ) -> AsyncGenerator[tuple[dict[str, Any], ItemOutcome]]:
        """Run items that are sent before their turn, until one cannot be; leaves the rest in `waiting`."""
        flying: deque[_Flying] = deque()
        going = True
        try:
            while True:
                while going and len(flying) < WINDOW:
                    item_vars = next(waiting, None)
                    if item_vars is None:
                        going = False
                        turns.items_sent(whole=True)
                        break
                    flying.append(self._launch(turns.item_turn(), item_vars, first=not flying))
                    for one in flying:
                        await one.turn.moved()
                    if flying[-1].refused:
                        going = False
                        turns.items_sent(whole=False)
                if not flying:
                    return
                first = flying.popleft()
                try:
                    found = await first.running
                except NotAhead:
                    going = False
                    turns.items_sent(whole=False)
                    await self._due()
                    yield first.item_vars, await self._item(first.item_vars)
                    continue
                del self._base.notices[: first.noticed]
                self._session.overlay.update(first.session.overlay)
                self._session.store.merge(first.session.store.layers)
                if found.result.get("unreachable") and going:
                    going = False
                    turns.items_sent(whole=False)
                yield first.item_vars, found
        finally:
            for one in flying:
                one.running.cancel()
            await asyncio.gather(*(one.running for one in flying), return_exceptions=True)

    def _launch(self, turn: ItemTurn, item_vars: dict[str, Any], *, first: bool) -> _Flying:
        overlay = {name: value for name, value in self._session.overlay.items() if name != self._register}
        session = Session(overlay, lost=self._session.lost)
        base = watching(self._base, () if self._register is None else (self._register,))
        noticed = self._base.notices if first else []
        base.notices += noticed
        run = self._item_run(item_vars, base=base, session=session, turn=turn)

        async def fly() -> ItemOutcome:
            turn.begin()
            found = await run.run()
            ended_well = not found.result.get("failed") and not found.result.get("unreachable")
            if is_ahead() and not ended_well:
                raise NotAhead  # nothing was sent: what comes before may change that
            return found

        running = asyncio.get_running_loop().create_task(fly())
        running.add_done_callback(turn.ended)
        return _Flying(item_vars, running, turn, session, len(noticed))

    async def _item(self, item_vars: Mapping[str, Any], turn: CallTurn | None = None) -> ItemOutcome:
        return await self._item_run(item_vars, base=self._base, session=self._session, turn=turn).run()

    def _item_run(
        self, item_vars: Mapping[str, Any], *, base: Templar, session: Session, turn: CallTurn | None = None
    ) -> ItemRun:
        def on_retry(attempt: ItemOutcome) -> None:
            self._emit(attempt, item_vars.get(str(item_vars.get("ansible_loop_var"))), retry=True)

        return ItemRun(
            self._context,
            self._task,
            self._play,
            self._host,
            base=base,
            item_vars=item_vars,
            session=session,
            register=self._register,
            on_retry=on_retry,
            turn=turn,
            private=self._private,
        )

    def _emit(self, found: ItemOutcome, label: Any, *, retry: bool = False) -> None:
        self._context.emit(
            ItemResult(
                host=self._host,
                task_id=self._task.id,
                result=found.result,
                label=label,
                retry=retry,
                delegate=found.delegate,
                delegate_address=found.delegate_address,
                private=found.private,
                ignored=bool(found.result["failed"]) and not retry and found.ignore_errors,
                diff=found.diff,
                action=found.action,
            )
        )

    async def _pause(self) -> None:
        control = self._task.loop_control
        if control is None or not control.pause:
            return
        seconds = number(await self._context.evaluator.run(self._base.resolve, control.pause), "pause")
        if seconds > 0:
            await self._context.sleep(seconds)

    async def _label(self, found: ItemOutcome, item_vars: Mapping[str, Any], item: Any) -> Any:
        """Give what the reporter shows for the item: the rendered label, or None for the item itself."""
        control = self._task.loop_control
        if control is None or control.label is None:
            return None if found.result.get(item_vars["ansible_loop_var"]) is item else item
        try:
            return await self._context.evaluator.run(self._seeing(item_vars).resolve, control.label)
        except AuthorError as error:
            warning = f"the loop's label cannot be rendered: {explain(error)}"
            found.result["warnings"] = [*(found.result.get("warnings") or ()), warning]
            return item

    async def _breaks(self, found: ItemOutcome, item_vars: Mapping[str, Any]) -> bool:
        """Tell whether `break_when` ends the loop after this item."""
        control = self._task.loop_control
        if control is None or not control.break_when:
            return False
        try:
            refused = await self._context.evaluator.run(
                first_false, self._seeing(item_vars), control.break_when, "break_when"
            )
        except AuthorError as error:
            outcome.judge_wrongly(found.result, "break_when", explain(error))
            return True
        found.result["break_when_result"] = refused is None
        return refused is None

    def _seeing(self, item_vars: Mapping[str, Any]) -> Templar:
        return self._base.with_vars({**self._session.overlay, **item_vars})

    async def _finish(self, result: dict[str, Any], label: Any) -> TaskResult:
        task = self._task
        failed, unreachable = bool(result.get("failed")), bool(result.get("unreachable"))
        whole = self._outcomes[0] if len(self._outcomes) == 1 else joined(self._outcomes)
        finished = TaskResult(
            host=self._host,
            task_id=task.id,
            result=result,
            failed=failed,
            changed=bool(result.get("changed")),
            skipped=bool(result.get("skipped")),
            unreachable=unreachable,
            ignored=(failed or unreachable) and self._ignored(unreachable=unreachable),
            private=whole.private or self._private_anyway(),
            name=self._shown_name(),
            register=self._register,
            delegate=whole.delegate,
            delegate_address=whole.delegate_address,
            store={} if failed else self._session.store.layers,  # a task that failed sets nothing
            notify=tuple(dict.fromkeys(whole.notify)),
            includes=tuple([found.include for found in self._outcomes if found.include is not None]),
            any_errors_fatal=self._read(task.any_errors_fatal, "any_errors_fatal"),
            debugger=task.debugger,
            looped=has_loop(task),
            label=label,
            diff=whole.diff,
            action=self._action(),
        )
        if self._templates:
            await self._project(finished)
        self._add_requests(finished)
        add_notices(result, self._base.take_notices())
        return finished

    async def _project(self, finished: TaskResult) -> None:
        """Make the variables of `register`; one that cannot be made fails the task."""
        result = finished.result
        own = self._outcomes[-1].result if self._outcomes else result
        read: dict[str, Any] = {"result": outcome.public(own)}
        if finished.looped:
            read["loop_result"] = outcome.public(result)
        templar = self._base.with_vars({**self._session.overlay, TASK: read})
        finished.projected, faults = await self._context.evaluator.run(project, templar, self._templates)
        if faults:
            result.pop("skipped", None)
            result.update(failed=True, msg="; ".join(faults))
            finished.failed, finished.skipped, finished.ignored = True, False, self._ignored(unreachable=False)

    def _add_requests(self, finished: TaskResult) -> None:
        """Copy what add_host, group_by and set_stats ask of the controller out of the items' results."""
        good = [found.result for found in self._outcomes if not found.result.get("failed")]
        asked = [(result[ASKS], result) for result in good if ASKS in result]
        if not asked:
            return
        keys = ("add_group", "parent_groups")
        finished.stats = tuple(result["ansible_stats"] for kind, result in asked if kind == "stats")
        finished.add_hosts = tuple(result["add_host"] for kind, result in asked if kind == "add_host")
        finished.add_groups = tuple({key: result[key] for key in keys} for kind, result in asked if kind == "add_group")
        if finished.add_hosts or finished.add_groups:  # the controller may find that the change cannot be made
            finished.ignored = self._ignored(unreachable=False)

    def _action(self) -> str:
        """Give the full name of the module that ran, which a task may name by a template."""
        return self._outcomes[-1].action if self._outcomes else self._task.resolved_action

    def _ignored(self, *, unreachable: bool) -> bool:
        """Tell whether the failure is covered: of a loop, one item that ignores covers all, as in ansible-core."""
        keyword = "ignore_unreachable" if unreachable else "ignore_errors"
        if self._outcomes:
            return any(getattr(found, keyword) for found in self._outcomes)
        return self._read(getattr(self._task, keyword), keyword)

    def _private_anyway(self) -> bool:
        """Tell whether `no_log` is set where no item came to read it. One that cannot be rendered hides the result."""
        if self._outcomes or self._task.no_log is None:
            return False
        try:
            return flag(self._base, self._task.no_log, "no_log")
        except AuthorError:
            return True

    def _read(self, raw: Any, keyword: str) -> bool:
        return raw is not None and lenient_flag(self._base.with_vars(self._session.overlay), raw, keyword)

    def _rendered_name(self, raw: Any) -> str | None:
        return None if raw is None or isinstance(raw, Mapping) else str(self._base.resolve(raw))

    def _shown_name(self) -> str:
        name = self._task.name
        if name is None or not is_template(name):
            return name or ""
        try:
            return str(self._base.resolve(name))
        except AuthorError:
            return name


def _is_plain(task: Task) -> bool:
    """Tell whether nothing but `when`, no_log and the name is to be evaluated of a task that is skipped."""
    name = task.register
    if has_loop(task) or not (name is None or (isinstance(name, str) and not is_template(name))):
        return False
    said = (task.ignore_errors, task.ignore_unreachable, task.any_errors_fatal)
    return all(word is None or isinstance(word, bool) for word in said)


def _with_item(result: Mapping[str, Any], item_vars: Mapping[str, Any], loop: Loop) -> dict[str, Any]:
    """Give an item's result with the loop's variables, but for those that have the name of something it says itself."""
    hidden = [] if loop.extended else ["ansible_loop"]
    if item_vars[loop.loop_var] is None:  # as in ansible-core, an item that is null is not told
        hidden.append(loop.loop_var)
    told = result.keys() - _LOOP_SAYS
    return {**result, **{name: value for name, value in item_vars.items() if name not in hidden and name not in told}}
