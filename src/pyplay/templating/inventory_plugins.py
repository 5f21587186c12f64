"""Inventory plugins of collections, and users' own: loaded like other plugins, run as parsers of inventory sources."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import yaml

from pyplay.diagnostics.dataclass import dataclass
from pyplay.diagnostics.errors import AuthorError, InventoryError
from pyplay.diagnostics.model import Diagnostic, Origin
from pyplay.inventory.fragment import Fragment
from pyplay.inventory.parsers import document
from pyplay.source.collection_homes import full_name
from pyplay.source.collections import HOME, split_name
from pyplay.source.shapes import is_list, is_map
from pyplay.templating.shims.display import display_class
from pyplay.templating.shims.inventory_base import Cacheable, InventoryData
from pyplay.templating.shims.lookup_base import DataLoader
from pyplay.templating.shims.plugin_options import PluginOptions, read_ini

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pyplay.inventory.context import ParseContext
    from pyplay.source.collections import Collections
    from pyplay.source.settings import Settings
    from pyplay.templating.shims.importer import Importer

_CACHE: dict[str, Any] = {
    "cache": {"type": "bool", "default": False},
    "cache_plugin": {"default": "memory"},
    "cache_timeout": {"type": "int", "default": 3600},
    "cache_connection": {},
    "cache_prefix": {"default": "ansible_inventory_"},
}
"""Options that the settings `inventory_NAME` decide where the source does not."""
_CONSTRUCTED: dict[str, Any] = {
    "strict": {"type": "bool", "default": False},
    "compose": {"type": "dict", "default": {}},
    "groups": {"type": "dict", "default": {}},
    "keyed_groups": {"type": "list", "default": []},
    "use_extra_vars": {"type": "bool", "default": False},
    "leading_separator": {"type": "bool", "default": True},
}
_FRAGMENTS: dict[str, dict[str, Any]] = {"constructed": _CONSTRUCTED, "inventory_cache": _CACHE}


class PluginLoader(DataLoader):
    """The `loader` of inventory plugins: reads files once per load, decrypted."""

    def __init__(self, context: ParseContext) -> None:
        super().__init__()
        self._context = context

    def document(self, path: str) -> Any:
        """Give what the YAML file at `path` holds."""
        return document(path, self._context)

    def load_from_file(self, file_name: str, cache: Any = None, unsafe: bool = False, *_: Any, **__: Any) -> Any:  # noqa: FBT001, FBT002
        """Give what the YAML file at `file_name` holds."""
        del cache, unsafe
        return document(self.path_dwim(file_name), self._context)


@dataclass(frozen=True)
class PluginParser:
    """A loaded inventory plugin as a parser. `make` gives a new object of its class, `definitions` are its options."""

    name: str
    make: Callable[[], Any]
    definitions: Mapping[str, Any]

    def accepts(self, source: str, context: ParseContext, /) -> bool:
        """See `SourceParser`."""
        return bool(self._plugin(source, context, Fragment()).verify_file(source))

    def parse(self, source: str, context: ParseContext, /) -> Fragment:
        """See `SourceParser`."""
        fragment = Fragment()
        plugin = self._plugin(source, context, fragment)
        try:
            plugin.parse(InventoryData(fragment, context), PluginLoader(context), source, cache=not context.fresh)
            if isinstance(plugin, Cacheable):
                plugin.update_cache_if_changed()
        except AuthorError:
            raise
        except Exception as error:  # the edge of others' code: it may raise anything
            text = f"the inventory plugin '{self.name}' failed: {error or type(error).__name__}"
            raise InventoryError([Diagnostic("inventory-plugin", text, Origin(source))]) from error
        return fragment

    def _plugin(self, source: str, context: ParseContext, fragment: Fragment) -> Any:
        plugin = self.make()
        plugin._load_name = self.name  # noqa: SLF001  # the names that plugins know
        plugin._display = plugin.display = display_class(context.on_warning)()  # noqa: SLF001
        plugin._context, plugin._fragment, plugin._source = context, fragment, source  # noqa: SLF001
        path = context.settings.config_file
        definitions = _with_settings(self.definitions, context.settings)
        plugin._options = PluginOptions(definitions, lambda: read_ini(path))  # noqa: SLF001
        return plugin


def _with_settings(definitions: Mapping[str, Any], settings: Settings) -> dict[str, Any]:
    """Give `definitions` with the defaults that the settings of the inventory cache say."""
    found = dict(definitions)
    for name in _CACHE.keys() & definitions.keys():
        if f"inventory_{name}" in settings.origins:
            found[name] = {**definitions[name], "default": getattr(settings, f"inventory_{name}")}
    return found


class InventoryPlugins:
    """Finds inventory plugins: in `directories`, then in collections by full or well known short name.

    `importer` loads their files.
    """

    def __init__(
        self, collections: Collections, importer: Callable[[], Importer], directories: Sequence[str] = ()
    ) -> None:
        self._collections, self._importer, self._directories = collections, importer, directories
        self._parsers: dict[str, PluginParser | None] = {}

    def find(self, name: str) -> PluginParser | None:
        """Give the parser that goes by `name`, None if there is none. Raises AuthorError if it cannot be loaded."""
        if name not in self._parsers:
            self._parsers[name] = self._find(name)
        return self._parsers[name]

    def _find(self, name: str) -> PluginParser | None:
        if "." not in name:
            for directory in self._directories:
                path = os.path.join(directory, f"{name}.py")  # noqa: PTH118  # plain text
                if os.path.isfile(path):  # noqa: PTH113  # plain text
                    return self._load(name, path, "ansible.plugins.inventory", name)
        full = name if split_name(name) else full_name("inventory", name)
        found = self._collections.resolve("inventory", full) if full else None
        parts = split_name(found.name) if found is not None and found.path else None
        if found is None or parts is None:
            return None
        return self._load(found.name, found.path, f"{HOME}.{parts[0]}.plugins.inventory", parts[1])

    def _load(self, name: str, path: str, package: str, stem: str) -> PluginParser:
        try:
            module = self._importer().load(path, f"{package}.{stem}", package)
            make = module.InventoryModule
        except Exception as error:  # the edge of others' code: it may raise anything
            text = f"the inventory plugin '{name}' cannot be loaded: {type(error).__name__}: {error}"
            raise InventoryError([Diagnostic("broken-plugin", text, Origin(path))]) from error
        return PluginParser(name, make, self._definitions(_documentation(module, path)))

    def _definitions(self, documentation: Mapping[str, Any]) -> dict[str, Any]:
        """Give the options that a plugin's documentation declares, with those of the fragments that it extends."""
        options: dict[str, Any] = {}
        extended: Any = documentation.get("extends_documentation_fragment") or ()
        for fragment in extended if is_list(extended) else str(extended).split(","):
            options.update(self._fragment(str(fragment).strip()))
        own: Any = documentation.get("options")
        options.update(own if is_map(own) else {})
        return {str(name): option if is_map(option) else {} for name, option in options.items()}

    def _fragment(self, name: str) -> Mapping[str, Any]:
        short = name.removeprefix("ansible.builtin.")
        if short in _FRAGMENTS:
            return _FRAGMENTS[short]
        parts = split_name(name) or split_name(name + ".documentation")
        collection = self._collections.find(parts[0]) if parts else None
        if parts is None or collection is None:
            return {}
        stem, _, variable = parts[1].partition(".")
        path = os.path.join(collection.directory("doc_fragments"), f"{stem}.py")  # noqa: PTH118  # plain text
        try:
            module = self._importer().load(path, f"{HOME}.{parts[0]}.plugins.doc_fragments.{stem}")
            text: Any = getattr(module.ModuleDocFragment, (variable or "documentation").upper(), "")
            return self._definitions(_loaded(text))
        except Exception:  # noqa: BLE001  # a fragment only adds options; the plugin says what it lacks
            return {}


def _documentation(module: Any, path: str) -> Mapping[str, Any]:
    """Give a plugin's DOCUMENTATION, which may stand in a file beside it."""
    text: Any = getattr(module, "DOCUMENTATION", "")
    for extension in (".yml", ".yaml") if not text else ():
        beside = path.removesuffix(".py") + extension
        if os.path.isfile(beside):  # noqa: PTH113  # plain text
            with open(beside, encoding="utf-8") as stream:  # noqa: PTH123  # plain text
                found = _loaded(stream.read()).get("DOCUMENTATION")
                return found if is_map(found) else {}
    return _loaded(text)


def _loaded(text: Any) -> dict[str, Any]:
    try:
        data: Any = yaml.safe_load(text) if isinstance(text, str) else text
    except yaml.YAMLError:
        return {}
    return data if is_map(data) else {}
