"""Signals that end a run in its middle: reports are whole, and the process ends as the signal wants."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import CommandLine

PLAY = """
- hosts: localhost
  gather_facts: false
  tasks:
    - debug: {msg: before}
    - command: sh -c 'touch reached; exec sleep 20'
    - debug: {msg: after}
"""


def ended(
    pyplay: CommandLine, number: int, callback: str, prepare: Callable[[], object] | None = None
) -> tuple[int, str, str]:
    """Give exit status, output and errors of a run that gets a signal while its second task runs."""
    pyplay.write({"site.yml": PLAY})
    environ = {**pyplay.environ, "ANSIBLE_STDOUT_CALLBACK": callback}
    argv = [sys.executable, "-m", "pyplay", "site.yml"]
    with subprocess.Popen(
        argv, cwd=pyplay.root, env=environ, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, start_new_session=True, preexec_fn=prepare,  # noqa: PLW1509  # one thread
    ) as process:  # fmt: skip
        end = time.monotonic() + 60
        while not (pyplay.root / "reached").exists() and time.monotonic() < end:
            time.sleep(0.05)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    return process.returncode, out, err


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_the_recap_is_shown(pyplay: CommandLine, number: signal.Signals) -> None:
    status, out, err = ended(pyplay, number, "default")
    assert status == -number
    assert "\nPLAY RECAP *" in out
    assert f"the run was interrupted by {number.name}" in err


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_document_is_whole(pyplay: CommandLine, number: signal.Signals) -> None:
    status, out, _ = ended(pyplay, number, "json", lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
    assert status == (99 if number == signal.SIGINT else -number)
    assert json.loads(out)["plays"][0]["tasks"][0]["hosts"]["localhost"]["msg"] == "before"


def test_what_is_ignored_stays_ignored(pyplay: CommandLine) -> None:
    pyplay.write({"site.yml": PLAY.replace("exec sleep 20", "sleep 1")})
    with subprocess.Popen(
        [sys.executable, "-m", "pyplay", "site.yml"], cwd=pyplay.root, env=pyplay.environ, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, text=True, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),  # noqa: PLW1509  # one thread
    ) as process:  # fmt: skip
        while not (pyplay.root / "reached").exists() and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGHUP)
        out, _ = process.communicate(timeout=60)
    assert (process.returncode, '"msg": "after"' in out) == (0, True)


INTERRUPTED_WHILE_LOADING = """
import sys
class Keyboard:
    def find_spec(self, name, path=None, target=None):
        if name == "pyplay.cli.edge":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Keyboard())
from pyplay.cli.main import main
main(["-i", "localhost,", "site.yml"])
"""


def test_an_interrupt_while_the_command_is_loaded_is_told_in_one_line() -> None:
    command = [sys.executable, "-c", INTERRUPTED_WHILE_LOADING]
    done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert (done.returncode, done.stdout, done.stderr) == (99, "", "[ERROR]: User interrupted execution\n")
