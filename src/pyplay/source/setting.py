"""What one setting is: its names in the environment and in ini files, its kind, default and documentation."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from pyplay.diagnostics.dataclass import dataclass


class Kind(StrEnum):
    """How the text of a setting is read."""

    BOOL = "bool"
    INT = "int"
    FLOAT = "float"
    TEXT = "text"
    PATH = "path"  # relative to the file that it stands in
    PATHS = "paths"  # separated by ':'
    PATH_LIST = "path list"  # separated by ','
    LIST = "list"  # separated by ','
    CHOICE = "choice"
    VERSION = "version"  # three numbers


@dataclass(frozen=True, slots=True)
class Setting:
    """One row of the table of settings. `ini` are (section, key); `idle` says why it changes nothing, if so.

    One that is `unmet` also fails its purpose, and hosts may end up different for it: who sets it is warned.
    The table declares rows as attributes of a class: there they are rows, and what an instance lacks is the default.
    `ansible` is its name in Ansible's configuration, if that does not follow from ours; `variables` set it, too.
    One that is not `own` has no counterpart: only Ansible's names set it. The value of a `secret` one is not shown.
    """

    name: str
    kind: Kind
    default: Any
    doc: str
    env: tuple[str, ...] = ()
    ini: tuple[tuple[str, str], ...] = ()
    choices: tuple[str, ...] = ()
    idle: str = ""
    unmet: bool = False
    ansible: str = ""
    variables: tuple[str, ...] = ()
    own: bool = True
    secret: bool = False

    def __set_name__(self, owner: type, name: str) -> None:
        """Take the name that the class gives the row."""
        object.__setattr__(self, "name", name)

    def __get__(self, instance: object, owner: type) -> Any:
        """Give the row to the class, its default to an instance that has no value of its own."""
        return self if instance is None else self.default

    @property
    def own_env(self) -> str:
        """Give the variable that wins over all others."""
        return f"PYPLAY_{self.name.upper()}"


def setting(
    default: Any,
    doc: str,
    *,
    env: str = "",
    ini: str = "",
    kind: Kind | None = None,
    choices: str = "",
    idle: str = "",
    unmet: str = "",
    by: str = "",
    secret: bool = False,
) -> Any:
    """Give the row of a setting, without its name. `env` and `ini` (`section.key`) hold names separated by blanks.

    The last name that is set wins. `by`: the variables of hosts that set it, too.

    `idle` says how the purpose of a setting without effect is met otherwise, `unmet` what is the case instead of it.
    """
    return Setting(
        "",
        kind or (Kind.CHOICE if choices else _kind_of(default)),
        default,
        doc,
        tuple(env.split()),
        tuple([_section_and_key(word) for word in ini.split()]),
        tuple(choices.split()),
        idle or unmet,
        bool(unmet),
        variables=tuple(by.split()),
        secret=secret,
    )


def table_of(settings: type) -> tuple[Setting, ...]:
    """Give the rows of the settings that class `settings` declares with `setting`."""
    return tuple(row for row in vars(settings).values() if isinstance(row, Setting))


def _section_and_key(word: str) -> tuple[str, str]:
    section, _, key = word.partition(".")
    return section, key


def _kind_of(default: Any) -> Kind:
    for type_, kind in ((bool, Kind.BOOL), (int, Kind.INT), (float, Kind.FLOAT), (tuple, Kind.LIST)):
        if isinstance(default, type_):
            return kind
    return Kind.TEXT
