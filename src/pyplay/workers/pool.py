"""The controller's side of the forked workers: who owns which host, what is under way, who has died."""

from __future__ import annotations

import os
import selectors
import time
from collections import deque
from dataclasses import field
from typing import TYPE_CHECKING

from pyplay.diagnostics.dataclass import dataclass, replace
from pyplay.workers.executor import Notice, Progress, WorkerLost
from pyplay.workers.frames import FrameReader, frame
from pyplay.workers.messages import ItemResult, JobReport, Round, TaskResult
from pyplay.workers.terminal import Aborted, ControllerTerminal
from pyplay.workers.wire import (
    Bug,
    CancelAll,
    CloseDown,
    Foretold,
    PromptAnswer,
    PromptRequest,
    Release,
    Reset,
    RunRound,
    Secrets,
)

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterable, Sequence
    from typing import Any

    from pyplay.playbook.model import Task
    from pyplay.templating.secrets import SecretTexts
    from pyplay.workers.known import Known
    from pyplay.workers.terminal import Terminal
    from pyplay.workers.zygote import WorkerHandle, Zygote

Answer = ItemResult | JobReport | Notice | TaskResult | WorkerLost | Progress

_READ = 1 << 18
_CLOSE_SECONDS = 40.0  # modules get 30 s to end


@dataclass(slots=True)
class _Worker:
    handle: WorkerHandle
    reader: FrameReader = field(default_factory=FrameReader)
    bug: str = ""  # what it said of its end
    running: dict[tuple[str, int], None] = field(default_factory=dict[tuple[str, int], None])


