"""asyncssh's options of a connection, made in the loop.

asyncssh makes them in a thread, lest reading keys and configuration hold up other connections. Ours are read already,
and making the options takes 0.3 ms; the thread costs as much again, and the loop waits for the interpreter's lock.
"""

from __future__ import annotations

import asyncio
from typing import Any

from asyncssh import SSHClientConnectionOptions

_Options: Any = SSHClientConnectionOptions


def make_options_here() -> None:
    """Have clients in this process make their options without a thread."""
    _Options.construct = classmethod(_construct)


async def _construct(kind: Any, options: Any = None, **given: Any) -> Any:
    return kind(options, loop=asyncio.get_running_loop(), **given)
