"""Waiting for jobs in the background: their time is that of the clock, whatever the host does."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from pyplay.diagnostics.errors import HostUnreachable
from pyplay.workers.background import Background, wait_for_job

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

STARTED = {"ansible_job_id": "j1", "started": True, "finished": False}


@dataclass
class Host:
    """A remote whose answers are given by a coroutine; counts the questions."""

    answer: Callable[[int], Awaitable[dict[str, Any]]]
    asked: int = 0
    told: list[Any] = field(default_factory=list)

    async def module(self, name: str, args: Any, *, check_mode: bool) -> dict[str, Any]:
        assert (name, check_mode) == ("async_status", False)
        self.asked += 1
        return await self.answer(self.asked)

    async def route(self) -> Any:
        return SimpleNamespace(host="h", address="a"), None

    def wait(self, seconds: int, poll: int, patience: float = 0.1) -> dict[str, Any]:
        job = Background(seconds, poll)
        waiting = wait_for_job(
            self, dict(STARTED), job, asyncio.sleep, lambda *told: self.told.append(told), patience=patience
        )  # type: ignore[arg-type]
        return asyncio.run(waiting)


async def _hang(asked: int) -> dict[str, Any]:
    del asked
    await asyncio.sleep(60)
    return {}


async def _away(asked: int) -> dict[str, Any]:
    await asyncio.sleep(0.4)
    raise HostUnreachable("h", "a", f"no answer {asked}")


@pytest.mark.parametrize(
    ("answer", "message"), [(_hang, "no answer when the job's 2 s were over"), (_away, "no answer")]
)
def test_a_host_that_is_away_costs_no_more_than_the_time_of_the_job(
    answer: Callable[[int], Awaitable[dict[str, Any]]], message: str
) -> None:
    begin = time.monotonic()
    with pytest.raises(HostUnreachable, match=message):
        Host(answer).wait(2, 1)
    assert 1.9 < time.monotonic() - begin < 4


def test_a_host_that_comes_back_in_time_is_asked_on() -> None:
    async def answer(asked: int) -> dict[str, Any]:
        if asked == 1:
            raise HostUnreachable("h", "a", "away")
        return {**STARTED, "finished": asked > 2, "rc": 0}

    assert Host(answer).wait(5, 1)["rc"] == 0


def test_a_job_that_takes_too_long_fails() -> None:
    async def answer(asked: int) -> dict[str, Any]:
        del asked
        return dict(STARTED)

    assert "did not complete within the requested time" in Host(answer).wait(1, 1)["msg"]
