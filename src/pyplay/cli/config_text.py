"""What `pyplay config` shows, as values and as text."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.model import Diagnostic, Origin
from pyplay.diagnostics.suggest import did_you_mean
from pyplay.source.setting import Kind
from pyplay.source.setting_names import ansible_name
from pyplay.source.settings import SETTINGS
from pyplay.source.settings_load import OWN_SECTION, read_config

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pyplay.source.setting import Setting
    from pyplay.source.settings import Settings

LISTS = (Kind.LIST, Kind.PATHS, Kind.PATH_LIST)
TYPES = {
    Kind.BOOL: "boolean",
    Kind.INT: "integer",
    Kind.FLOAT: "float",
    Kind.TEXT: "string",
    Kind.PATH: "path",
    Kind.PATHS: "pathspec",
    Kind.PATH_LIST: "pathlist",
    Kind.LIST: "list",
    Kind.CHOICE: "string",
}
OTHER_SECTIONS = re.compile(r"galaxy.*|persistent_connection|netconf_connection|tags|powershell")
"""Sections of ansible.cfg for what pyplay has no part of, or with keys of any name."""
OTHER_VARIABLES = re.compile(
    r"ANSIBLE_(GALAXY|PERSISTENT|NETCONF|COLOR_DOC|TEST|DEVEL|DEBUG|NULL|WORKER|PYTHON_MODULE|DISPLAY_TRACEBACK)(_.*)?"
)
"""Variables that set such things."""


def described() -> dict[str, Any]:
    """Give every setting with its type, default, description and the names that it is set by."""
    return {ansible_name(row): _described(row) for row in sorted(SETTINGS, key=ansible_name)}


def _described(row: Setting) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": row.name,
        "description": row.doc,
        "type": TYPES[row.kind],
        "default": _plain(row.default),
        "env": [{"name": name} for name in (row.own_env, *row.env)],
        "ini": [
            {"section": OWN_SECTION, "key": row.name},
            *({"section": section, "key": key} for section, key in row.ini),
        ],
    }
    if row.choices:
        found["choices"] = list(row.choices)
    if row.idle:
        found["without_effect"] = row.idle
    return found


def _plain(value: Any) -> Any:
    return list[Any](value) if isinstance(value, tuple) else value  # pyright: ignore[reportUnknownArgumentType]  # any


def dumped(settings: Settings, *, only_changed: bool) -> list[dict[str, Any]]:
    """Give name, value and origin of every setting; with `only_changed` of those that are no default."""
    found: list[dict[str, Any]] = []
    for row in sorted(SETTINGS, key=ansible_name):
        origin = _origin(row, settings)
        if origin == "default" and only_changed:
            continue
        entry = {"name": ansible_name(row), "value": _plain(getattr(settings, row.name)), "origin": origin}
        if row.idle and origin != "default":
            entry["without_effect"] = row.idle
        found.append(entry)
    if settings.config_file:
        found.insert(0, {"name": "CONFIG_FILE", "value": settings.config_file, "origin": ""})
    return found


def _origin(row: Setting, settings: Settings) -> str:
    """Give where a setting was set, as ansible-config tells it: the file, a variable, or `default`."""
    source = settings.origins.get(row.name)
    if source is None:
        return "default"
    return str(settings.config_file) if source.startswith("[") else f"env: {source}"


def dumped_text(settings: Settings, *, only_changed: bool) -> str:
    """Give `dumped` as lines `NAME(origin) = value`; one that changes nothing says why."""
    lines: list[str] = []
    for entry in dumped(settings, only_changed=only_changed):
        remark = f"  # without effect: {entry['without_effect']}" if "without_effect" in entry else ""
        lines.append(f"{entry['name']}({entry['origin']}) = {entry['value']}{remark}\n")
    return "".join(lines)


# -- a first configuration ---------------------------------------------------------------------------------------------


def initial(form: str, *, disabled: bool) -> str:
    """Give every setting at its default: as an ini file, as variables of the environment, or as YAML."""
    if form == "ini":
        return _ini(disabled=disabled)
    lines: list[str] = []
    for row in sorted(SETTINGS, key=ansible_name):
        if form == "env" and row.env:
            lines += [f"# {row.doc}", f"{'#' if disabled else ''}{row.env[0]}={_text(row)}", ""]
        elif form == "vars":
            lines += [f"# {row.doc}", f"{'#' if disabled else ''}{row.name}: {_yaml(row)}", ""]
    return "\n".join(lines)


def _ini(*, disabled: bool) -> str:
    sections: dict[str, list[str]] = {}
    written: set[tuple[str, str]] = set()
    for row in sorted(SETTINGS, key=ansible_name):
        names = [name for name in (*row.ini, (OWN_SECTION, row.name)) if name not in written]
        section, key = names[0]  # a name that two settings share stands once
        written.add(names[0])
        comment = f"# ({TYPES[row.kind]}) {row.doc}"
        sections.setdefault(section, []).append(f"{comment}\n{';' if disabled else ''}{key}={_text(row)}\n")
    return "\n".join(f"[{section}]\n" + "\n".join(entries) for section, entries in sections.items())


def _text(row: Setting) -> str:
    """Give the default as a configuration file spells it; places in the user's home as ~."""
    if row.default is None:
        return ""
    if row.kind in LISTS:
        return (":" if row.kind is Kind.PATHS else ", ").join(_home(str(part)) for part in row.default)
    return _home(str(row.default))


