"""A worker process: takes rounds, runs one coroutine per host and task, and sends results as they end."""

from __future__ import annotations

import asyncio
import signal
import traceback
from typing import TYPE_CHECKING, Any, Literal

from pyplay.actions.base import ActionFailed
from pyplay.diagnostics.bugs import last_words
from pyplay.diagnostics.errors import AuthorError
from pyplay.workers import outcome
from pyplay.workers.ahead import NotAhead, at_once, counted_ahead
from pyplay.workers.ahead_rules import may_be_done_at_once
from pyplay.workers.assembly import assemble
from pyplay.workers.executor import Progress
from pyplay.workers.frames import FrameReader
from pyplay.workers.messages import TaskResult
from pyplay.workers.outbox import Outbox
from pyplay.workers.stretch import Stretch
from pyplay.workers.task_run import TaskRun
from pyplay.workers.values import author_failure
from pyplay.workers.wire import (
    Bug,
    CancelAll,
    CloseDown,
    Define,
    Foretold,
    PromptAnswer,
    PromptRequest,
    Release,
    Reset,
    RunRound,
)

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Coroutine, Sequence

    from pyplay.playbook.model import Task
    from pyplay.workers.context import TaskContext
    from pyplay.workers.messages import Round
    from pyplay.workers.reach import Reach
    from pyplay.workers.setup import WorkerSetup

_READ = 1 << 18
_BUG = 70  # exit status


def run_worker(channel: socket.socket, setup: WorkerSetup) -> None:
    """Be a worker until the controller says so or is gone. `channel` is the worker's end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    asyncio.run(_work(channel, setup))


async def _work(channel: socket.socket, setup: WorkerSetup) -> None:
    reader, writer = await asyncio.open_unix_connection(sock=channel)
    outbox = Outbox(writer, setup.known.codec, setup.environment.secrets)
    prompter = RemotePrompter(outbox.put, interactive=setup.interactive)
    context, reach = assemble(setup, outbox.put, prompter)
    worker = Worker(setup, context, reach, outbox, prompter)
    frames = FrameReader()
    try:
        while data := await _received(reader):
            for payload in frames.feed(data):
                if not worker.take(setup.known.codec.decode(payload)):
                    await worker.close()
                    await outbox.close()
                    return
        await worker.close()
    except Exception as error:  # noqa: BLE001  # the edge of this process
        await end_by_bug(outbox, error, setup.options.verbosity)


async def _received(reader: asyncio.StreamReader) -> bytes:
    """Give what the controller sent, nothing once it is gone: one that left answers unread resets the connection."""
    try:
        return await reader.read(_READ)
    except ConnectionError:
        return b""


async def end_by_bug(outbox: Outbox, error: BaseException, verbosity: int) -> None:
    """End this process because of a bug of ours: the controller is told of the report, the screen only at -vvv."""
    outbox.put(Bug("; ".join(last_words(error))))
    if verbosity >= 3:
        traceback.print_exception(error)
    await outbox.close()
    raise SystemExit(_BUG)


class RemotePrompter:
    """Asks at the controller's terminal, by messages. Implements `actions.base.Prompter`."""

    def __init__(self, send: Callable[[PromptRequest], None], *, interactive: bool) -> None:
        self._send, self._interactive = send, interactive
        self._open: dict[int, asyncio.Future[PromptAnswer]] = {}
        self._count = 0

    @property
    def interactive(self) -> bool:
        """Tell whether the controller has a terminal."""
        return self._interactive

    async def ask(self, text: str, *, echo: bool, keep: bool = False) -> str | None:
        """Return the line typed at the controller."""
        return (await self._request(text, "ask", echo=echo, keep=keep)).text

    async def pause(self, text: str, *, echo: bool, seconds: float | None) -> str | None:
        """Return the line typed at the controller within `seconds`. Raises ActionFailed if the person aborts."""
        answer = await self._request(text, "pause", echo=echo, seconds=seconds)
        if answer.aborted:
            raise ActionFailed("user requested abort!")
        return answer.text

    async def show(self, text: str) -> None:
        """Show a line on the controller's output."""
        await self._request(text, "show")

    def answer(self, message: PromptAnswer) -> None:
        """Take the controller's answer."""
        future = self._open.pop(message.number, None)
        if future is not None and not future.done():
            future.set_result(message)

    async def _request(self, text: str, purpose: Literal["show", "ask", "pause"], **how: Any) -> PromptAnswer:
        self._count += 1
        future: asyncio.Future[PromptAnswer] = asyncio.get_running_loop().create_future()
        self._open[self._count] = future
        self._send(PromptRequest(self._count, text, purpose, **how))
        return await future


