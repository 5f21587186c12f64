"""Users' own filter, test and lookup plugins: found beside playbooks, in roles and in the directories of the settings.

A plugin file is loaded when its kind is first asked for something, a lookup when it is first called. Earlier
directories win, and all of them win over what pyplay brings. Those of collections go by their full names; by short ones
where nothing else has the name (see `collection_plugins`). Source: the Ansible documentation, "Adding modules and
plugins locally" and "Developing plugins".
"""

# ruff: noqa: PTH112, PTH113, PTH118  # names as users wrote them

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.model import Diagnostic, Origin, Severity
from pyplay.source.collections import Collections
from pyplay.templating.collection_plugins import CollectionPlugins

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyplay.templating.inventory_plugins import InventoryPlugins, PluginParser
    from pyplay.templating.shims.importer import Importer

    OnWarning = Callable[[Diagnostic], None]

KINDS = ("filter", "test", "lookup")


class PluginTable(Mapping[str, Callable[..., Any]]):
    """The plugins of one kind by name. Directories may be added; files are loaded when names are asked for."""

    def __init__(
        self, kind: str, importer: Callable[[], Importer], on_warning: OnWarning, collections: Collections | None = None
    ) -> None:
        self.kind = kind
        self.of_collections = CollectionPlugins(kind, collections or Collections(), self.load_file, on_warning)
        self._importer = importer
        self._on_warning = on_warning
        self._directories: list[str] = []
        self._pending: list[str] = []
        self._functions: dict[str, Callable[..., Any]] = {}
        self._lock = threading.RLock()

    def add_directory(self, directory: str) -> None:
        """Search `directory`, after those added before."""
        with self._lock:
            if directory not in self._directories and os.path.isdir(directory):
                self._directories.append(directory)
                self._pending.append(directory)

    def __getitem__(self, name: str) -> Callable[..., Any]:
        found = self._loaded().get(name)
        if found is None and "." in name:
            with self._lock:
                found = self.of_collections.find(name)
        if found is None:
            raise KeyError(name)
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._loaded() or (isinstance(name, str) and "." in name and self.get(name) is not None)

    def find_short(self, name: str) -> Callable[..., Any] | None:
        """Give the plugin that some collection has under this short name, None if none has. Raises TemplateError."""
        with self._lock:
            return self.of_collections.find_short(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._loaded())

    def __len__(self) -> int:
        return len(self._loaded())

    def _loaded(self) -> dict[str, Callable[..., Any]]:
        if self._pending:
            with self._lock:
                while self._pending:
                    self._load_directory(self._pending.pop(0))
        return self._functions

    def _load_directory(self, directory: str) -> None:
        for name in sorted(os.listdir(directory)):  # noqa: PTH208
            path = os.path.join(directory, name)
            stem, extension = os.path.splitext(name)  # noqa: PTH122
            if extension != ".py" or stem.startswith((".", "__")) or not os.path.isfile(path):
                continue
            for each, function in self.load_file(path, f"ansible.plugins.{self.kind}.{stem}").items():
                self._functions.setdefault(str(each), function)

    def load_file(self, path: str, name: str) -> Mapping[str, Callable[..., Any]]:
        """Give the plugins in the file at `path`, a module of this full name; a broken file has none."""
        if self.kind == "lookup":
            stem = name.rpartition(".")[2]
            return {stem: self._late_lookup(name, path)}
        return self._offered(name, path)

    def _offered(self, name: str, path: str) -> Mapping[str, Callable[..., Any]]:
        """Give the filters or tests of the file at `path`; a broken file has none and is warned about."""
        try:
            module = self._importer().load(path, name, name.rpartition(".")[0])
            cls: Any = getattr(module, f"{self.kind.title()}Module", None)
            if cls is None:
                self._warn(path, f"there is no class {self.kind.title()}Module in it")
                return {}
            return getattr(cls(), f"{self.kind}s")()
        except Exception as error:  # noqa: BLE001  # the edge of users' code: it may raise anything
            self._warn(path, f"{type(error).__name__}: {error}", _line(error, path))
            return {}

    def _late_lookup(self, name: str, path: str) -> Callable[..., list[Any]]:
        """Give the lookup of the file at `path`, which is loaded when it is first called."""
        package, _, stem = name.rpartition(".")
        loaded: list[Callable[..., list[Any]]] = []

        def run(terms: Any, call: Any, **options: Any) -> list[Any]:
            from pyplay.templating.shims.lookup_base import as_lookup  # noqa: PLC0415  # only where there are plugins

            with self._lock:
                if not loaded:
                    loaded.append(as_lookup(self._importer().load(path, name, package), stem))
            return loaded[0](terms, call, **options)

        run.__name__ = stem
        run.__doc__ = f"The lookup of {path}."
        return run

    def _warn(self, path: str, why: str, line: int = 0) -> None:
        message = f"Skipping {self.kind} plugin '{os.path.splitext(os.path.basename(path))[0]}': {why}"  # noqa: PTH119, PTH122
        self._on_warning(Diagnostic("broken-plugin", message, Origin(path, line), severity=Severity.WARNING))


