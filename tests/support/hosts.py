"""Hosts for tests: connections of every kind, and an event loop per test."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from embedded_hosts import USER, EmbeddedHost, Fleet, HostRules

from pyplay.connection.base import ConnectionOptions
from pyplay.connection.open import Connector
from pyplay.shipping.build import ModuleBuilder
from pyplay.shipping.client import RunnerClient
from pyplay.shipping.search import ModuleSearch

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine

LAB = os.environ.get("PYPLAY_LAB")
LAB_DIR = Path(os.environ.get("LAB_DIR", "/var/tmp/lab"))


def _pythons() -> list[Path]:
    """Give the interpreters to try: those of pyenv and of PYPLAY_PYTHONS (paths parted by :), the oldest first.

    The directory above its `bin` says the version of each.
    """
    found = [*Path("~/.pyenv/versions").expanduser().glob("3.*/bin/python")]
    found += [Path(word) for word in os.environ.get("PYPLAY_PYTHONS", "").split(":") if word]
    return sorted(found, key=lambda path: [int(word) for word in re.findall(r"\d+", path.parts[-3])])


PYTHONS = _pythons()
OLDEST_AND_NEWEST = PYTHONS[:: max(1, len(PYTHONS) - 1)]


def drive(coroutine: Coroutine[object, object, object], seconds: float = 60) -> object:
    """Run a test's coroutine to its end, in a loop of its own."""
    return asyncio.run(asyncio.wait_for(coroutine, seconds))


def ssh_options(fleet: Fleet, host: EmbeddedHost, **changes: object) -> ConnectionOptions:
    """Give the options that reach an embedded host."""
    values: dict[str, object] = {
        "host": host.name,
        "address": "127.0.0.1",
        "port": host.port,
        "user": USER,
        "private_key_file": str(fleet.key_file),
        "ssh_common_args": f"-F none -o UserKnownHostsFile={fleet.known_hosts} -o IdentityAgent=none",
    }
    return ConnectionOptions(**{**values, **changes})


@contextlib.asynccontextmanager
async def embedded(tmp_path: Path, count: int = 1, **rules: object) -> AsyncIterator[tuple[Fleet, Connector]]:
    """Give running embedded hosts and a connector."""
    fleet = Fleet(tmp_path / "fleet", [f"e{number}" for number in range(1, count + 1)], HostRules(**rules))
    await fleet.start()
    connector = Connector()
    try:
        yield fleet, connector
    finally:
        await connector.close()
        await fleet.stop()


def local_options(**changes: object) -> ConnectionOptions:
    """Give the options of a local connection."""
    return ConnectionOptions(**{"kind": "local", "host": "localhost", "address": "localhost", **changes})


def lab_options(**changes: object) -> ConnectionOptions:
    """Give the options that reach the lab's first host."""
    values: dict[str, object] = {
        "host": "h1",
        "address": "198.18.0.11",
        "user": "deploy",
        "private_key_file": str(LAB_DIR / "id_ed25519"),
        "ssh_common_args": f"-F none -o UserKnownHostsFile={LAB_DIR / 'known_hosts'} -o IdentityAgent=none",
    }
    return ConnectionOptions(**{**values, **changes})


def lab_exec(host: str, command: str) -> str:
    """Run a shell line as root inside a host of the lab, without SSH."""
    words = [str(LAB), "exec", host, "--", "sh", "-c", command]
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout


@contextlib.asynccontextmanager
async def runner(
    interpreter: str | None = None, become: object = None, **options: object
) -> AsyncIterator[RunnerClient]:
    """Give a Runner on this machine."""
    connector = Connector()
    try:
        connection = await connector.open(local_options(**options))
        client = await RunnerClient.start(connection, become, interpreter, host="localhost", address="localhost")
        try:
            yield client
        finally:
            await client.close()
    finally:
        await connector.close()


def builder(*library: Path) -> ModuleBuilder:
    """Give a builder that finds modules in these directories, then the built-in ones."""
    return ModuleBuilder(ModuleSearch(None, module_path=[str(folder) for folder in library]))


def write_module(folder: Path, name: str, text: str) -> Path:
    """Write a module's file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(text)
    return path


async def until(condition: object, seconds: float = 10) -> bool:
    """Wait until `condition()` holds; gives whether it does."""
    for _ in range(int(seconds / 0.05)):
        if condition():
            return True
        await asyncio.sleep(0.05)
    return bool(condition())