class Worker:
    """What is under way in this process."""

    def __init__(
        self,
        setup: WorkerSetup,
        context: TaskContext,
        reach: Reach,
        outbox: Outbox,
        prompter: RemotePrompter,
    ) -> None:
        self._setup, self._context, self._reach = setup, context, reach
        self._outbox, self._prompter = outbox, prompter
        self._running: dict[asyncio.Task[None], tuple[str, int] | None] = {}
        self._stretches: dict[str, Stretch] = {}
        self._computing: dict[Task, bool] = {}

    def take(self, message: Any) -> bool:
        """Do what a message asks; False: it asks to end."""
        match message:
            case RunRound(work):
                self._begin(work)
            case Define():
                self._setup.known.learn(message)
            case Release(hosts):
                for host in hosts:
                    self._stretches.pop(host, None)
                self._spawn(self._reach.release(hosts))
            case Reset(host):
                self._spawn(self._reach.reset(host))
            case CancelAll():
                self._cancel()
            case PromptAnswer():
                self._prompter.answer(message)
            case CloseDown():
                return False
            case _:
                raise TypeError(f"unknown message {type(message).__name__}")
        return True

    async def close(self) -> None:
        """Stop what runs and close every Runner and connection."""
        running = list(self._running)
        self._cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await self._reach.close()

    def _begin(self, work: Round) -> None:
        self._setup.follow(work.position)
        task = self._setup.known.tasks[work.task_id]
        for host in work.hosts:
            if work.ahead or host in self._stretches or not self._done_at_once(task, host):
                self._spawn(self._run(task, host, work), (host, task.id))

    def _done_at_once(self, task: Task, host: str) -> bool:
        """Answer for a task that is skipped or only computes, without a coroutine of its own; False: it needs one."""
        try:
            run = TaskRun(self._context, task, host)
            result = run.skipped()
            if result is None and self._computes(task):
                with counted_ahead():  # a lookup may block
                    result = at_once(run.run())
        except (AuthorError, NotAhead):
            return False
        if result is None:
            return False
        if self._setup.progress:
            self._outbox.put(Progress(host, task.id))
        self._outbox.put(result)
        return True

    def _computes(self, task: Task) -> bool:
        found = self._computing.get(task)
        if found is None:
            found = self._computing[task] = may_be_done_at_once(task, self._context.settings)
        return found

    async def _run(self, task: Task, host: str, work: Round) -> None:
        if self._setup.progress:
            self._outbox.put(Progress(host, task.id))
        foretold: Sequence[TaskResult] = ()
        try:
            result, *foretold = await self._results(task, host, work)
        except AuthorError as error:  # a file of the host's variables that cannot be read
            result = TaskResult(host=host, task_id=task.id, result=author_failure(error), failed=True)
        self._outbox.put(result, *([Foretold(tuple(foretold))] if foretold else ()))

    async def _results(self, task: Task, host: str, work: Round) -> Sequence[TaskResult]:
        """Give the result of `task`, and those of tasks after it that are known already."""
        stretch = self._stretches.get(host)
        if stretch is None:
            if not work.ahead:
                return (await TaskRun(self._context, task, host).run(),)
            stretch = self._stretches[host] = Stretch(self._context, host)
        tasks = self._setup.known.tasks
        return await stretch.run(task, [tasks[number] for number in work.ahead], work.held)

    def _spawn(self, work: Coroutine[Any, Any, None], answer_for: tuple[str, int] | None = None) -> None:
        running = asyncio.get_running_loop().create_task(work)
        self._running[running] = answer_for
        running.add_done_callback(self._done)

    def _done(self, ended: asyncio.Task[None]) -> None:
        """Answer for a host-task that was stopped.

        A coroutine that raised is a bug of ours: the worker ends, and the controller tells which tasks were lost, and
        of the report.
        """
        answer_for = self._running.pop(ended)
        if not ended.cancelled():
            error = ended.exception()
            if isinstance(error, Exception):
                self._spawn(end_by_bug(self._outbox, error, self._context.options.verbosity))
        elif answer_for is not None:
            host, task_id = answer_for
            stopped = outcome.failure("Task failed: stopped by the controller")
            self._outbox.put(TaskResult(host=host, task_id=task_id, result=stopped, failed=True))

    def _cancel(self) -> None:
        for stretch in self._stretches.values():
            stretch.end()
        for running, answer_for in self._running.items():
            if answer_for is not None:
                running.cancel()
