"""The kinds of inventory sources, by the names that the setting `inventory.enable_plugins` knows them by."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.dataclass import dataclass
from pyplay.diagnostics.errors import InventoryError
from pyplay.diagnostics.late_modules import late_modules
from pyplay.diagnostics.model import Diagnostic, Origin
from pyplay.inventory.fragment import Fragment
from pyplay.inventory.ranges import RangeFault, expand_host, is_ipv6, split_port
from pyplay.source.paths import exists, is_dir, is_file, suffix
from pyplay.source.text import SourceMap
from pyplay.source.yaml import load_text, read_text

with late_modules("pyplay.inventory.ini", "pyplay.inventory.tree", "pyplay.inventory.trust"):
    from pyplay.inventory import ini, tree, trust  # a source is of one kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyplay.inventory.context import ParseContext, SourceParser

NO_PLUGIN_KEY = "no-plugin-key"
"""Code of the fault that a file is no configuration of a plugin."""


@dataclass(frozen=True, slots=True)
class Parser:
    """A kind of source made of two functions."""

    is_mine: Callable[[str, ParseContext], bool]
    read: Callable[[str, ParseContext], Fragment]

    def accepts(self, source: str, context: ParseContext, /) -> bool:
        """See `SourceParser`."""
        return self.is_mine(source, context)

    def parse(self, source: str, context: ParseContext, /) -> Fragment:
        """See `SourceParser`."""
        return self.read(source, context)


def find_parser(name: str, context: ParseContext) -> SourceParser | None:
    """Give the parser that goes by `name` (with or without `ansible.builtin.`), None if there is none."""
    short = name.removeprefix("ansible.builtin.").removeprefix("ansible.legacy.")
    return _PARSERS.get(short) or context.find_plugin(name)


def document(path: str, context: ParseContext) -> Any:
    """Give what the YAML file at `path` holds, read once per load. Raises PlaybookError."""
    if path not in context.documents:
        text, secret = _text(path, context)
        policy: Any = context.settings.duplicate_dict_key
        context.documents[path] = load_text(
            text, path, vault=context.vault, on_warning=context.on_warning, duplicates=policy, secret=secret
        )
    return context.documents[path]


def _text(path: str, context: ParseContext) -> tuple[str, bool]:
    """Give the text at `path`, read once per load, and whether it was encrypted. Raises PlaybookError."""
    if path not in context.texts:
        context.texts[path] = read_text(path, vault=context.vault)
    return context.texts[path]


def _is_host_list(source: str, _context: ParseContext) -> bool:
    return "," in source and not os.path.exists(source)  # noqa: PTH110  # a list of hosts is no path


def _parse_host_list(source: str, _context: ParseContext) -> Fragment:
    """Read `host1,host2:22,`: no ranges."""
    result = Fragment()
    group = result.group("ungrouped")
    for text in filter(None, map(str.strip, source.split(","))):
        name, port = split_port(text)
        result.add_host(name, group, port)
    return result


def _parse_advanced_host_list(source: str, _context: ParseContext) -> Fragment:
    """Read `host[1:10],other`: with ranges."""
    result = Fragment()
    group = result.group("ungrouped")
    for text in filter(None, map(str.strip, source.split(","))):
        try:
            names, port = ([text], None) if is_ipv6(text) else expand_host(text)
        except RangeFault as error:
            raise InventoryError([Diagnostic("host-range", str(error), Origin("<host list>"))]) from error
        for name in names:
            result.add_host(name, group, port)
    return result


def _is_script(source: str, _context: ParseContext) -> bool:
    return is_file(source) and (os.access(source, os.X_OK) or _has_interpreter(source))


def _has_interpreter(source: str) -> bool:
    with open(source, "rb") as stream:  # noqa: PTH123  # plain text
        return stream.read(2) == b"#!"


def is_program(source: str) -> bool:
    """Tell whether `source` can only be meant as a program: executable, and naming its interpreter."""
    return is_file(source) and os.access(source, os.X_OK) and _has_interpreter(source)


def _parse_script(source: str, context: ParseContext) -> Fragment:
    from pyplay.inventory.script import run_script  # noqa: PLC0415  # few inventories are programs

    return run_script(source, context.on_warning, vault=context.vault)


def _is_yaml(source: str, context: ParseContext) -> bool:
    """Tell whether `source` may be YAML (JSON is): by its extension, or because it has none."""
    end = suffix(source)
    return _is_file(source, context) and (not end or end in context.settings.inventory_yaml_extensions)


def _is_plugin_config(source: str, context: ParseContext) -> bool:
    return is_file(source) and suffix(source) in context.settings.yaml_valid_extensions


def _parse_yaml(source: str, context: ParseContext) -> Fragment:
    data = document(source, context)
    if isinstance(data, SourceMap) and "plugin" in data:
        raise _fault(
            "a file with 'plugin' configures a plugin and is no inventory", tree.key_origin(data, "plugin", source)
        )
    return tree.parse_tree(data, source, context.on_warning)


def _is_file(source: str, _context: ParseContext) -> bool:
    """Tell whether there is something to read: a file, a pipe (`-i <(command)`), /dev/null."""
    return exists(source) and not is_dir(source)


def _parse_ini(source: str, context: ParseContext) -> Fragment:
    text, _secret = _text(source, context)
    return ini.parse_ini(text, source)


def _is_toml(source: str, _context: ParseContext) -> bool:
    return source.endswith(".toml") and is_file(source)


def _parse_toml(source: str, context: ParseContext) -> Fragment:
    import tomllib  # noqa: PLC0415  # few inventories are written in it

    text, _secret = _text(source, context)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _fault(f"this is no TOML: {error}", Origin(source)) from error
    if "plugin" in data:
        raise _fault("a file with 'plugin' configures a plugin and is no inventory", Origin(source))
    return tree.parse_tree(trust.trusted(data, Origin(source), context.vault), source, context.on_warning, lists=True)


def _is_config(source: str, context: ParseContext) -> bool:
    return is_file(source) and suffix(source) in ("", ".config", *context.settings.yaml_valid_extensions)


def _parse_auto(source: str, context: ParseContext) -> Fragment:
    """Read a file that says with `plugin:` which plugin it is for."""
    data = document(source, context)
    name = data.get("plugin") if isinstance(data, SourceMap) else None
    if not isinstance(data, SourceMap) or name is None:
        raise InventoryError([Diagnostic(NO_PLUGIN_KEY, "the file has no 'plugin' key", Origin(source))])
    origin = tree.key_origin(data, "plugin", source)
    parser = find_parser(str(name), context)
    if parser is None:
        raise _fault(f"there is no inventory plugin '{name}'", origin)
    if not parser.accepts(source, context):
        raise _fault(f"the inventory plugin '{name}' does not take this file", origin)
    return parser.parse(source, context)


def _config(source: str, name: str, context: ParseContext) -> SourceMap:
    """Give the configuration for the plugin `name` in the file at `source`."""
    data = document(source, context)
    if not isinstance(data, SourceMap):
        raise _fault("the configuration of a plugin is a mapping", Origin(source))
    plugin = str(data.get("plugin", ""))
    if plugin.removeprefix("ansible.builtin.") != name:
        raise _fault(f"the file is no configuration for '{name}'", tree.key_origin(data, "plugin", source))
    return data


def _parse_constructed(source: str, context: ParseContext) -> Fragment:
    from pyplay.inventory.constructed import parse_constructed  # noqa: PLC0415  # few inventories have it

    return parse_constructed(_config(source, "constructed", context), source, context)


def _parse_generator(source: str, context: ParseContext) -> Fragment:
    from pyplay.inventory.generator import parse_generator  # noqa: PLC0415  # few inventories have it

    return parse_generator(_config(source, "generator", context), source, context)


def _fault(message: str, origin: Origin) -> InventoryError:
    return InventoryError([Diagnostic("inventory-source", message, origin)])


_PARSERS: dict[str, SourceParser] = {
    "host_list": Parser(_is_host_list, _parse_host_list),
    "advanced_host_list": Parser(_is_host_list, _parse_advanced_host_list),
    "script": Parser(_is_script, _parse_script),
    "auto": Parser(_is_plugin_config, _parse_auto),
    "yaml": Parser(_is_yaml, _parse_yaml),
    "ini": Parser(_is_file, _parse_ini),
    "toml": Parser(_is_toml, _parse_toml),
    "constructed": Parser(_is_config, _parse_constructed),
    "generator": Parser(_is_config, _parse_generator),
}

PLACED = frozenset({"host_list", "advanced_host_list", "script", "yaml", "ini", "toml"})
"""Parsers that mark every text as written by a user themselves; the others compute values."""
