"""Options of connections are made where they are used."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import asyncssh
from hosts import drive, embedded, ssh_options

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_a_login_starts_no_thread_for_its_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where: list[threading.Thread] = []
    prepare: Any = asyncssh.SSHClientConnectionOptions.prepare

    def watched(self: Any, *args: Any, **given: Any) -> None:
        where.append(threading.current_thread())
        prepare(self, *args, **given)

    monkeypatch.setattr(asyncssh.SSHClientConnectionOptions, "prepare", watched)

    async def go() -> None:
        async with embedded(tmp_path) as (fleet, connector):
            await connector.open(ssh_options(fleet, fleet.hosts[0]))

    drive(go())
    assert where == [threading.main_thread()]
