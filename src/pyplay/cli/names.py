"""The names that pyplay answers to: its own, and those of Ansible's programs, through a link or a copy of its script.

Under a name of Ansible's the command, `--version`, usage lines and the first lines of errors are what wrappers parse
(Vagrant, Packer, Molecule, ansible-lint, ansible-runner look at them).
"""

from __future__ import annotations

import os

from pyplay.diagnostics.dataclass import dataclass

ANSIBLE_NAMES = {
    "ansible": "adhoc",
    "ansible-config": "config",
    "ansible-doc": "doc",
    "ansible-inventory": "inventory",
    "ansible-playbook": "playbook",
    "ansible-vault": "vault",
}
"""Ansible's programs and the command of pyplay that each is."""

REFUSED_NAMES = {
    "ansible-console": "run modules one by one with `ansible` (pyplay adhoc)",
    "ansible-galaxy": "install roles and collections with ansible-core's own ansible-galaxy; pyplay finds them there",
    "ansible-pull": "fetch with git, then run `ansible-playbook -c local -i localhost, PLAYBOOK`",
    "ansible-test": "test collections with ansible-core's own ansible-test",
}
"""Ansible's programs that pyplay is not, and what to do instead."""


@dataclass(frozen=True, slots=True)
class Program:
    """What pyplay was started as. `name` is how it calls itself; `command` is None where arguments choose it."""

    name: str = "pyplay"
    command: str | None = None

    @property
    def is_ansible(self) -> bool:
        """Tell whether it goes by a name of Ansible's."""
        return self.command is not None

    def called(self, command: str) -> str:
        """Give how `command` is called in usage lines."""
        return self.name if self.is_ansible or command == "playbook" else f"{self.name} {command}"


def program_of(started_as: str) -> Program:
    """Give the program that the path `started_as` (the process's first word) names; pyplay for all other names."""
    name = os.path.basename(started_as)  # noqa: PTH119  # pathlib takes 3 ms
    return Program(name, ANSIBLE_NAMES[name]) if name in ANSIBLE_NAMES else Program()


def refusal(started_as: str) -> str | None:
    """Give what is said of a name of Ansible's that pyplay does not answer to, None for every other name."""
    name = os.path.basename(started_as)  # noqa: PTH119  # pathlib takes 3 ms
    mend = REFUSED_NAMES.get(name)
    return f"[ERROR]: pyplay is no {name}: {mend}" if mend else None