def _home(text: str) -> str:
    return text.replace("{{ANSIBLE_HOME}}", "~/.ansible")


def _yaml(row: Setting) -> str:
    import yaml  # noqa: PLC0415  # only for this form

    value = row.default
    value = (
        [_home(str(part)) for part in value] if row.kind in LISTS else _home(value) if isinstance(value, str) else value
    )
    write: Any = yaml.safe_dump  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]  # its stubs
    return write(value, default_flow_style=True, width=10_000).removesuffix("\n...\n").strip()


# -- what names nothing ------------------------------------------------------------------------------------------------


def unknown_in_file(path: str) -> list[Diagnostic]:
    """Give the faults of the configuration file at `path`: sections and keys that name no setting."""
    known: dict[str, set[str]] = {OWN_SECTION: {row.name for row in SETTINGS}}
    for row in SETTINGS:
        for section, key in row.ini:
            known.setdefault(section, set()).add(key)
    lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    faults: list[Diagnostic] = []
    for section, values in read_config(path).items():
        if OTHER_SECTIONS.fullmatch(section):
            continue
        if section not in known:
            mend = did_you_mean(section, known)
            faults.append(Diagnostic("unknown-section", f"there is no section [{section}]", Origin(path), help=mend))
            continue
        unknown = [key for key in values if key not in known[section]]
        faults += [_unknown_key(path, lines, section, key, known[section]) for key in unknown]
    return faults


def _unknown_key(path: str, lines: list[str], section: str, key: str, known: set[str]) -> Diagnostic:
    line = next((number for number, text in _keys(lines, section) if text == key), 0)
    return Diagnostic(
        "unknown-setting",
        f"[{section}] has no setting '{key}'",
        Origin(path, line, 1 if line else 0),
        length=len(key) if line else 0,
        help=did_you_mean(key, known),
    )


def _keys(lines: list[str], wanted: str) -> Iterator[tuple[int, str]]:
    """Yield number and key of each line in the section `wanted`."""
    section = ""
    for number, line in enumerate(lines, 1):
        if line.startswith("["):
            section = line.strip()[1:].split("]")[0]
        elif section == wanted:
            yield number, re.split(r"[=:]", line, maxsplit=1)[0].strip().lower()


def unknown_variables(environ: Mapping[str, str]) -> list[Diagnostic]:
    """Give the faults of the environment: variables that look like settings and are none."""
    known = {name for row in SETTINGS for name in (row.own_env, *row.env)} | {"ANSIBLE_CONFIG", "PYPLAY_CONFIG"}
    return [
        Diagnostic("unknown-variable", f"{name} sets nothing", help=did_you_mean(name, known))
        for name in sorted(environ)
        if name.startswith(("ANSIBLE_", "PYPLAY_")) and name not in known and not OTHER_VARIABLES.fullmatch(name)
    ]
