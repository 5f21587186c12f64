"""What a worker sends to the controller."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from pyplay.workers import outcome
from pyplay.workers.frames import frame
from pyplay.workers.messages import ItemResult, TaskResult
from pyplay.workers.wire import Foretold, Secrets

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyplay.templating.secrets import SecretTexts
    from pyplay.workers.wire import Codec

_PATIENCE = 0.004
"""Seconds that an answer may wait for others to share its frame with."""


class Outbox:
    """Sends what was put in one turn of the loop as one frame, and before it the `secrets` that are new.

    A turn may be long: a round of many hosts that only compute is one. The first answer of a run leaves at once, and
    later ones wait for no more than a moment.
    """

    def __init__(
        self,
        writer: asyncio.StreamWriter,
        codec: Codec,
        secrets: SecretTexts,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock = clock
        self._writer, self._codec, self._secrets = writer, codec, secrets
        self._told = len(secrets)
        self._waiting: list[Any] = []
        self._patience = 0.0
        self._until = 0.0  # when what waits has waited long enough

    def put(self, *messages: Any) -> None:
        """Queue messages, which leave in one frame, before the loop's next turn."""
        now = self._clock()
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._flush)
            self._until, self._patience = now + self._patience, _PATIENCE
        self._waiting += messages
        if now >= self._until:
            self._flush()

    def _flush(self) -> None:
        messages, self._waiting = self._waiting, []
        if len(self._secrets) != self._told:
            messages.insert(0, Secrets(tuple(self._secrets)[self._told :]))
            self._told = len(self._secrets)
        if messages and not self._writer.is_closing():
            self._writer.write(frame(self._encoded(messages)))

    def _encoded(self, messages: list[Any]) -> bytes:
        """Give `messages` as bytes; a result that cannot travel is replaced by a failure that says so."""
        try:
            return self._codec.encode(messages)
        except Exception:  # noqa: BLE001  # values come from plugins and may be anything
            return self._codec.encode([self._travelling(message) for message in messages])

    def _travelling(self, message: Any) -> Any:
        try:
            self._codec.encode(message)
        except Exception as error:
            failed = outcome.failure(f"Task failed: the result holds what cannot be kept as a variable: {error}")
            if isinstance(message, TaskResult):
                return TaskResult(host=message.host, task_id=message.task_id, result=failed, failed=True)
            if isinstance(message, ItemResult):
                return ItemResult(host=message.host, task_id=message.task_id, result=failed)
            if isinstance(message, Foretold):
                return Foretold(tuple(self._travelling(result) for result in message.results))
            raise
        return message

    async def close(self) -> None:
        """Send what is left and close the channel."""
        self._flush()
        self._writer.close()
        try:
            await self._writer.wait_closed()
        except OSError:
            return
