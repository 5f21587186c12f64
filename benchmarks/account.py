"""What a process and all that it starts use of the CPU: the kernel's account of a control group."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

_LEAVING = 5.0  # seconds for the group's last processes


class Account:
    """The account of a process from now on; where no control group can be made, of its children that have ended."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._group = _group(pid)

    def seconds(self) -> float:
        """Give the CPU seconds used so far."""
        if self._group is None:
            words = Path(f"/proc/{self._pid}/stat").read_text().rpartition(")")[2].split()
            return sum(map(int, words[11:15])) / os.sysconf("SC_CLK_TCK")
        if (old := self._group / "cpuacct.usage").exists():
            return int(old.read_text()) / 1e9
        words = (self._group / "cpu.stat").read_text().split()
        return int(words[words.index("usage_usec") + 1]) / 1e6

    def close(self) -> None:
        """Give up the group, once all that was in it has ended."""
        until = time.monotonic() + _LEAVING
        while self._group is not None and time.monotonic() < until:
            try:
                self._group.rmdir()
            except OSError:
                time.sleep(0.05)
            else:
                return


def _group(pid: int) -> Path | None:
    """Make a group with an account and put `pid` into it; None where we may not."""
    for root in _roots():
        group = root / f"pyplay-bench-{pid}"
        with contextlib.suppress(OSError):
            group.mkdir()
            try:
                (group / "cgroup.procs").write_text(f"{pid}\n")
            except OSError:
                group.rmdir()
                raise
            return group
    return None


def _roots() -> list[Path]:
    """Give where groups with an account can be made: version 1 with cpuacct, then version 2."""
    mounts = [line.split() for line in Path("/proc/mounts").read_text().splitlines()]
    old = [Path(words[1]) for words in mounts if words[2] == "cgroup" and "cpuacct" in words[3].split(",")]
    return old + [Path(words[1]) for words in mounts if words[2] == "cgroup2"]
