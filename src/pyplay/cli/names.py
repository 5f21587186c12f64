"""The names that pyplay answers to: its own, and those of Ansible's programs, through a link or a copy of its script.

Under a name of Ansible's the command, `--version`, usage lines and the first lines of errors are what wrappers parse
(Vagrant, Packer, Molecule, ansible-lint, ansible-runner look at them).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyplay.workers.zygote import Zygote

ANSIBLE_NAMES = {
    "ansible": "adhoc",
    "ansible-config": "config",
    "ansible-doc": "doc",
    "ansible-inventory": "inventory",
    "ansible-playbook": "playbook",
    "ansible-vault": "vault",
}
"""Ansible's programs and the command of pyplay that each is."""

INTERRUPTED = 99
INTERRUPTION = "[ERROR]: User interrupted execution"
"""The exit code of who was interrupted from the keyboard, and what is said then."""

COMMANDS = {
    "adhoc": "pyplay.cli.adhoc",
    "config": "pyplay.cli.config",
    "doc": "pyplay.cli.doc",
    "install": "pyplay.cli.install",
    "inventory": "pyplay.cli.inventory",
    "links": "pyplay.cli.links",
    "mirror": "pyplay.cli.mirror",
    "module": "pyplay.cli.module",
    "playbook": "pyplay.cli.playbook",
    "vault": "pyplay.cli.vault",
}
"""Subcommands and the module whose `command` runs them; without one, the arguments are those of `playbook`."""

TELLING = frozenset(COMMANDS) - {"adhoc", "playbook"}
"""Those that only tell something, or change files here."""

_TELLS = ("--he", "-h", "--list", "--syn", "--vers")
"""How options begin that make a run tell something, too; options may be shortened."""

REFUSED_NAMES = {
    "ansible-console": "run modules one by one with `ansible` (pyplay adhoc)",
    "ansible-galaxy": "install roles and collections with `pyplay install`, or with ansible-core's own ansible-galaxy",
    "ansible-pull": "fetch with git, then run `ansible-playbook -c local -i localhost, PLAYBOOK`",
    "ansible-test": "test collections with ansible-core's own ansible-test",
}
"""Ansible's programs that pyplay is not, and what to do instead."""


class Program:
    """What pyplay was started as. `name` is how it calls itself; `command` is None where arguments choose it.

    `zygote` was forked when it began, where it will probably run something on hosts.
    """

    def __init__(self, name: str = "pyplay", command: str | None = None, zygote: Zygote | None = None) -> None:
        self.name, self.command, self.zygote = name, command, zygote

    @property
    def is_ansible(self) -> bool:
        """Tell whether it goes by a name of Ansible's."""
        return self.command is not None

    def called(self, command: str) -> str:
        """Give how `command` is called in usage lines."""
        return self.name if self.is_ansible or command == "playbook" else f"{self.name} {command}"


def program_of(started_as: str, zygote: Zygote | None = None) -> Program:
    """Give the program that the path `started_as` (the process's first word) names; pyplay for all other names."""
    name = os.path.basename(started_as)  # noqa: PTH119  # pathlib takes 3 ms
    return Program(name, ANSIBLE_NAMES[name], zygote) if name in ANSIBLE_NAMES else Program(zygote=zygote)


def will_run(words: Sequence[str]) -> bool:
    """Tell whether the command of `words`, the program's name first, will probably run something on hosts.

    A wrong guess costs time, never a result.
    """
    name, *arguments = words
    command = program_of(name).command or (arguments[0] if arguments else "")
    if command in TELLING or refusal(name) is not None:
        return False
    return bool(arguments) and not any(word.startswith(_TELLS) for word in arguments)


def refusal(started_as: str) -> str | None:
    """Give what is said of a name of Ansible's that pyplay does not answer to, None for every other name."""
    name = os.path.basename(started_as)  # noqa: PTH119  # pathlib takes 3 ms
    mend = REFUSED_NAMES.get(name)
    return f"[ERROR]: pyplay is no {name}: {mend}" if mend else None
