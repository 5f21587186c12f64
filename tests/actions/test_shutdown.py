"""community.general.shutdown, with a real shell and a program in shutdown's place."""

from __future__ import annotations

import asyncio
import subprocess
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from pyplay.actions import shutdown
from pyplay.actions.base import ActionFailed

if TYPE_CHECKING:
    from pathlib import Path


class Elsewhere:
    """A host that is not this machine, though its shell is."""

    def __init__(self, *, local: bool = False) -> None:
        self.local = local

    async def is_local(self) -> bool:
        return self.local

    async def raw(self, command: str) -> dict[str, Any]:
        done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, check=False, env={"PATH": ""})  # noqa: ASYNC221  # ends at once
        return {"rc": done.returncode, "stdout": done.stdout, "stderr": done.stderr}


def shut_down(args: dict[str, Any], *, check_mode: bool = False, local: bool = False) -> dict[str, Any]:
    """Give the result of the action."""
    call = SimpleNamespace(args=args, remote=Elsewhere(local=local), check_mode=check_mode)
    return asyncio.run(shutdown.run(call))  # type: ignore[arg-type]  # what the action uses of a call


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A directory with a shutdown that writes its words down."""
    folder = tmp_path / "s bin"
    folder.mkdir()
    (folder / "shutdown").write_text(f'#!/bin/sh\nfor word; do echo "$word"; done > "{folder}/said"\n')
    (folder / "shutdown").chmod(0o755)
    return folder


@pytest.mark.parametrize(
    ("given", "words"),
    [
        pytest.param({}, ["-h", "0", "Shut down initiated by pyplay"], id="now"),
        pytest.param({"delay": 59}, ["-h", "0", "Shut down initiated by pyplay"], id="less than a minute"),
        pytest.param({"delay": "125", "msg": "it's $over"}, ["-h", "2", "it's $over"], id="later"),
    ],
)
def test_the_host_is_shut_down(folder: Path, given: dict[str, Any], words: list[str]) -> None:
    args = {"search_paths": ["/absent", str(folder)], **given}
    planned = shut_down(args, check_mode=True)
    assert not (folder / "said").exists()
    done = shut_down(args)
    assert done == planned
    assert (done["changed"], done["shutdown"]) == (True, True)
    assert (folder / "said").read_text().splitlines() == words


@pytest.mark.parametrize(
    ("args", "local", "message"),
    [
        pytest.param({}, True, "would shutdown the control node", id="local"),
        pytest.param({"serch_paths": []}, False, "serch_paths", id="unknown option"),
        pytest.param({"delay": "soon"}, False, "delay", id="no number"),
        pytest.param({"search_paths": ["/absent"]}, False, 'Unable to find command "shutdown"', id="no program"),
    ],
)
def test_what_is_refused(args: dict[str, Any], message: str, *, local: bool) -> None:
    with pytest.raises(ActionFailed) as failed:
        shut_down(args, check_mode=True, local=local)
    assert message in failed.value.msg


def test_a_shutdown_that_fails_is_told(folder: Path) -> None:
    (folder / "shutdown").write_text("#!/bin/sh\necho no >&2\nexit 1\n")
    with pytest.raises(ActionFailed) as failed:
        shut_down({"search_paths": [str(folder)]})
    assert "Shutdown command failed" in failed.value.msg
