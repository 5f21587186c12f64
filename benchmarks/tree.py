"""Run one program and measure it with all that it starts, also what it leaves behind.

The measuring is done by a process that adopts orphans (Linux's child subreaper): a worker whose parent has gone is
waited for as well, so that the figures hold whichever way a program arranges its processes.
"""

from __future__ import annotations

import ctypes
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36
LEFT_OVER_SECONDS = 3.0


def children(pid: int) -> list[int]:
    """Give the processes that have `pid` as their parent."""
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def reap() -> None:
    """Wait for all orphans; end those that stay (ssh masters that other tools leave)."""
    until = time.monotonic() + LEFT_OVER_SECONDS
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not pid:
            if time.monotonic() > until:
                for orphan in children(os.getpid()):
                    os.kill(orphan, signal.SIGTERM)
            time.sleep(0.01)


def main(argv: list[str]) -> int:
    """Run `argv[3:]` and write its figures as JSON to the file `argv[0]`.

    Figures: seconds of wall and CPU, the largest process's MB, and the seconds until a line that begins with the
    pattern `argv[1]` came. With `argv[2]` "stop" the program is ended there.
    """
    figures_path, pattern, stop, *command = argv
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    figures: dict[str, float] = {}
    for line in process.stdout:
        sys.stdout.buffer.write(line)
        if re.match(pattern.encode(), line):
            figures["first"] = time.perf_counter() - begin
            if stop == "stop":
                process.terminate()
            break
    shutil.copyfileobj(process.stdout, sys.stdout.buffer)  # looking at more would take time from what is measured
    code = process.wait()
    figures["wall"] = time.perf_counter() - begin
    sys.stdout.flush()
    reap()
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    figures |= {"cpu": usage.ru_utime + usage.ru_stime, "peak_mb": usage.ru_maxrss / 1024}
    Path(figures_path).write_text(json.dumps(figures))
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
