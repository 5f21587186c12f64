"""Directories that hold a whole system: `chroot`, and `systemd-nspawn`, which starts a container for each program.

Source: chroot(1), systemd-nspawn(1).
"""

from __future__ import annotations

import shlex

from pyplay.connection.engine import ROOT, Engine, Entry, Target, option


def enter_chroot(target: Target) -> Entry:
    """Give `chroot DIRECTORY`."""
    return Entry(words=(*shlex.split(target.options.get("exe") or "chroot"), target.address))


def enter_nspawn(target: Target) -> Entry:
    """Give `systemd-nspawn … --directory DIRECTORY --`, or of a machine's name, an image of /var/lib/machines.

    Several may be in one directory, as Runners of several users: so it is not locked, and registered under no name.
    """
    where = "--directory" if "/" in target.address else "--machine"
    return Entry(
        words=(
            *shlex.split(target.options.get("exe") or "systemd-nspawn"),
            "--quiet",
            "--as-pid2",
            "--register=no",
            "--keep-unit",
            "--console=interactive" if target.pty else "--console=pipe",
            f"{where}={target.address}",
            *([f"--user={target.user}"] if target.user else []),
            *shlex.split(target.options.get("extra_args", "")),
            "--",
        ),
        environment={"SYSTEMD_NSPAWN_LOCK": "0"},
    )


CHROOT = Engine(
    name="chroot",
    names=frozenset({"chroot", "community.general.chroot"}),
    entry=enter_chroot,
    shells=("ansible_executable",),
    takes_user=False,
    default_user=ROOT,
    options=(
        option(
            "exe",
            "ansible_chroot_exe",
            "The program to call.",
            env="ANSIBLE_CHROOT_EXE",
            ini="chroot_connection.exe",
        ),
    ),
)
NSPAWN = Engine(
    name="nspawn",
    names=frozenset({"nspawn"}),
    entry=enter_nspawn,
    hosts=("ansible_nspawn_host",),
    users=("ansible_nspawn_user",),
    default_user=ROOT,
    options=(
        option("exe", "ansible_nspawn_exe", "The program to call."),
        option("extra_args", "ansible_nspawn_extra_args", "More words for it."),
    ),
)
