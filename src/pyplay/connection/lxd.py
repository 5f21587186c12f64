"""LXD and Incus: `lxc exec`, `incus exec`. Source: the pages of `lxc exec --help` and `incus exec --help`."""

from __future__ import annotations

import shlex
from functools import partial

from pyplay.connection.engine import ROOT, Engine, Entry, Target, option

AS_USER = 'exec "$0" "$@"'


def enter(target: Target, *, program: str) -> Entry:
    """Give `lxc … exec … REMOTE:INSTANCE --`, and the words that become the user, who is root otherwise.

    Both programs know users by number alone, so there is `su`, as Ansible has it.
    """
    options = target.options
    become: list[str] = []
    if target.user is not None and target.user != ROOT:
        su = shlex.split(options.get("become_method") or "/bin/su")
        become = [*su, "-s", "/bin/sh", target.user, "-c", AS_USER]
    return Entry(
        words=(
            program,
            *(["--project", options["project"]] if options.get("project") else []),
            "exec",
            "--force-interactive" if target.pty else "--force-noninteractive",
            f"{options.get('remote') or 'local'}:{target.address}",
            "--",
            *become,
        )
    )


LXD = Engine(
    name="lxd",
    names=frozenset({"lxd", "community.general.lxd"}),
    entry=partial(enter, program="lxc"),
    hosts=("ansible_lxd_host",),
    shells=("ansible_executable", "ansible_lxd_executable"),
    default_user=ROOT,
    options=(
        option("project", "ansible_lxd_project", "The project of the instance."),
        option("remote", "ansible_lxd_remote", "The server of the instance."),
        option("become_method", "lxd_become_method", "The program that becomes another user than root."),
    ),
)
INCUS = Engine(
    name="incus",
    names=frozenset({"incus", "community.general.incus"}),
    entry=partial(enter, program="incus"),
    hosts=("ansible_incus_host",),
    shells=("ansible_executable", "ansible_incus_executable"),
    default_user=ROOT,
    options=(
        option("project", "ansible_incus_project", "The project of the instance."),
        option("remote", "ansible_incus_remote", "The server of the instance."),
        option("become_method", "incus_become_method", "The program that becomes another user than root."),
    ),
)
