"""The machine around the container that pyplay itself runs in: `nsenter`. Source: nsenter(1)."""

from __future__ import annotations

from pyplay.connection.engine import ROOT, Engine, Entry, Target, option

NAMESPACES = ("--ipc", "--mount", "--net", "--pid", "--uts")


def enter(target: Target) -> Entry:
    """Give `nsenter … --target=PID --`: the first process is the machine's own."""
    pid = target.options.get("pid") or "1"
    return Entry(words=("nsenter", *NAMESPACES, "--preserve-credentials", f"--target={pid}", "--"))


NSENTER = Engine(
    name="nsenter",
    names=frozenset({"nsenter", "community.docker.nsenter"}),
    entry=enter,
    takes_user=False,
    default_user=ROOT,
    options=(
        option(
            "pid",
            "ansible_nsenter_pid",
            "The process whose namespaces are entered.",
            env="ANSIBLE_NSENTER_PID",
            ini="nsenter_connection.nsenter_pid",
        ),
    ),
)