class WorkerPool:
    """Workers forked by a zygote; implements `executor.Executor`.

    At most `size` workers are used (None: one per core), each forked when it gets its first host. `known` are the plays
    and tasks of both sides, `secrets` takes the texts that workers decrypted. `terminal` answers prompts. `progress`:
    tell when a host's turn comes, also where its result is there beforehand.
    """

    def __init__(
        self,
        known: Known,
        secrets: SecretTexts,
        *,
        size: int | None = None,
        terminal: Terminal | None = None,
        progress: bool = False,
    ) -> None:
        self._shared, self._codec, self._secrets, self._progress = known, known.codec, secrets, progress
        self._size = max(1, size or len(os.sched_getaffinity(0)))
        self._terminal = terminal or ControllerTerminal()
        self._selector = selectors.DefaultSelector()
        self._workers: list[_Worker] = []
        self._owners: dict[str, int] = {}
        self._owned: list[int] = []
        self._definitions: list[bytes] = []
        self._pending: list[Answer] = []
        self._asked: deque[tuple[_Worker, PromptRequest]] = deque()  # put when all that came before was taken
        self._foretold: dict[str, deque[TaskResult]] = {}  # by host, what its worker knows of the tasks that follow
        self._kept: dict[str, str | None] = {}  # what was answered to questions that are put once
        self._zygote: Zygote | None = None

    def start(self, zygote: Zygote) -> None:
        """Take the zygote whose workers these are: they see what it was settled with, and what is defined later.

        The first of them is forked meanwhile. Raises WorkerError as `Zygote.expect` does.
        """
        self._zygote = zygote
        zygote.expect()

    def define(self, tasks: Sequence[Task]) -> None:
        """Make tasks known that appeared after `start`."""
        definition = self._shared.announce(tuple(tasks))
        message = self._encoded(definition)
        self._shared.learn(definition)
        self._definitions.append(message)
        for worker in self._workers:
            self._send(worker, message)

    def dispatch(self, work: Round) -> None:
        """Begin one task on the round's hosts, side by side. What is foretold of it is its answer."""
        shares: dict[int, list[str]] = {}
        for host in work.hosts:
            if self._foretold and self._come_true(host, work.task_id):
                continue
            shares.setdefault(self._owner(host), []).append(host)
        for index, hosts in shares.items():
            worker = self._worker(index)  # the first begins while the next is forked
            for host in hosts:
                worker.running[host, work.task_id] = None
            share = work if len(hosts) == len(work.hosts) else replace(work, hosts=tuple(hosts))
            self._send(worker, self._encoded(RunRound(share)))

    def foretells(self, host: str, task_id: int) -> bool:
        """Tell whether the worker of `host` has told beforehand what comes of the task."""
        results = self._foretold.get(host)
        return results is not None and results[0].task_id == task_id

    def _come_true(self, host: str, task_id: int) -> bool:
        """Tell whether the result of a task is known, and take it; what is known is forgotten where another comes."""
        results = self._foretold.get(host)
        if results is None:
            return False
        result = results.popleft()
        if not results or result.task_id != task_id:
            del self._foretold[host]
        if result.task_id != task_id:
            return False
        if self._progress:
            self._pending.append(Progress(host, task_id))
        self._pending.append(result)
        return True

    @property
    def has_answers(self) -> bool:
        """Whether something that was foretold has come true and was not given yet."""
        return bool(self._pending)

    def receive(self, timeout: float | None = None) -> Iterable[Answer]:
        """Wait until something has come and give all there is; nothing after `timeout` seconds."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while not self._pending:
            if self._asked:
                worker, request = self._asked.popleft()
                self._send(worker, self._encoded(self._prompt(request)))
                continue
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            ready = self._selector.select(left)
            for key, _ in ready:
                self._read(key.data)
            if not ready and deadline is not None:
                break
        answers, self._pending = self._pending, []
        return answers

    def release(self, hosts: Iterable[str]) -> None:
        """Close the connections of hosts that have no play left."""
        shares: dict[int, list[str]] = {}
        for host in hosts:
            if host in self._owners:
                shares.setdefault(self._owners[host], []).append(host)
        for index, names in shares.items():
            self._send(self._workers[index], self._encoded(Release(tuple(names))))

    def reset_connection(self, host: str) -> None:
        """Drop the host's connections and Runners in every worker."""
        message = self._encoded(Reset(host))
        for worker in self._workers:
            self._send(worker, message)

    def cancel(self) -> None:
        """Stop what is running on every host."""
        message = self._encoded(CancelAll())
        for worker in self._workers:
            self._send(worker, message)

    def close(self) -> None:
        """End the workers: Runners are closed first, so that nothing remains on the hosts."""
        if self._zygote is None:
            return
        message = self._encoded(CloseDown())
        for worker in self._workers:
            self._send(worker, message)
        self._drain(time.monotonic() + _CLOSE_SECONDS)
        self._workers.clear()
        self._selector.close()
        self._zygote.close()
        self._zygote = None

    def _drain(self, deadline: float) -> None:
        """Read until every worker has closed its end, or `deadline`; then close ours."""
        while self._selector.get_map() and (left := deadline - time.monotonic()) > 0:
            for key, _ in self._selector.select(left):
                worker: _Worker = key.data
                if not _received(worker.handle.socket):
                    self._forget(worker)
        for worker in self._workers:
            if worker.handle.socket.fileno() >= 0:
                self._forget(worker)
                self._reap(worker)

    def _owner(self, host: str) -> int:
        """Give the worker that owns `host`, for the whole run: at first sight the one with the fewest hosts."""
        index = self._owners.get(host)
        if index is None:
            if len(self._owned) < self._size:
                index = len(self._owned)
                self._owned.append(0)
            else:
                index = self._owned.index(min(self._owned))
            self._owners[host] = index
            self._owned[index] += 1
        return index

    def _worker(self, index: int) -> _Worker:
        if index == len(self._workers):
            self._workers.append(self._fork())
        return self._workers[index]

    def _fork(self) -> _Worker:
        if self._zygote is None:
            raise RuntimeError("the pool is not started")
        worker = _Worker(self._zygote.fork())
        self._selector.register(worker.handle.socket, selectors.EVENT_READ, worker)
        for message in self._definitions:
            self._send(worker, message)
        return worker

    def _encoded(self, message: Any) -> bytes:
        return frame(self._codec.encode(message))

    def _send(self, worker: _Worker, message: bytes) -> None:
        """Send to a worker. One that is gone is noticed when its end-of-file is read."""
        try:
            worker.handle.socket.sendall(message)
        except OSError:
            return

    def _read(self, worker: _Worker) -> None:
        data = _received(worker.handle.socket)
        if not data:
            self._lost(worker)
            return
        for payload in worker.reader.feed(data):
            for message in self._codec.decode(payload):
                self._take(worker, message)

    def _take(self, worker: _Worker, message: Any) -> None:
        if isinstance(message, PromptRequest):
            self._asked.append((worker, message))
            return
        if isinstance(message, Bug):
            worker.bug = message.message
            return
        if isinstance(message, Secrets):
            for text in message.texts:
                self._secrets.add(text)
            return
        if isinstance(message, Foretold):
            self._foretold[message.results[0].host] = deque(message.results)
            return
        if isinstance(message, TaskResult):
            worker.running.pop((message.host, message.task_id), None)
        self._pending.append(message)

    def _prompt(self, request: PromptRequest) -> PromptAnswer:
        if request.purpose == "show":
            self._terminal.show(request.text)
            return PromptAnswer(request.number, None)
        if request.purpose == "pause":
            try:
                typed = self._terminal.pause(request.text, echo=request.echo, seconds=request.seconds)
            except Aborted:
                return PromptAnswer(request.number, None, aborted=True)
            return PromptAnswer(request.number, typed)
        if request.text in self._kept:
            return PromptAnswer(request.number, self._kept[request.text])
        typed = self._terminal.ask(request.text, echo=request.echo)
        if request.keep:
            self._kept[request.text] = typed
        return PromptAnswer(request.number, typed)

    def _lost(self, worker: _Worker) -> None:
        """Replace a worker that died, and say what will get no answer."""
        self._forget(worker)
        self._asked = deque(asked for asked in self._asked if asked[0] is not worker)
        end = self._reap(worker)
        reason = worker.bug or f"the worker process {worker.handle.pid} died: {end}"
        self._pending.append(WorkerLost(tuple(worker.running), reason))
        self._workers[self._workers.index(worker)] = self._fork()

    def _forget(self, worker: _Worker) -> None:
        self._selector.unregister(worker.handle.socket)
        worker.handle.socket.close()

    def _reap(self, worker: _Worker) -> str:
        return "" if self._zygote is None else self._zygote.reap(worker.handle.pid)


def _received(channel: socket.socket) -> bytes:
    try:
        return channel.recv(_READ)
    except OSError:
        return b""
