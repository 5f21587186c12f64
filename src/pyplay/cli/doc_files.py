"""What `pyplay doc` finds in files: modules and plugins of users and collections, roles that describe themselves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pyplay.actions.spec import options_in
from pyplay.actions.tables import read_table
from pyplay.cli.doc_foreign import DOCUMENTS, foreign_entry, role_entries
from pyplay.cli.doc_text import module_entry
from pyplay.shipping.search import USERS_MODULES
from pyplay.source.collections import Collections

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pyplay.cli.doc_text import Entry
    from pyplay.source.collections import Collection
    from pyplay.source.settings import Settings

_MODULES = ("", ".py", ".sh", ".pl", ".rb", ".ps1")
_SPECS = ("argument_specs.yml", "argument_specs.yaml", "main.yml", "main.yaml")


class DocFiles:
    """Finds what describes itself in files.

    `directory` counts as the playbook's; `module_path` and `roles_path` come before what the settings name.
    """

    def __init__(
        self,
        settings: Settings,
        directory: str,
        *,
        module_path: Sequence[str] = (),
        roles_path: Sequence[str] = (),
    ) -> None:
        self._settings, self._directory = settings, Path(directory)
        self._module_path, self._roles_path = module_path, roles_path
        self._collections = Collections.of(settings, [directory])

    def paths(self, kind: str) -> dict[str, Path]:
        """Give the files of all of `kind` by name, a collection's under full names."""
        found: dict[str, Path] = {}
        for name, path in self._users(kind):
            found.setdefault(name, path)
        for collection in self._collections.installed().values():
            for name, path in _of_collection(collection, kind):
                found.setdefault(f"{collection.name}.{name}", path)
        return dict(sorted(found.items()))

    def entry(self, kind: str, name: str, path: Path, point: str = "main") -> Entry | None:
        """Describe what is in the file `path`; of a role the entry point `point`, None if it has none of this name."""
        if kind == "role":
            return role_entries(name, path).get(point)
        table = read_table(path, ours=False) if kind == "module" else None
        if table is not None:
            return module_entry(name, path, table, options_in(table))
        return foreign_entry(name, kind, path, self._fragment)

    def _users(self, kind: str) -> Iterator[tuple[str, Path]]:
        if kind == "role":
            for folder in (self._directory / "roles", *map(Path, (*self._roles_path, *self._settings.roles_path))):
                yield from _roles(folder)
            return
        for folder in self._module_folders() if kind == "module" else self._plugin_folders(kind):
            yield from _plugins(folder, kind)

    def _module_folders(self) -> Iterator[Path]:
        """Give the directories of modules, in the order in which tasks search them; roles' come last."""
        yield self._directory / "library"
        yield from map(Path, (*self._module_path, *self._settings.library))
        yield Path(USERS_MODULES).expanduser()
        yield from sorted(self._directory.glob("roles/*/library"))

    def _plugin_folders(self, kind: str) -> Iterator[Path]:
        yield self._directory / f"{kind}_plugins"
        yield from map(Path, getattr(self._settings, f"{kind}_plugins", ()))

    def _fragment(self, name: str) -> tuple[Path, str] | None:
        words = name.strip().split(".")
        collection = self._collections.find(".".join(words[:2])) if len(words) > 2 else None
        path = collection.plugins("doc_fragments").get(words[2]) if collection else None
        return (Path(path), ".".join(words[3:]) or "DOCUMENTATION") if path else None


def _of_collection(collection: Collection, kind: str) -> Iterator[tuple[str, Path]]:
    if kind == "role":
        yield from _roles(Path(collection.directory("roles")))
    elif kind == "module":
        yield from ((name, Path(path)) for name, path in collection.plugins("modules").items())
    else:
        yield from _plugins(Path(collection.directory(kind)), kind)


def _plugins(folder: Path, kind: str) -> Iterator[tuple[str, Path]]:
    """Give the modules or plugins in a directory; a file of filters or tests counts by the documents beside it."""
    if not folder.is_dir():
        return
    suffixes = _MODULES if kind == "module" else DOCUMENTS if kind in ("filter", "test") else (".py",)
    for path in sorted(folder.iterdir()):
        if path.suffix in suffixes and path.is_file() and not path.name.startswith((".", "__")):
            yield path.stem, path


def _roles(folder: Path) -> Iterator[tuple[str, Path]]:
    """Give the roles in a directory that describe their entry points, with the file that does."""
    if not folder.is_dir():
        return
    for role in sorted(folder.iterdir()):
        for file in (role / "meta" / name for name in _SPECS):
            if file.is_file() and role_entries(role.name, file):
                yield role.name, file
                break
