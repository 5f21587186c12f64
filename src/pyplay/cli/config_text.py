"""What `pyplay config` shows, as values and as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.source.catalogue import BASE, all_rows, plain
from pyplay.source.plugin_settings import PLUGIN_OPTIONS, PLUGIN_TYPES
from pyplay.source.setting import Kind
from pyplay.source.setting_names import ansible_name
from pyplay.source.settings_load import OWN_SECTION

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pyplay.source.catalogue import Catalogue, Entry
    from pyplay.source.setting import Setting

ALL = "all"
BASE_TYPE = "base"
LISTS = (Kind.LIST, Kind.PATHS, Kind.PATH_LIST)
HIDDEN = "********"
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
    Kind.VERSION: "string",
}


def _types(type_: str) -> tuple[str, ...]:
    return PLUGIN_TYPES if type_ == ALL else () if type_ == BASE_TYPE else (type_,)


# -- what there is -----------------------------------------------------------------------------------------------------


def described(type_: str, plugins: Sequence[str] = ()) -> dict[str, Any]:
    """Give every setting of a type with its kind, default, description and the names that it is set by."""
    found = {ansible_name(row): _described(row) for row in BASE} if type_ in (BASE_TYPE, ALL) else {}
    options: dict[str, Any] = {}
    for option in PLUGIN_OPTIONS:
        if option.type in _types(type_) and (not plugins or option.plugin in plugins):
            entry = _described(option.rows[-1])
            if option.variables:
                entry["vars"] = [{"name": name} for name in option.variables]
            options.setdefault(option.type, {}).setdefault(option.plugin, {})[option.name] = entry
    return found | ({"PLUGINS": options} if type_ != BASE_TYPE else {})


def _described(row: Setting) -> dict[str, Any]:
    own = [row.own_env] if row.own else []
    found: dict[str, Any] = {
        "name": row.name,
        "description": row.doc,
        "type": TYPES[row.kind],
        "default": plain(row.default),
        "env": [{"name": name} for name in (*own, *row.env)],
        "ini": [
            *([{"section": OWN_SECTION, "key": row.name}] if row.own else []),
            *({"section": section, "key": key} for section, key in row.ini),
        ],
    }
    if row.variables:
        found["vars"] = [{"name": name} for name in row.variables]
    if row.choices:
        found["choices"] = list(row.choices)
    if row.idle:
        found["without_effect"] = row.idle
    return found


# -- what it is set to -------------------------------------------------------------------------------------------------


def dumped(
    catalogue: Catalogue, type_: str, plugins: Sequence[str] = (), *, config_file: str | None, only_changed: bool
) -> list[Any]:
    """Give name, value and origin of every setting of a type; with `only_changed` of those that are no default."""
    found: list[Any] = []
    if type_ in (BASE_TYPE, ALL):
        if config_file or not only_changed:
            found.append({"name": "CONFIG_FILE", "value": config_file, "origin": ""})
        found = sorted(found + _entries(catalogue.base(), only_changed=only_changed), key=lambda entry: entry["name"])
        servers = catalogue.galaxy_servers()
        found.append({"GALAXY_SERVERS": {name: _entries(servers[name], only_changed=only_changed) for name in servers}})
    for each in _types(type_):
        of_type: list[Any] = [
            {plugin: _entries(options, only_changed=only_changed)}
            for plugin, options in catalogue.plugins(each).items()
            if not plugins or plugin in plugins
        ]
        if only_changed:
            of_type = [entry for entry in of_type if any(entry.values())]
        if type_ != ALL:
            found += of_type
        elif of_type or not only_changed:
            found.append({f"{each.upper()}_PLUGINS": of_type})
    return found


def _entries(entries: Iterable[Entry], *, only_changed: bool) -> list[Any]:
    found: list[Any] = []
    for entry in entries:
        if entry.changed or not only_changed:
            value = HIDDEN if entry.row.secret and entry.value else plain(entry.value)
            shown = {"name": entry.name, "value": value, "origin": entry.origin}
            if entry.row.idle and entry.changed:
                shown["without_effect"] = entry.row.idle
            found.append(shown)
    return found


def dumped_text(found: Sequence[Any]) -> str:
    """Give `dumped` as lines `NAME(origin) = value` below the names of plugins; what changes nothing says why."""
    lines: list[str] = []
    for entry in found:
        if "name" in entry:
            lines.append(_line(entry))
            continue
        for name, contents in entry.items():
            if isinstance(contents, dict):
                lines += ["", f"{name}:", "", *_of_servers(contents)]  # type: ignore[arg-type]  # any
            elif name.endswith("_PLUGINS"):
                title = f"{name.removesuffix('_PLUGINS')}:"
                lines += ["", title, "=" * (len(title) - 1)]
                lines += [line for plugin in contents for line in _of_plugin(plugin)]
            else:
                lines += _of_plugin(entry)
    return "".join(f"{line}\n" for line in lines)


def _of_servers(servers: dict[str, Any]) -> list[str]:
    lines: list[str] = []
    for name, entries in servers.items():
        lines += ["", name, "=" * len(name), *map(_line, sorted(entries, key=lambda entry: entry["name"]))]
    return lines


def _of_plugin(plugin: dict[str, Any]) -> list[str]:
    (name, entries), *_ = plugin.items()
    return ["", f"{name}:", "_" * len(name), *map(_line, entries)]


def _line(entry: Any) -> str:
    remark = f"  # without effect: {entry['without_effect']}" if "without_effect" in entry else ""
    return f"{entry['name']}({entry['origin']}) = {entry['value']}{remark}"


# -- a first configuration ---------------------------------------------------------------------------------------------


def initial(form: str, type_: str, plugins: Sequence[str] = (), *, disabled: bool) -> str:
    """Give every setting at its default: as an ini file, as variables of the environment, or as YAML."""
    rows = _rows(type_, plugins)
    if form == "ini":
        return _ini(rows, disabled=disabled)
    sign = "#" if disabled else ""
    lines: list[str] = []
    for row in rows:
        if form == "env" and row.env:
            lines += [f"# {row.doc}", f"{sign}{row.env[-1]}={_text(row)}", ""]
        elif form == "vars" and (row.own or row.variables):
            lines += [f"# {row.doc}", f"{sign}{(row.variables or (row.name,))[-1]}: {_yaml(row)}", ""]
    return "\n".join(lines)


def _rows(type_: str, plugins: Sequence[str]) -> list[Setting]:
    if type_ == ALL:
        return list(all_rows())
    if type_ == BASE_TYPE:
        return list(BASE)
    chosen = [option for option in PLUGIN_OPTIONS if option.type == type_]
    chosen = [option for option in chosen if not plugins or option.plugin in plugins]
    return list({row.name: row for option in chosen for row in option.rows}.values())


def _ini(rows: Sequence[Setting], *, disabled: bool) -> str:
    sections: dict[str, list[str]] = {}
    written: set[tuple[str, str]] = set()
    for row in rows:
        names = [*row.ini, *([(OWN_SECTION, row.name)] if row.own else [])]
        name = next((name for name in names if name not in written), None)
        if name is None:  # a name that two settings share stands once
            continue
        written.add(name)
        comment = f"# ({TYPES[row.kind]}) {row.doc}"
        sections.setdefault(name[0], []).append(f"{comment}\n{';' if disabled else ''}{name[1]}={_text(row)}\n")
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
    if row.kind in LISTS and value is not None:
        value = [_home(str(part)) for part in value]
    elif isinstance(value, str):
        value = _home(value)
    write: Any = yaml.safe_dump  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]  # its stubs
    return write(value, default_flow_style=True, width=10_000).removesuffix("\n...\n").strip()
