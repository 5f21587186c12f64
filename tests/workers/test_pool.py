"""The forked pool, with real processes."""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pyplay.workers.executor import Progress, WorkerLost
from pyplay.workers.frames import frame
from pyplay.workers.messages import ItemResult, Round, TaskResult
from pyplay.workers.wire import PromptRequest, RunRound
from pyplay.workers.worker import run_worker
from pyplay.workers.zygote import Zygote

sys.path.insert(0, str(Path(__file__).parent))
from bench import Bench, make_task, setup_of, started  # helpers stand beside the tests

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyplay.playbook.model import Task
    from pyplay.workers.pool import WorkerPool

Make = "Callable[..., WorkerPool]"


def numbered(number: int, text: str) -> Task:
    task = make_task(text)
    task.id = number
    return task


@pytest.fixture
def make_pool(tmp_path: Path) -> Iterator[Any]:
    pools: list[WorkerPool] = []

    def make(*texts: str, size: int = 2, terminal: Any = None, **more: Any) -> WorkerPool:
        setup = setup_of(Bench(str(tmp_path)), {n: numbered(n, text) for n, text in enumerate(texts)}, **more)
        pool = started(setup, size=size, terminal=terminal)
        pools.append(pool)
        return pool

    yield make
    for pool in pools:
        pool.close()


def answers(pool: WorkerPool, count: int) -> list[Any]:
    found: list[Any] = []
    deadline = time.monotonic() + 20
    while sum(isinstance(answer, (TaskResult, WorkerLost)) for answer in found) < count:
        assert time.monotonic() < deadline
        found.extend(pool.receive(1.0))
    return found


def results(pool: WorkerPool, count: int) -> dict[str, TaskResult]:
    return {answer.host: answer for answer in answers(pool, count) if isinstance(answer, TaskResult)}


def test_a_round_runs_on_every_host(make_pool: Callable[..., WorkerPool]) -> None:
    pool = make_pool("command: echo {{ item }}\nloop: [a, b]")
    pool.dispatch(Round(0, ("h1", "h2", "h3"), 0))
    found = answers(pool, 3)
    assert sorted(answer.host for answer in found if isinstance(answer, TaskResult)) == ["h1", "h2", "h3"]
    items = [answer.result["stdout"] for answer in found if isinstance(answer, ItemResult) and answer.host == "h1"]
    assert items == ["a", "b"]


def test_a_host_stays_with_its_worker_and_hosts_are_spread(make_pool: Callable[..., WorkerPool]) -> None:
    pool = make_pool("debug: {msg: \"{{ lookup('pipe', 'echo $PPID') }}\"}", size=2)
    hosts = ("h1", "h2", "h3", "h4")
    owners: list[dict[str, Any]] = []
    for _ in range(2):
        pool.dispatch(Round(0, hosts, 0))
        owners.append({host: result.result["msg"] for host, result in results(pool, 4).items()})
    assert owners[0] == owners[1]
    assert sorted(list(owners[0].values()).count(pid) for pid in set(owners[0].values())) == [2, 2]


def test_tasks_that_are_defined_later_are_known(make_pool: Callable[..., WorkerPool]) -> None:
    pool = make_pool("debug: {msg: first}")
    pool.dispatch(Round(0, ("h1",), 0))
    results(pool, 1)
    pool.define([numbered(9, "debug: {msg: later}")])
    pool.dispatch(Round(9, ("h1", "h2"), 0))
    assert {result.result["msg"] for result in results(pool, 2).values()} == {"later"}


def test_a_worker_that_dies_is_replaced(make_pool: Callable[..., WorkerPool]) -> None:
    pool = make_pool("debug: {msg: \"{{ lookup('pipe', 'echo $PPID') }}\"}", "command: sleep 30", size=1)
    pool.dispatch(Round(0, ("h1",), 0))
    pid = int(results(pool, 1)["h1"].result["msg"])
    pool.dispatch(Round(1, ("h1", "h2"), 0))
    pool.receive(0.1)
    os.kill(pid, signal.SIGKILL)
    (lost,) = (answer for answer in answers(pool, 1) if isinstance(answer, WorkerLost))
    assert sorted(lost.hosts) == [("h1", 1), ("h2", 1)]
    assert "SIGKILL" in lost.reason
    pool.define([numbered(5, "debug: {msg: again}")])
    pool.dispatch(Round(5, ("h1",), 0))
    assert results(pool, 1)["h1"].result["msg"] == "again"


def test_cancelling_answers_for_every_host(make_pool: Callable[..., WorkerPool]) -> None:
    pool = make_pool("command: sleep 30")
    pool.dispatch(Round(0, ("h1", "h2"), 0))
    pool.receive(0.3)
    pool.cancel()
    found = results(pool, 2)
    assert all(result.failed and "stopped" in result.result["msg"] for result in found.values())


def test_progress_tells_when_a_host_begins(make_pool: Callable[..., WorkerPool]) -> None:
    pool = make_pool("debug: {msg: x}", progress=True)
    pool.dispatch(Round(0, ("h1",), 0))
    assert isinstance(answers(pool, 1)[0], Progress)


SKIPPED = "command: 'true'\nwhen: false"


