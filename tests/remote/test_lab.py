"""The Runner on the lab's hosts: real sudo, real Debian, every Python."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

import pytest
from hosts import LAB, builder, drive, lab_exec, lab_options, until, write_module

from pyplay.connection.base import BecomeOptions
from pyplay.connection.open import Connector
from pyplay.diagnostics.errors import HostUnreachable
from pyplay.shipping import session
from pyplay.shipping.client import RunnerClient
from pyplay.shipping.result import parse_result

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

pytestmark = [pytest.mark.lab, pytest.mark.skipif(not LAB, reason="no lab")]

PYTHONS = lab_exec("h1", "ls -d /opt/pythons/3.*/bin/python3.* | grep -v config | grep -v gdb").split() if LAB else []


@contextlib.asynccontextmanager
async def there(become: BecomeOptions | None = None, interpreter: str | None = None) -> AsyncIterator[RunnerClient]:
    """Give a Runner on the lab's first host."""
    connector = Connector()
    try:
        connection = await connector.open(lab_options())
        client = await RunnerClient.start(connection, become, interpreter, host="h1", address="198.18.0.11")
        try:
            yield client
        finally:
            await client.close()
    finally:
        await connector.close()


async def ask(client: RunnerClient, folder: Path, text: str) -> dict[str, Any]:
    """Run a module of this text."""
    write_module(folder, "probe.py", text)
    return parse_result(await client.call(builder(folder).build("probe"), {}))


@pytest.mark.parametrize("python", PYTHONS, ids=lambda path: path.rpartition("/")[2])
def test_every_python_of_the_host(python: str) -> None:
    async def go() -> None:
        async with there(BecomeOptions(), python) as client:
            assert parse_result(await client.call(builder().build("ping"), {}))["ping"] == "pong"

    drive(go())


def test_modules_that_need_them_find_the_hosts_packages(tmp_path: Path) -> None:
    async def go() -> None:
        async with there(BecomeOptions()) as client:
            assert client.interpreter.path == "/usr/bin/python3"
            answer = await ask(client, tmp_path, "import apt, json\nprint(json.dumps({'apt': apt.__name__}))\n")
            assert answer == {"apt": "apt"}

    drive(go())


def test_a_become_runner_sees_a_changed_group_file(tmp_path: Path) -> None:
    text = "import json, os\nprint(json.dumps({'ppid': os.getppid()}))\n"

    async def go() -> None:
        async with there(BecomeOptions()) as client, there() as plain:
            before = [await ask(each, tmp_path, text) for each in (client, plain)]
            assert [await ask(each, tmp_path, text) for each in (client, plain)] == before
            lab_exec("h1", "touch /etc/group")
            after = [await ask(each, tmp_path, text) for each in (client, plain)]
            assert after[0] != before[0]
            assert after[1] == before[1]

    drive(go())


def test_a_cut_network_ends_both_sides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "HEARTBEAT", 3.0)
    monkeypatch.setattr(session, "GRACE", 1.0)
    mark = "pyplay-cut-mark"
    text = f"import subprocess\nsubprocess.call(['sh', '-c', 'sleep 300; :', '{mark}'])\n"

    def running() -> bool:
        return mark in lab_exec("h3", "ps ax -o args | grep -v grep || true")

    async def go() -> None:
        connector = Connector()
        options = lab_options(host="h3", address="198.18.0.13")
        client = await RunnerClient.start(
            await connector.open(options), BecomeOptions(), host="h3", address="198.18.0.13"
        )
        call = asyncio.create_task(ask(client, tmp_path, text))
        assert await until(running)
        process = await asyncio.create_subprocess_exec(str(LAB), "cut", "h3")
        await process.wait()
        try:
            with pytest.raises(HostUnreachable, match="nothing was heard"):
                await asyncio.wait_for(call, 15)
            assert await until(lambda: not running(), 20)
            left = lab_exec("h3", f"ps ax -o args | grep {client.marker} | grep -v grep || true")
            assert not left
        finally:
            process = await asyncio.create_subprocess_exec(str(LAB), "heal", "h3")
            await process.wait()
            await client.close()
            await connector.close()

    drive(go(), 90)


def test_nothing_remains_after_a_close(tmp_path: Path) -> None:
    async def go() -> str:
        async with there(BecomeOptions()) as client:
            await ask(client, tmp_path, "print('{}')")
            marker = client.marker
            assert marker in lab_exec("h1", "ps ax -o args")
        return marker

    marker = drive(go())
    assert drive(until(lambda: marker not in lab_exec("h1", "ps ax -o args"), 5))
    assert "pyplay" not in lab_exec("h1", "ls -A /tmp /var/tmp /root /home/deploy")
