"""How a session lets go of its Runner: without a round trip where nothing here waits for the program."""

from __future__ import annotations

import asyncio

import pytest

from pyplay.shipping.interpreter import Interpreter
from pyplay.shipping.session import RunnerSession


class Program:
    """A program whose end is never heard of; `asked` says that somebody waited for it."""

    def __init__(self, *, needs_waiting: bool) -> None:
        self.needs_waiting = needs_waiting
        self.asked = False
        self.ended = False

    def write(self, data: bytes) -> None:
        assert not self.ended, data

    async def drain(self) -> None:
        return

    def write_eof(self) -> None:
        self.ended = True

    async def read(self, _size: int) -> bytes:
        return await asyncio.get_running_loop().create_future()

    async def read_error(self, _size: int) -> bytes:
        return await asyncio.get_running_loop().create_future()

    async def wait(self) -> int:
        self.asked = True
        return 0

    def close(self) -> None:
        return


@pytest.mark.parametrize("needs_waiting", [False, True])
def test_only_a_program_that_needs_it_is_waited_for(*, needs_waiting: bool) -> None:
    program = Program(needs_waiting=needs_waiting)

    async def scenario() -> None:
        interpreter = Interpreter("/usr/bin/python3", (3, 11, 2), discovered=False)
        session = RunnerSession(program, interpreter, "h1", "h1", become=False, rest=b"")
        await session.close()

    asyncio.run(scenario())
    assert program.ended
    assert program.asked is needs_waiting
