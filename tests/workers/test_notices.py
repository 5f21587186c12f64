"""What is noticed while rendering reaches the result, and secrets reach the controller."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from pyplay.templating.secrets import SecretTexts
from pyplay.workers.frames import FrameReader
from pyplay.workers.messages import TaskResult
from pyplay.workers.worker import Outbox

if TYPE_CHECKING:
    from bench import Bench


def test_a_warning_of_a_template_is_one_of_the_result(bench: Bench) -> None:
    result = bench.run("debug: {msg: \"{{ lookup('file', 'nowhere', errors='warn') }}\"}")
    assert "lookup 'file' failed" in result.result["warnings"][0]


def test_a_result_that_cannot_travel_fails_its_task_alone() -> None:
    from bench import PickleCodec  # noqa: PLC0415  # beside the tests

    written: list[bytes] = []

    class Writer:
        write = staticmethod(written.append)

        @staticmethod
        def is_closing() -> bool:
            return False

    async def send() -> None:
        outbox = Outbox(Writer(), PickleCodec(), SecretTexts())  # type: ignore[arg-type]  # a stand-in
        outbox.put(TaskResult(host="a", task_id=1, result={"bad": lambda: None}))
        outbox.put(TaskResult(host="b", task_id=1, result={"good": 1}))
        await asyncio.sleep(0)

    asyncio.run(send())
    (payload,) = FrameReader().feed(b"".join(written))
    bad, good = PickleCodec.decode(payload)
    assert (bad.host, bad.failed) == ("a", True)
    assert "cannot be kept" in bad.result["msg"]
    assert good.result == {"good": 1}
