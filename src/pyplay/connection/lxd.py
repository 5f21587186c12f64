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


def _engine(name: str, program: str) -> Engine:
    """Describe LXD, or its fork that has the same words."""
    return Engine(
        name=name,
        names=frozenset({name, f"community.general.{name}"}),
        entry=partial(enter, program=program),
        hosts=(f"ansible_{name}_host",),
        shells=("ansible_executable", f"ansible_{name}_executable"),
        default_user=ROOT,
        options=(
            option("project", f"ansible_{name}_project", "The project of the instance."),
            option("remote", f"ansible_{name}_remote", "The server of the instance."),
            option("become_method", f"{name}_become_method", "The program that becomes another user than root."),
        ),
    )


LXD = _engine("lxd", "lxc")
INCUS = _engine("incus", "incus")
