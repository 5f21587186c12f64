"""Where templates are rendered: at once on the loop, or in a thread if a lookup that may block is met.

Rendering a compiled template takes some 20 µs: nearly all of it is done in place. A lookup that runs a program or asks
the network must not stop the heartbeats of other hosts: the worker's registry of lookups is wrapped so that such a
lookup, met on the loop's thread, raises `BlockingLookup`; the whole rendering is then done again in a thread.
Rendering has no effects before its first lookup, so doing it again is safe.
"""

from __future__ import annotations

import asyncio
import functools
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from pyplay.workers.ahead import refuse_ahead

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import ThreadPoolExecutor

T = TypeVar("T")

# Lookups that only compute, or read one local file: they may run on the loop.
QUICK_LOOKUPS = frozenset({
    "config", "dict", "env", "file", "fileglob", "first_found", "indexed_items", "ini", "inventory_hostnames", "items",
    "list", "nested", "random_choice", "sequence", "subelements", "together", "varnames", "vars",
})  # fmt: skip


class BlockingLookup(BaseException):
    """A lookup that may block was met on the loop. Not an Exception: `errors='ignore'` must not swallow it."""


class GuardedLookups(Mapping[str, "Callable[..., Any]"]):
    """Lookups by name; those that may block refuse to run on the main thread. `found` may find plugins when asked."""

    def __init__(self, found: Mapping[str, Callable[..., Any]]) -> None:
        self._found = found
        self._guarded: dict[str, Callable[..., Any]] = {}

    def __getitem__(self, name: str) -> Callable[..., Any]:
        run = self._guarded.get(name)
        if run is None:
            found = self._found[name]
            run = self._guarded[name] = _guarded(found, quick=_short(name) in QUICK_LOOKUPS)
        return run

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


def _short(name: str) -> str:
    return name.removeprefix("ansible.builtin.").removeprefix("ansible.legacy.")


def _guarded(run: Callable[..., Any], *, quick: bool) -> Callable[..., Any]:
    @functools.wraps(run)
    def guarded(*args: Any, **options: Any) -> Any:
        refuse_ahead()  # what it reads may be what an item before this one changes
        if not quick and threading.current_thread() is threading.main_thread():
            raise BlockingLookup
        return run(*args, **options)

    return guarded


class Evaluator:
    """Runs rendering functions, in a thread where they may block. `threads` bounds how many block at once."""

    def __init__(self, threads: int = 32) -> None:
        self._threads = threads
        self._executor: ThreadPoolExecutor | None = None

    async def run(self, function: Callable[..., T], *args: Any) -> T:
        """Give `function(*args)`; must be free of effects up to its first blocking lookup."""
        try:
            return function(*args)
        except BlockingLookup:
            return await self.in_thread(function, *args)

    async def in_thread(self, function: Callable[..., T], *args: Any) -> T:
        """Give `function(*args)`, run in a thread. When cancelled, the thread is left to end by itself."""
        if self._executor is None:
            from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415  # few runs ask for it

            self._executor = ThreadPoolExecutor(self._threads, thread_name_prefix="render")
        return await asyncio.get_running_loop().run_in_executor(self._executor, function, *args)
