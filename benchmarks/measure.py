"""Measure one call: wall time, CPU of the whole process tree and of the hosts' side, memory, first result."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from contestants import Call
    from sshd import Hosts

HERE = Path(__file__).parent
LONGEST = 1800  # seconds a run may take
LOOK = 0.05  # seconds between looks at the hosts' memory
SETTLE = 0.4  # seconds until sshd has waited for its children


def measure(call: Call, hosts: Hosts, *, big: bool = False) -> tuple[dict[str, float], str]:
    """Run a call; give its figures and its output, with `big` the hosts' memory too. Raises SystemExit if it fails."""
    with tempfile.NamedTemporaryFile() as figures:
        environment = os.environ | {"ANSIBLE_LOCALHOST_WARNING": "0"} | call.environment
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        before = hosts.cpu()
        stop = "stop" if call.stop else "run"
        command = [sys.executable, str(HERE / "tree.py"), figures.name, call.first, stop, *call.command]
        with largest_on_hosts(hosts) if big else contextlib.nullcontext([0.0]) as largest:
            done = subprocess.run(
                command, env=environment, capture_output=True, text=True, check=False, timeout=LONGEST
            )
        if done.returncode and not call.stop:
            raise SystemExit(
                f"{' '.join(call.command)} ended with {done.returncode}:\n{(done.stdout + done.stderr)[-3000:]}"
            )
        found = json.loads(Path(figures.name).read_text())
        if big:
            found["hosts_peak_mb"] = largest[0]
    time.sleep(SETTLE)
    found["hosts_cpu"] = hosts.cpu() - before
    return found, done.stdout + done.stderr


@contextlib.contextmanager
def largest_on_hosts(hosts: Hosts) -> Iterator[list[float]]:
    """Look at the hosts' programs while the context lasts; gives a list whose one member is the largest's MB."""
    largest, ended = [0.0], threading.Event()

    def look() -> None:
        while not ended.wait(LOOK):
            largest[0] = max(largest[0], hosts.largest())

    looking = threading.Thread(target=look)
    looking.start()
    try:
        yield largest
    finally:
        ended.set()
        looking.join()
