"""Frames of answers: which share one, and when they leave."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from bench import PickleCodec

from pyplay.templating.secrets import SecretTexts
from pyplay.workers.frames import FrameReader
from pyplay.workers.messages import TaskResult
from pyplay.workers.outbox import Outbox
from pyplay.workers.wire import Foretold, Secrets

if TYPE_CHECKING:
    from collections.abc import Callable


class Pipe:
    """Stands in for the stream to the controller."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.write = self.written.append

    @staticmethod
    def is_closing() -> bool:
        return False

    def frames(self) -> list[list[Any]]:
        """Give the messages of each frame that left."""
        return [PickleCodec.decode(payload) for payload in FrameReader().feed(b"".join(self.written))]


def frames_of(send: Callable[[Outbox, Callable[[float], None]], object], secrets: SecretTexts) -> list[list[Any]]:
    """Give the frames that leave in a turn in which `send` gets an outbox and what lets seconds pass."""
    pipe, now = Pipe(), [100.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    async def turn() -> None:
        send(Outbox(pipe, PickleCodec(), secrets, lambda: now[0]), sleep)  # type: ignore[arg-type]  # stand-ins
        await asyncio.sleep(0)

    asyncio.run(turn())
    return pipe.frames()


def result(host: str, value: Any = 1) -> TaskResult:
    return TaskResult(host=host, task_id=1, result={"value": value})


def test_a_result_that_cannot_travel_fails_its_task_alone() -> None:
    (bad, good) = frames_of(lambda outbox, _: outbox.put(result("a", lambda: None), result("b")), SecretTexts())[0]
    assert (bad.host, bad.failed) == ("a", True)
    assert "cannot be kept" in bad.result["msg"]
    assert good.result == {"value": 1}


def test_answers_of_a_long_turn_leave_before_its_end() -> None:
    def send(outbox: Outbox, sleep: Callable[[float], None]) -> None:
        for number in range(7):
            outbox.put(result(f"h{number}"))
            sleep(0.0015)

    hosts = [[answer.host for answer in frame] for frame in frames_of(send, SecretTexts())]
    assert hosts == [["h0"], ["h1", "h2", "h3", "h4"], ["h5", "h6"]]


def test_what_is_foretold_leaves_with_its_result() -> None:
    foretold = Foretold((result("h"),))
    assert frames_of(lambda outbox, _: outbox.put(result("h"), foretold), SecretTexts()) == [[result("h"), foretold]]


def test_secrets_leave_before_what_may_show_them() -> None:
    secrets = SecretTexts()

    def send(outbox: Outbox, _sleep: Callable[[float], None]) -> None:
        secrets.add("hunter2")
        outbox.put(result("a"))
        outbox.put(result("b"))

    assert frames_of(send, secrets) == [[Secrets(("hunter2",)), result("a")], [result("b")]]
