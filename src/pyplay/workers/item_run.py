"""Running one task on one host for one loop item: when → arguments → action → verdict → again, if `until` says so."""

from __future__ import annotations

import asyncio
import traceback
from dataclasses import field
from typing import TYPE_CHECKING, Any

from pyplay.actions.base import HIDES, ActionCall, ActionFailed
from pyplay.actions.registry import action_of, may_run_in_background
from pyplay.diagnostics.dataclass import dataclass, replace
from pyplay.diagnostics.errors import AuthorError, BecomeError, HostUnreachable, RunnerError
from pyplay.playbook.model import TaskKind
from pyplay.source.reads import check_words
from pyplay.templating.syntax import is_template
from pyplay.workers import outcome
from pyplay.workers.action_name import resolved
from pyplay.workers.arguments import module_defaults, render_arguments, rendered_apply
from pyplay.workers.background import background_of, wait_for_job
from pyplay.workers.become_options import may_become_unknowingly
from pyplay.workers.context import RemoteRequest
from pyplay.workers.delegate_words import delegate_words, delegated_vars
from pyplay.workers.facts import FactStore, visible
from pyplay.workers.keywords import (
    address_of,
    attempts_of,
    check_values,
    delay_of,
    delegate_of,
    first_false,
    flag,
    inherited_if_omitted,
    lenient_flag,
    notifications_of,
    timeout_of,
    without_omitted,
)
from pyplay.workers.messages import IncludeCall, JobReport
from pyplay.workers.option_words import defined_names
from pyplay.workers.projections import TASK
from pyplay.workers.values import add_notices, author_failure, explain, variable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pyplay.playbook.model import Play, Task
    from pyplay.source.settings import Settings
    from pyplay.templating.templar import Templar
    from pyplay.workers.ahead import CallTurn
    from pyplay.workers.background import Background
    from pyplay.workers.context import TaskContext
    from pyplay.workers.messages import JobState

_DISCOVERED = "discovered_interpreter_python"


@dataclass(slots=True)
class ItemOutcome:
    """What came of one item: its result with Ansible's keys, and what the controller must do."""

    result: dict[str, Any]
    private: bool = False
    delegate: str | None = None
    delegate_address: str | None = None
    include: IncludeCall | None = None
    notify: tuple[str, ...] = ()
    diff: bool = False
    action: str = ""  # full name of the module, for tasks that name it by a template
    ignore_errors: bool = False
    ignore_unreachable: bool = False


def joined(outcomes: Sequence[ItemOutcome]) -> ItemOutcome:
    """Give what several outcomes say together of what is shown and notified; the last delegate is the one shown."""
    delegated = next((found for found in reversed(outcomes) if found.delegate), None)
    return ItemOutcome(
        {},
        private=any(found.private for found in outcomes),
        delegate=delegated.delegate if delegated else None,
        delegate_address=delegated.delegate_address if delegated else None,
        notify=tuple(name for found in outcomes for name in found.notify),
        diff=any(found.diff for found in outcomes),
    )


@dataclass(slots=True)
class Session:
    """What items of one task on one host leave to those after them."""

    overlay: dict[str, Any] = field(default_factory=dict[str, Any])
    store: FactStore = field(default_factory=FactStore)
    lost: dict[str, HostUnreachable] = field(default_factory=dict[str, HostUnreachable])  # by the host that is away


