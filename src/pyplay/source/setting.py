"""What one setting is: its names in the environment and in ini files, its kind, default and documentation."""

from __future__ import annotations

import dataclasses
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


@dataclass(frozen=True, slots=True)
class Setting:
    """One row of the table of settings. `ini` are (section, key); `idle` says why it changes nothing, if so.

    One that is `unmet` also fails its purpose, and hosts may end up different for it: who sets it is warned.
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
    """Give the dataclass field of a setting. `env` and `ini` (`section.key`) hold names separated by blanks.

    The last name that is set wins. `by`: the variables of hosts that set it, too.

    `idle` says how the purpose of a setting without effect is met otherwise, `unmet` what is the case instead of it.
    """
    metadata = {
        "doc": doc,
        "env": tuple(env.split()),
        "ini": tuple((section, key) for section, _, key in (word.partition(".") for word in ini.split())),
        "kind": kind or (Kind.CHOICE if choices else _kind_of(default)),
        "choices": tuple(choices.split()),
        "idle": idle or unmet,
        "unmet": bool(unmet),
        "variables": tuple(by.split()),
        "secret": secret,
    }
    return dataclasses.field(default=default, metadata=metadata)


def table_of(settings: type) -> tuple[Setting, ...]:
    """Give the rows of the settings that class `settings` declares with `setting`."""
    return tuple(
        Setting(field.name, default=field.default, **field.metadata)
        for field in dataclasses.fields(settings)
        if "kind" in field.metadata
    )


def _kind_of(default: Any) -> Kind:
    for type_, kind in ((bool, Kind.BOOL), (int, Kind.INT), (float, Kind.FLOAT), (tuple, Kind.LIST)):
        if isinstance(default, type_):
            return kind
    return Kind.TEXT
