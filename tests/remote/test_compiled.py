"""Hosts whose Python has the controller's bytecode get code of ours, others source; nobody can tell from the results."""

from __future__ import annotations

import json
import marshal
import subprocess
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from hosts import PYTHONS, builder, drive, local_options, write_module

from pyplay.connection.open import Connector
from pyplay.remote.bootstrap import BOOTSTRAP
from pyplay.remote.sources import Sources
from pyplay.shipping import client as client_module
from pyplay.shipping.bytecode import BYTECODE
from pyplay.shipping.client import RunnerClient
from pyplay.shipping.interpreter import parse_hello
from pyplay.shipping.payload import runner_payload
from pyplay.shipping.result import parse_result

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

THEIRS = """
import sys
from pyplay.remote.module_utils import flags, options
OPTIONS = {"options": {}}
def run(module):
    loader = options.__spec__.loader
    text = loader.get_source(options.__name__) if hasattr(loader, "codes") else None
    return {"source": text is not None, "file": options.options_of.__code__.co_filename}
if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main
    main(run, OPTIONS)
"""
BROKEN = "import sys\nfrom pyplay.remote.module_utils import options\noptions.options_of(3)\n"


@asynccontextmanager
async def client_on(python: str) -> AsyncIterator[RunnerClient]:
    """Give a Runner on this machine."""
    connector = Connector()
    connection = await connector.open(local_options())
    client = await RunnerClient.start(connection, None, python, host="h", address="a")
    try:
        yield client
    finally:
        await client.close()
        await connector.close()


def call_on(python: str, library: Path, *calls: tuple[str, dict[str, Any], dict[str, str]]) -> list[dict[str, Any]]:
    """Give the results of these calls (module, arguments, environment) in one Runner."""

    async def go() -> list[dict[str, Any]]:
        modules = builder(library)
        async with client_on(python) as client:
            return [
                parse_result(await client.call(modules.build(name), args, environment=environment))
                for name, args, environment in calls
            ]

    return drive(go())


@pytest.mark.parametrize("python", PYTHONS, ids=lambda path: path.parts[-3])
def test_a_host_says_which_bytecode_it_has(python: Path) -> None:
    command = [str(python), "-I", "-S", "-c", BOOTSTRAP, "MARKER"]
    done = subprocess.run(command, input=b"", capture_output=True, check=False, timeout=30)
    line = done.stdout.decode().strip().removeprefix("MARKER ")
    found = parse_hello(line, None)
    assert (found.bytecode == BYTECODE) is (found.version[:2] == sys.version_info[:2])


@pytest.fixture
def _keeping(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have compiled code kept in a directory of the test's own."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "kept"))
    runner_payload.cache_clear()
    yield
    runner_payload.cache_clear()


@pytest.mark.usefixtures("_keeping")
def test_code_and_source_give_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_module(tmp_path, "theirs.py", THEIRS)
    write_module(tmp_path, "broken.py", BROKEN)
    calls = [
        ("theirs", {}, {}),
        ("ping", {"data": "shared"}, {}),
        ("stat", {"path": "/"}, {}),
        ("setup", {"gather_subset": ["!all", "!min", "python"]}, {}),
        ("ping", {"data": "fresh"}, {"PYTHONWARNINGS": "error"}),
        ("theirs", {}, {"PYTHONWARNINGS": "error"}),
        ("broken", {}, {}),
    ]
    with_code = call_on(sys.executable, tmp_path, *calls)
    monkeypatch.setattr(client_module, "BYTECODE", "another")
    with_source = call_on(sys.executable, tmp_path, *calls)
    assert with_code[0].pop("source") is False
    assert with_source[0].pop("source") is True
    assert with_code[0]["file"] == with_source[0]["file"] == "pyplay/remote/module_utils/options.py"
    broken, told = (results.pop()["exception"].splitlines() for results in (with_code, with_source))
    assert [line for line in broken if " line " in line] == [line for line in told if " line " in line]
    for results in (with_code, with_source):
        results[2]["stat"].pop("atime")
        results[5].pop("file")  # in a directory of its own
    assert json.dumps(with_code, sort_keys=True) == json.dumps(with_source, sort_keys=True)


@pytest.mark.usefixtures("_keeping")
def test_what_is_far_gets_the_short_source_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_module(tmp_path, "theirs.py", THEIRS)
    monkeypatch.setattr("pyplay.connection.local.LocalConnection.far", True)
    assert call_on(sys.executable, tmp_path, ("theirs", {}, {}))[0]["source"] is True


def test_where_no_code_can_be_kept_source_travels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_module(tmp_path, "theirs.py", THEIRS)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "kept"))
    assert call_on(sys.executable, tmp_path, ("theirs", {}, {}))[0]["source"] is True


@pytest.mark.usefixtures("_keeping")
def test_a_host_that_gets_code_compiles_nothing() -> None:
    told = 'import sys;sys.addaudithook(lambda event,about:event=="compile"and sys.stderr.write(str(about[1])+"\\n"));'
    command = [sys.executable, "-I", "-S", "-c", told + BOOTSTRAP, "MARKER"]
    runs = [
        subprocess.run(command, input=runner_payload(compiled=compiled), capture_output=True, check=True, timeout=30)
        for compiled in (False, True)
    ]
    assert "pyplay/remote/runner.py" in runs[0].stderr.decode()
    assert runs[1].stderr == b""
    assert [part.name for part in builder().build("setup").parts if part.source and not part.code] == []


def test_a_part_is_read_as_what_came_last() -> None:
    sources = Sources()
    for text, compiled in (("a = 1", True), ("a = 2", False), ("a = 3", True)):
        code = compile(text, "part", "exec")
        sources.codes.clear()
        sources.take("digest", marshal.dumps(code) if compiled else text.encode(), compiled)
        assert sources.code("digest", "part").co_consts[0] == code.co_consts[0]