class ItemRun:
    """One item of one task on one host. `register` is the rendered name the result goes by, if any.

    `on_retry` is called with the outcome of each attempt that is to be repeated. `turn`: it is sent ahead. `private` is
    what no_log says where that is known, and that `when` holds.
    """

    def __init__(
        self,
        context: TaskContext,
        task: Task,
        play: Play,
        host: str,
        *,
        base: Templar,
        item_vars: Mapping[str, Any],
        session: Session,
        register: str | None,
        on_retry: Callable[[ItemOutcome], None],
        turn: CallTurn | None = None,
        private: bool | None = None,
    ) -> None:
        self._context, self._task, self._play, self._host, self._base = context, task, play, host, base
        self._item_vars, self._session, self._register, self._on_retry = item_vars, session, register, on_retry
        self._turn = turn
        self._admitted, self._outcome = private is not None, ItemOutcome({}, private=bool(private))
        self._delegate_words: dict[str, Any] | None = None

    async def run(self) -> ItemOutcome:
        """Run the item to its end. What goes wrong is in the result; only cancellation is raised."""
        try:
            self._outcome.result = await self._run()
        except AuthorError as error:
            self._outcome.result = author_failure(error)
        except Exception as error:  # noqa: BLE001  # the edge where a host's task ends
            self._outcome.result = outcome.failure(
                f"Task failed: unexpected {type(error).__name__}: {error}", exception=traceback.format_exc()
            )
        add_notices(self._outcome.result, self._base.take_notices())
        self._remember(self._outcome.result)
        task = self._task
        self._outcome.action = task.resolved_action
        if task.ignore_errors is not None:
            self._outcome.ignore_errors = lenient_flag(self.templar(), task.ignore_errors, "ignore_errors")
        if task.ignore_unreachable is not None:
            unreachable = lenient_flag(self.templar(), task.ignore_unreachable, "ignore_unreachable")
            self._outcome.ignore_unreachable = unreachable
        return self._outcome

    def templar(self) -> Templar:
        """Give a templar that sees the item and what was registered and set so far."""
        overlay = self._overlay()
        if self._outcome.delegate:
            if self._delegate_words is None:
                self._delegate_words = self._words_of(self._outcome.delegate, overlay)
            overlay = {**self._delegate_words, **overlay}
        return self._base.with_vars(overlay) if overlay else self._base

    def _words_of(self, delegate: str, overlay: Mapping[str, Any]) -> dict[str, Any]:
        """Give the connection's variables that the delegate brings, read once per item."""
        context = self._context
        there = context.variables.templar(delegate, self._play, self._task).scope
        names = defined_names(there, {})
        if "ansible_connection" in names:
            check_words("ansible_connection", there.get("ansible_connection"))
        transport = str(context.options.connection or context.settings.transport)
        return delegate_words(
            delegate,
            defined_names(self._base.scope, overlay),
            names,
            "ssh" if transport == "smart" else transport,
        )

    def _overlay(self) -> dict[str, Any]:
        """Give what is seen before all else: what earlier items left, the item's variables, the delegate's."""
        overlay = {**self._session.overlay, **self._item_vars}
        if self._outcome.delegate:
            overlay["ansible_delegated_vars"] = delegated_vars(self._outcome.delegate)
        return overlay

    async def _run(self) -> dict[str, Any]:
        task, templar, evaluate = self._task, self.templar(), self._context.evaluator.run
        if not self._admitted:
            self._outcome.private = task.no_log is not None or self._context.settings.no_log
            fault = await self._hide(templar) if task.no_log is not None else None
            refused = await evaluate(first_false, templar, task.when, "when") if task.when else None
            if refused is not None:
                return outcome.skipped(refused.condition)
            if fault is not None:
                raise fault
        if task.outer:
            self._task = task = await evaluate(without_omitted, templar, task)
        if self._context.is_unsure(task):
            await evaluate(check_values, templar, task)
        if task.kind in (TaskKind.INCLUDE_TASKS, TaskKind.INCLUDE_ROLE):
            return await self._include(templar)
        if is_template(task.action):
            self._task = task = await evaluate(resolved, task, templar)
        if task.delegate_to is not None:
            self._outcome.delegate = await evaluate(delegate_of, templar, task)
            self._outcome.delegate_address = await evaluate(address_of, templar, self._outcome.delegate, self._host)
        once = task.retries is None and not task.until
        result = await self._attempts(1 if once else await evaluate(attempts_of, templar, task))
        if result.get("changed") and task.notify:
            self._outcome.notify = await evaluate(notifications_of, self.templar(), task)
        return result

    async def _hide(self, templar: Templar) -> AuthorError | None:
        """Read no_log. Gives what is wrong with it, which a skipped item need not know; the result is hidden then."""
        raw, default = self._task.no_log, self._context.settings.no_log
        try:
            if "no_log" in self._task.outer:
                raw = await self._context.evaluator.run(inherited_if_omitted, templar, raw, self._task.outer["no_log"])
            self._outcome.private = await self._context.evaluator.run(flag, templar, raw, "no_log", default)
        except AuthorError as error:
            return error
        return None

    async def _include(self, templar: Templar) -> dict[str, Any]:
        args = await self._context.evaluator.run(render_arguments, self._task, templar, self._context.names)
        if _names_null(args):
            asked = _asks_for_text(self._task.when)
            if asked is not None:
                return outcome.skipped(asked)
        apply = await self._context.evaluator.run(rendered_apply, self._task, templar) if self._task.apply else None
        self._outcome.include = IncludeCall(
            args=args, item_vars=dict(self._item_vars), vars=dict(self._task.vars), apply=apply
        )
        return {"changed": False, "failed": False}

    async def _attempts(self, attempts: int) -> dict[str, Any]:
        """Run the action up to `attempts` times, until it succeeds or `until` holds."""
        attempt = 0
        while True:
            attempt += 1
            result, final = await self._once()
            if final:
                return result
            if attempts > 1:
                result["attempts"] = attempt
            done = await self._judge(result)
            if done or attempts == 1:
                return result
            if attempt == attempts:
                if self._task.failed_when:  # has the last word
                    return {**result, "attempts": attempts - 1}
                told = {} if result.get("msg") else {"msg": _unmet(self._task.until, attempts - 1)}
                return {**result, "failed": True, "attempts": attempts - 1, **told}
            retried = {**result, "retries": attempts - 1}
            self._on_retry(replace(self._outcome, result=retried))
            await self._context.sleep(await self._context.evaluator.run(delay_of, self.templar(), self._task))

    async def _judge(self, result: dict[str, Any]) -> bool:
        """Let changed_when, failed_when and until speak; tell whether the item is done. Changes `result` in place."""
        task, evaluate = self._task, self._context.evaluator.run
        if not (task.changed_when or task.failed_when or task.until):
            return not result["failed"]
        self._remember(result)
        if not result.get("skipped"):
            if task.changed_when and not await evaluate(self._verdict, result, task.changed_when, "changed_when"):
                return True
            if task.failed_when and not await evaluate(self._verdict, result, task.failed_when, "failed_when"):
                return True
            self._remember(result)
        if not task.until:
            return not result["failed"]
        return await evaluate(first_false, self.templar(), task.until, "until") is None

    def _verdict(self, result: dict[str, Any], conditions: Sequence[Any], keyword: str) -> bool:
        """Set `changed` or `failed` of `result`; tell whether the conditions could be evaluated."""
        try:
            holds = first_false(self.templar(), conditions, keyword) is None
        except AuthorError as error:
            outcome.judge_wrongly(result, keyword, explain(error))
            return False
        result[f"{keyword}_result"] = holds
        if keyword == "failed_when":
            outcome.set_failed(result, failed=holds)
        else:
            result["changed"] = holds
        return True

    def _remember(self, result: dict[str, Any]) -> None:
        """Make the result visible to until, changed_when, labels, and the items after this one."""
        if self._register:
            self._session.overlay[self._register] = outcome.public(result)
        if TASK in self._session.overlay:
            self._session.overlay[TASK] = {"result": outcome.public(result)}

    async def _once(self) -> tuple[dict[str, Any], bool]:
        """Run the action once. Gives a complete result, and whether it is final whatever `until` says."""
        limit = await self._limit()
        if limit is None:
            return await self._answered()
        deadline = asyncio.timeout(limit)
        try:
            async with deadline:
                return await self._answered()
        except TimeoutError:
            if not deadline.expired():
                raise
            return outcome.failure(
                f"Task failed: Timed out after {limit:g} second(s).", timedout={"period": limit}
            ), True

    async def _limit(self) -> float | None:
        """Give the seconds that the action may take, None for no bound."""
        if self._task.timeout is None:
            return self._context.settings.task_timeout or None
        return await self._context.evaluator.run(timeout_of, self.templar(), self._task)

    async def _answered(self) -> tuple[dict[str, Any], bool]:
        """Give what `_once` does, however long it takes."""
        try:
            return await self._call(), False
        except ActionFailed as error:
            self._hide_if_asked(error.result)
            return outcome.completed({**error.result, "failed": True, "msg": error.msg}), False
        except HostUnreachable as error:
            self._session.lost[self._target] = error
            return self._lost(error), True
        except (BecomeError, RunnerError) as error:
            return outcome.failure(f"Task failed: {error}"), True

    @property
    def _target(self) -> str:
        """The host on which the item runs."""
        return self._outcome.delegate or self._host

    def _lost(self, error: HostUnreachable) -> dict[str, Any]:
        """Give the result of a lost connection.

        A delegate that is not there fails the task, not the host it is for, unless `ignore_unreachable` covers it, or
        `failed_when` lets nothing fail.
        """
        elsewhere = self._outcome.delegate is not None and self._outcome.delegate != self._host
        if elsewhere and not flag(self.templar(), self._task.ignore_unreachable, "ignore_unreachable"):
            result = outcome.failure(f"Task failed: the delegate cannot be reached: {error}")
            if self._task.failed_when == (False,):  # other conditions ask for what the module never gave
                outcome.set_failed(result, failed=False)
                result["failed_when_result"] = False
            return result
        return outcome.unreachable(f"Task failed: {error}")

    async def _call(self) -> dict[str, Any]:
        task, context, templar = self._task, self._context, self.templar()
        evaluate = context.evaluator.run
        check_mode, diff, background = await evaluate(self._modes, templar)
        keeps_invocation = await evaluate(_keeps_invocation, templar, context.settings)  # what is wrong is told before
        self._outcome.diff = diff
        self._check_background(background)
        remote = context.remote(
            RemoteRequest(
                owner=self._host,
                target=self._target,
                task=task,
                play=self._play,
                templar=templar,
                overlay=self._overlay(),
                check_mode=check_mode,
                diff=diff,
                private=self._outcome.private,
                background=background,
                turn=self._turn,
                lost=self._session.lost.get(self._target),
            )
        )
        if may_become_unknowingly(task, context.options, context.settings):
            await remote.route()  # raises BecomeError, also for actions that never go to the host
        call = ActionCall(
            task=task,
            host=self._host,
            delegate=self._outcome.delegate,
            args=await evaluate(render_arguments, task, templar, context.names),
            templar=templar,
            remote=remote,
            check_mode=check_mode,
            diff=diff,
            verbosity=context.options.verbosity,
            search_path=tuple(templar.search_path),
            settings=context.settings,
            prompter=context.prompter,
            vault=context.vault,
            defaults=lambda name: module_defaults(task, templar, context.names, name),
            render=evaluate,
        )
        answer = await action_of(task.resolved_action)(call)
        if background is not None and background.poll and not answer.get("failed"):
            answer = await wait_for_job(remote, answer, background, context.sleep, self._tell_job)
        self._hide_if_asked(answer)
        result = outcome.completed(answer)
        if not keeps_invocation:
            result.pop("invocation", None)
        await self._take_facts(call, result)
        return result

    def _hide_if_asked(self, answer: dict[str, Any]) -> None:
        """Show no more of the item than under no_log, if the action says so. Takes that word out of `answer`."""
        if answer.pop(HIDES, False):
            self._outcome.private = True

    def _modes(self, templar: Templar) -> tuple[bool, bool, Background | None]:
        """Give whether changes are only told, whether they are shown, and how it runs in the background."""
        task, options, settings = self._task, self._context.options, self._context.settings
        check_mode = flag(templar, task.check_mode, "check_mode", options.check)
        diff = flag(templar, task.diff, "diff", options.diff or settings.diff_always)
        return check_mode, diff, background_of(templar, task, settings)

    def _tell_job(self, state: JobState, status: Mapping[str, Any]) -> None:
        """Tell the controller how the job in the background stands."""
        self._context.emit(
            JobReport(
                host=self._host,
                task_id=self._task.id,
                state=state,
                job="None" if self._outcome.private else str(status.get("ansible_job_id")),
                started=bool(status.get("started")),
                finished=bool(status.get("finished")),
            )
        )

    def _check_background(self, background: Background | None) -> None:
        if background is not None and not may_run_in_background(self._task.resolved_action):
            raise ActionFailed(f"{self._task.action} does not support async: a part of it runs on the controller")

    async def _take_facts(self, call: ActionCall, result: dict[str, Any]) -> None:
        task, store = self._task, self._session.store
        owner = self._host
        if call.delegate and await self._context.evaluator.run(
            flag, call.templar, task.delegate_facts, "delegate_facts"
        ):
            owner = call.delegate
        store.merge(call.store)
        facts = store.take(result, task, owner)
        if facts and owner == self._host:
            injects = self._context.settings.inject_facts_as_vars
            self._session.overlay.update(visible(facts, task, call.templar, injects=injects))


def _names_null(args: Mapping[str, Any]) -> bool:
    """Whether the arguments of an include name a file that is null."""
    return any(name in args and args[name] is None for name in ("_raw_params", "file"))


def _asks_for_text(conditions: Sequence[Any]) -> Any:
    """Return the first condition that compares with the empty text, None if none does.

    `when: file != ""` was the documented way to pass over a file that first_found did not find; ansible-core up to
    2.18 gave the empty text there, later ones null, for which it holds.
    """
    for condition in conditions:
        if isinstance(condition, str) and ("''" in condition or '""' in condition):
            return condition
    return None


def _keeps_invocation(templar: Templar, settings: Settings) -> bool:
    """Tell whether results are to hold the module's arguments: a setting, which a variable may override per host."""
    named = variable(templar, "ansible_inject_invocation")
    return settings.inject_invocation if named is None else flag(templar, named, "ansible_inject_invocation")


def _unmet(until: Sequence[Any], attempts: int) -> str:
    """Say that the conditions of `until` did not hold, as far as they are text."""
    times = "1 attempt" if attempts == 1 else f"{attempts} attempts"
    return f"until did not hold after {times}: {' and '.join(map(str, until))}"
