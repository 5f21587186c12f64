"""Running machines that systemd-machined knows: `systemd-run --machine`, whose streams are plain.

`machinectl shell` always has a terminal, which changes bytes, and never tells how a program ended.
Source: systemd-run(1).
"""

from __future__ import annotations

import shlex

from pyplay.connection.engine import ROOT, Engine, Entry, Target, option


def enter(target: Target) -> Entry:
    """Give `systemd-run --machine=MACHINE … --`."""
    return Entry(
        words=(
            "systemd-run",
            f"--machine={target.address}",
            "--quiet",
            "--collect",
            "--wait",
            "--pty" if target.pty else "--pipe",
            *([f"--uid={target.user}"] if target.user else []),
            *shlex.split(target.options.get("extra_args", "")),
            "--",
        )
    )


MACHINECTL = Engine(
    name="machinectl",
    names=frozenset({"machinectl"}),
    entry=enter,
    hosts=("ansible_machinectl_host",),
    users=("ansible_machinectl_user",),
    default_user=ROOT,
    options=(option("extra_args", "ansible_machinectl_extra_args", "More words for systemd-run."),),
)