def test_what_is_foretold_needs_no_round(make_pool: Callable[..., WorkerPool]) -> None:
    pool = make_pool(SKIPPED, SKIPPED, "debug: {msg: x}", "debug: {msg: y}", size=1, progress=True)
    pool.dispatch(Round(0, ("h1",), 0, ahead=(1, 2)))
    first = answers(pool, 1)
    assert [type(answer) for answer in first] == [Progress, TaskResult]
    for number in (1, 2):
        pool.dispatch(Round(number, ("h1",), 0))
        assert not any(worker.running for worker in pool._workers)
        progress, result = pool.receive(0)
        assert progress == Progress("h1", number)
        assert isinstance(result, TaskResult)
        assert (result.task_id, result.skipped) == (number, number == 1)
    pool.dispatch(Round(3, ("h1",), 0))
    assert results(pool, 1)["h1"].result["msg"] == "y"


def test_what_is_foretold_is_forgotten_where_another_task_comes(make_pool: Callable[..., WorkerPool]) -> None:
    pool = make_pool(SKIPPED, SKIPPED, SKIPPED, "debug: {msg: y}", size=1)
    pool.dispatch(Round(0, ("h1", "h2"), 0, ahead=(1, 2)))
    answers(pool, 2)
    pool.dispatch(Round(3, ("h1",), 0))
    assert results(pool, 1)["h1"].result["msg"] == "y"
    pool.dispatch(Round(1, ("h1", "h2"), 0))
    assert [host for worker in pool._workers for host, _ in worker.running] == ["h1"]
    assert results(pool, 2).keys() == {"h1", "h2"}


def test_prompts_are_answered_by_the_controller(make_pool: Callable[..., WorkerPool]) -> None:
    class Terminal:
        interactive = True

        def show(self, text: str) -> None:
            raise AssertionError(text)

        def pause(self, text: str, *, echo: bool, seconds: float | None) -> str | None:
            return f"{text}|{echo}|{seconds}"

    pool = make_pool("pause: {prompt: who}", terminal=Terminal())
    pool.dispatch(Round(0, ("h1",), 0))
    assert results(pool, 1)["h1"].result["user_input"].startswith("[pause]\nwho:")


def test_nobody_is_asked_before_what_came_was_given(make_pool: Callable[..., WorkerPool]) -> None:
    said: list[str] = []

    class Terminal:
        interactive = True

        def show(self, text: str) -> None:
            said.append(text)

        def ask(self, text: str, *, echo: bool) -> str | None:
            said.append(text)
            return ""

    pool = make_pool("debug:", terminal=Terminal())
    pool.dispatch(Round(0, ("h1",), 0))
    (result,) = answers(pool, 1)
    (worker,) = pool._workers
    for message in (PromptRequest(1, "Pausing", "show"), result, PromptRequest(2, "who", echo=True)):
        pool._take(worker, message)
    assert list(pool.receive()) == [result]
    assert said == []
    assert list(pool.receive(0.01)) == []
    assert said == ["Pausing", "who"]


def test_what_is_to_be_kept_is_asked_once(make_pool: Callable[..., WorkerPool]) -> None:
    class Terminal:
        interactive = True
        asked = 0

        def show(self, text: str) -> None:
            raise AssertionError(text)

        def ask(self, text: str, *, echo: bool) -> str | None:
            assert not echo
            self.asked += 1
            return f"{text}{self.asked}"

    terminal = Terminal()
    prompt = make_pool(terminal=terminal)._prompt  # what workers' messages reach
    kept = [prompt(PromptRequest(1, text, echo=False, keep=True)).text for text in ("a", "a", "b")]
    plain = [prompt(PromptRequest(1, "c", echo=False)).text for _ in range(2)]
    assert (kept, plain) == (["a1", "a1", "b2"], ["c3", "c4"])


def test_receive_gives_nothing_when_time_is_up(make_pool: Callable[..., WorkerPool]) -> None:
    pool = make_pool("debug:")
    assert list(pool.receive(0.01)) == []


KILLED = """
import os, sys, time
sys.path.insert(0, {tests!r})
from bench import Bench, make_task, setup_of, started
from pyplay.workers.messages import Round
from pyplay.workers.wire import PromptRequest
task = make_task("command: sleep 47.11")
task.id = 0
setup = setup_of(Bench({base!r}), {{0: task}})
pool = started(setup)
pool.dispatch(Round(0, ("h1", "h2"), 0))
pool.receive(1.0)
os.kill(os.getpid(), 9)
"""


def test_a_worker_ends_in_peace_where_its_answers_are_not_read(tmp_path: Path) -> None:
    setup = setup_of(Bench(tmp_path), {0: numbered(0, "debug:")})
    zygote = Zygote(lambda: None, lambda _: partial(run_worker, setup=setup))
    zygote.settle([])
    worker = zygote.fork()
    worker.socket.sendall(frame(setup.known.codec.encode(RunRound(Round(0, ("h1", "h2"), 0)))))
    assert select.select([worker.socket], [], [], 20)[0]
    worker.socket.close()
    assert zygote.reap(worker.pid) == "exit status 0"
    zygote.close()


def test_nothing_outlives_a_killed_controller(tmp_path: Path) -> None:
    script = KILLED.format(tests=str(Path(__file__).parent), base=str(tmp_path))
    ours, theirs = socket.socketpair()
    process = subprocess.Popen([sys.executable, "-c", script], pass_fds=[theirs.fileno()])
    theirs.close()
    assert process.wait(20) == -signal.SIGKILL
    # every process that the controller left behind holds the other end open; it is at its end when all are gone
    ours.settimeout(20)
    assert ours.recv(1) == b""
    ours.close()