def _line(error: BaseException, path: str) -> int:
    """Give the line of `path` where `error` came up, 0 if it is not known."""
    import traceback  # noqa: PLC0415  # only for plugins that are broken

    if isinstance(error, SyntaxError) and error.filename == path:
        return error.lineno or 0
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    return lines[-1] or 0 if lines else 0


def _silent(_: Diagnostic) -> None:
    """Take a warning that nobody wants."""


class UserPlugins:
    """The user's own plugins of one run: `filters`, `tests` and `lookups` by name, to go before those of pyplay."""

    def __init__(
        self,
        settings: Any = None,
        *,
        on_warning: OnWarning = _silent,
        verbosity: int = 0,
        collections: Collections | None = None,
    ) -> None:
        self._settings = settings
        known = getattr(settings, "collections_path", None) is not None
        self._collections = Collections.of(settings) if collections is None and known else collections
        self._on_warning = on_warning
        self._verbosity = verbosity
        self._made: Importer | None = None
        self._inventory: InventoryPlugins | None = None
        self._module_utils: list[str] = []
        self._searched: dict[str, None] = {}
        self.filters, self.tests, self.lookups = (
            PluginTable(kind, self._importer, on_warning, self._collections) for kind in KINDS
        )

    def add_beside(self, directory: str) -> None:
        """Search `filter_plugins/`, `test_plugins/`, `lookup_plugins/` and `module_utils/` of a playbook or role."""
        if directory in self._searched:
            return
        self._searched[directory] = None
        for table in self._tables():
            table.add_directory(os.path.join(directory, f"{table.kind}_plugins"))
        utils = os.path.join(directory, "module_utils")
        if os.path.isdir(utils):
            self._add_utils([utils])

    def add_configured(self) -> None:
        """Search the directories that the settings name; to be called after those beside the playbook are added."""
        for table in self._tables():
            for directory in getattr(self._settings, f"{table.kind}_plugins", None) or ():
                table.add_directory(str(directory))
        self._add_utils([str(path) for path in getattr(self._settings, "module_utils", None) or ()])

    @property
    def ran(self) -> bool:
        """Tell whether code of users or collections may have run in this process."""
        return self._made is not None

    @property
    def elsewhere(self) -> dict[str, Callable[[str], Callable[..., Any] | None]]:
        """What finds, by kind, plugins of collections by short names that nothing else has."""
        return {table.kind: table.find_short for table in self._tables()}

    def inventory_plugin(self, name: str) -> PluginParser | None:
        """Give the parser of the user's or a collection's inventory plugin of this name. Raises AuthorError."""
        if self._inventory is None:
            from pyplay.templating.inventory_plugins import InventoryPlugins  # noqa: PLC0415  # only where it is needed

            configured: Sequence[str] = getattr(self._settings, "inventory_plugins", None) or ()
            directories = [*(os.path.join(path, "inventory_plugins") for path in self._searched), *configured]
            self._inventory = InventoryPlugins(self._collections or Collections(), self._importer, directories)
        return self._inventory.find(name)

    def _tables(self) -> Sequence[PluginTable]:
        return self.filters, self.tests, self.lookups

    def _add_utils(self, directories: Sequence[str]) -> None:
        target = self._made.module_utils if self._made else self._module_utils
        target.extend(path for path in directories if path not in target)

    def _importer(self) -> Importer:
        if self._made is None:
            from pyplay.templating.shims.importer import Importer  # noqa: PLC0415  # only where there are plugins
            from pyplay.templating.shims.table import contents_table  # noqa: PLC0415

            table = contents_table(self._settings, self._on_warning, self._verbosity)
            self._made = Importer(table, module_utils=self._module_utils, collections=self._collections)
        return self._made
