"""What `pyplay config validate` finds: names in a configuration file, or in the environment, that set nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pyplay.diagnostics.model import Diagnostic, Origin
from pyplay.diagnostics.suggest import did_you_mean
from pyplay.source.catalogue import all_rows
from pyplay.source.config_places import find_key
from pyplay.source.settings_load import OWN_SECTION, read_config

if TYPE_CHECKING:
    from collections.abc import Mapping

OTHER_SECTIONS = re.compile(
    r"(galaxy_server\.|callback_|inventory_plugin|vars_).*|.*_(lookup|become_plugin|connection|callback)"
    r"|tags|powershell|winrm|profile_tasks|inventory_plugins"
)
"""Sections for plugins that are not known here, and those with keys of any name."""
OTHER_VARIABLES = re.compile(
    r"ANSIBLE_(GALAXY_SERVER|TEST|LOOKUP|CALLBACK|INVENTORY_PLUGIN|VARS_PLUGIN|RUNAS|PSRP|WINRM)_.*"
)
"""Variables that set such things."""


def unknown_in_file(path: str) -> list[Diagnostic]:
    """Give the faults of the configuration file at `path`: sections and keys that name no setting."""
    known: dict[str, set[str]] = {OWN_SECTION: set()}
    for row in all_rows():
        if row.own:
            known[OWN_SECTION].add(row.name)
        for section, key in row.ini:
            known.setdefault(section, set()).add(key)
    faults: list[Diagnostic] = []
    for section, values in read_config(path).items():
        if section not in known:
            if not OTHER_SECTIONS.fullmatch(section):
                mend = did_you_mean(section, known)
                faults.append(
                    Diagnostic("unknown-section", f"there is no section [{section}]", Origin(path), help=mend)
                )
            continue
        unknown = [key for key in values if key not in known[section]]
        faults += [_unknown_key(path, section, key, known[section]) for key in unknown]
    return faults


def _unknown_key(path: str, section: str, key: str, known: set[str]) -> Diagnostic:
    place, length = find_key(path, section, key)
    message = f"[{section}] has no setting '{key}'"
    return Diagnostic("unknown-setting", message, place, length=length, help=did_you_mean(key, known))


def unknown_variables(environ: Mapping[str, str]) -> list[Diagnostic]:
    """Give the faults of the environment: variables that look like settings and are none."""
    known = {"ANSIBLE_CONFIG", "PYPLAY_CONFIG"}
    for row in all_rows():
        known |= {*row.env, *([row.own_env] if row.own else [])}
    return [
        Diagnostic("unknown-variable", f"{name} sets nothing", help=did_you_mean(name, known))
        for name in sorted(environ)
        if name.startswith(("ANSIBLE_", "PYPLAY_")) and name not in known and not OTHER_VARIABLES.fullmatch(name)
    ]
