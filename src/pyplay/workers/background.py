"""Tasks with `async`: started in the background on the host, and waited for by asking again and again (`poll`)."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.dataclass import dataclass
from pyplay.diagnostics.errors import HostUnreachable
from pyplay.templating.omit import OMIT
from pyplay.workers.messages import JobState
from pyplay.workers.values import number, resolve_keyword, variable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from pyplay.actions.base import Remote
    from pyplay.playbook.model import Task
    from pyplay.shipping.client import AsyncJob
    from pyplay.source.settings import Settings
    from pyplay.templating.templar import Templar


ANSWER = 5.0  # seconds that the host has for its last answer


@dataclass(frozen=True, slots=True)
class Background:
    """How a task runs in the background: its time limit, and the seconds between questions (0: nobody asks).

    `directory` is where status files are on the host, None for its default.
    """

    seconds: int
    poll: int
    directory: str | None = None

    def job(self) -> AsyncJob:
        """Give the task's next job, of a name that no other has."""
        import secrets  # noqa: PLC0415  # what talks to hosts is loaded where some task does

        from pyplay.shipping.client import AsyncJob  # noqa: PLC0415

        return AsyncJob(f"j{secrets.randbelow(10**12):012d}.{os.getpid()}", self.seconds, self.directory)


def background_of(templar: Templar, task: Task, settings: Settings) -> Background | None:
    """Give how `task` runs in the background, None if it does not."""
    if task.async_seconds is None:
        return None
    rendered = resolve_keyword(templar, task.async_seconds, "async")
    seconds = 0 if rendered is OMIT else int(number(rendered, "async"))
    if seconds <= 0:
        return None
    poll = (
        settings.poll_interval
        if task.poll is None
        else int(number(resolve_keyword(templar, task.poll, "poll"), "poll"))
    )
    directory = variable(templar, "ansible_async_dir")
    return Background(seconds, max(0, poll), settings.async_dir if directory is None else str(directory))


async def wait_for_job(
    remote: Remote,
    started: dict[str, Any],
    background: Background,
    sleep: Callable[[float], Awaitable[Any]],
    tell: Callable[[JobState, dict[str, Any]], None],
    *,
    patience: float = ANSWER,
) -> dict[str, Any]:
    """Ask for a job's status until it has ended; return its result. A connection lost meanwhile is made again.

    `tell` is called with each status that was heard. The job's time is that of the clock, however long each question
    takes; the last one gets `patience` seconds.
    Raises HostUnreachable if the host is still away when the job's time is over.
    """
    args = {"jid": started["ansible_job_id"], "_async_dir": background.directory}
    clock = asyncio.get_running_loop().time
    end, slept = clock() + background.seconds, 0.0
    status, lost = started, None
    while (left := min(end - clock(), background.seconds - slept)) > 0:
        nap = min(background.poll, left)
        await sleep(nap)
        slept += nap
        try:
            async with asyncio.timeout_at(max(end, clock() + patience)):
                status, lost = await remote.module("async_status", args, check_mode=False), None
        except HostUnreachable as error:
            lost = error
            continue
        except TimeoutError:
            lost = await _silent(remote, background.seconds)
            continue
        if status.get("finished") or status.get("failed"):
            break
        if slept < background.seconds:
            tell(JobState.POLL, status)
    if lost is not None:
        raise lost
    tell(JobState.OK if _went_well(status) else JobState.FAILED, {**started, **status})
    if not status.get("finished"):
        msg = f"async task did not complete within the requested time - {background.seconds}s"
        return {"failed": True, "changed": False, "msg": msg, "async_result": status}
    await remote.module("async_status", {**args, "mode": "cleanup"}, check_mode=False)
    return {key: value for key, value in status.items() if key != "elapsed"}


async def _silent(remote: Remote, seconds: int) -> HostUnreachable:
    """Return the error for a host that did not answer before the job's time was over."""
    where, _ = await remote.route()
    return HostUnreachable(where.host, where.address, f"no answer when the job's {seconds} s were over")


def _went_well(status: Mapping[str, Any]) -> bool:
    return bool(status.get("finished")) and not status.get("failed") and status.get("rc") in (None, 0, "0")
