"""Variables in files: `group_vars/` and `host_vars/` next to inventory sources and playbooks.

Source: Ansible user guide, "Organizing host and group variables": a file named for the group or host (without extension
or with one that YAML files have), or a directory of such files, read in the order of their names.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal

from pyplay.diagnostics.errors import PlaybookError
from pyplay.diagnostics.model import Origin
from pyplay.source.paths import is_dir, is_file, suffix
from pyplay.source.text import SourceMap, origin_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyplay.diagnostics.model import Diagnostic
    from pyplay.source.vault import VaultSecrets

Kind = Literal["group_vars", "host_vars"]
EXTENSIONS = (".yml", ".yaml", ".json")


def load_vars_dir(
    basedir: str,
    kind: Kind,
    name: str,
    *,
    vault: VaultSecrets | None = None,
    cache: dict[str, SourceMap] | None = None,
    extensions: tuple[str, ...] = EXTENSIONS,
    on_warning: Callable[[Diagnostic], None] | None = None,
    duplicates: Any = "warn",
) -> SourceMap:
    """Give the variables that `basedir`/`kind` holds for the group or host `name`, empty if none.

    `cache` keeps what each file says, by path. Raises PlaybookError for files that cannot be read or hold no mapping.
    """
    found = SourceMap()
    for path in _files_for(os.path.join(basedir, kind), name, extensions):  # noqa: PTH118  # plain text
        values = cache.get(path) if cache is not None else None
        if values is None:
            values = load_vars_file(path, vault=vault, on_warning=on_warning, duplicates=duplicates)
            if cache is not None:
                cache[path] = values
        found.update(values)
        found.key_origins.update(values.key_origins)
        found.origin = found.origin or values.origin
    return found


def load_vars_file(
    path: str,
    *,
    vault: VaultSecrets | None = None,
    on_warning: Callable[[Diagnostic], None] | None = None,
    duplicates: Any = "warn",
) -> SourceMap:
    """Give the variables in the file at `path`. Raises PlaybookError if it cannot be read or holds no mapping.

    `duplicates`: what a key that is given twice is, as the setting `duplicate_dict_key` says it.
    """
    from pyplay.source.yaml import load_file  # noqa: PLC0415  # workers seldom read one

    data = load_file(path, vault=vault, on_warning=on_warning, duplicates=duplicates)
    if data is None:
        return SourceMap((), Origin(path))
    if not isinstance(data, SourceMap):
        raise PlaybookError.of(
            "vars-file",
            "a file of variables holds a mapping",
            origin_of(data) or Origin(path),
            help="write name: value",
        )
    return data


def _files_for(directory: str, name: str, extensions: tuple[str, ...]) -> list[str]:
    """Give the files for `name`: the first that exists of the bare name and the name with each extension."""
    if "/" in name or name in ("", ".", ".."):
        return []
    for extension in ("", *extensions):
        path = os.path.join(directory, f"{name}{extension}")  # noqa: PTH118  # plain text
        if is_file(path):
            return [path]
        if not extension and is_dir(path):
            return _files_in(path, extensions)
    return []


def _files_in(directory: str, extensions: tuple[str, ...]) -> list[str]:
    """Give the files of variables below `directory`, sorted; hidden ones, backups and other extensions are left out."""
    found: list[str] = []
    for name in sorted(os.listdir(directory)):  # noqa: PTH208  # plain text
        if name.startswith(".") or name.endswith("~"):
            continue
        path = os.path.join(directory, name)  # noqa: PTH118  # plain text
        if is_dir(path):
            found += _files_in(path, extensions)
        elif suffix(path) in ("", *extensions):
            found.append(path)
    return found


class VarsFiles:
    """The `group_vars` and `host_vars` of one directory, read when first asked for, each file once.

    The two directories are listed once, so that thousands of hosts without a file cost no look at the disk each.
    """

    def __init__(
        self,
        basedir: str,
        *,
        vault: VaultSecrets | None = None,
        extensions: tuple[str, ...] = EXTENSIONS,
        on_warning: Callable[[Diagnostic], None] | None = None,
        duplicates: Any = "warn",
    ) -> None:
        self.basedir, self.duplicates = basedir, duplicates
        self.vault, self.extensions, self.on_warning = vault, extensions, on_warning
        self._files: dict[str, SourceMap] = {}
        self._names: dict[Kind, frozenset[str]] = {}
        self._values: dict[tuple[Kind, str], SourceMap | None] = {}

    def __getstate__(self) -> dict[str, object]:
        """Leave the callback out: it belongs to this process."""
        return {**self.__dict__, "on_warning": None}

    def group(self, name: str) -> SourceMap | None:
        """Give the variables of the group `name`, None if there are none. Raises PlaybookError."""
        return self._get("group_vars", name)

    def host(self, name: str) -> SourceMap | None:
        """Give the variables of the host `name`, None if there are none. Raises PlaybookError."""
        return self._get("host_vars", name)

    def _get(self, kind: Kind, name: str) -> SourceMap | None:
        key = (kind, name)
        if key not in self._values:
            self._values[key] = self._load(kind, name) if name in self._listed(kind) else None
        return self._values[key]

    def _load(self, kind: Kind, name: str) -> SourceMap | None:
        values = load_vars_dir(
            self.basedir,
            kind,
            name,
            vault=self.vault,
            cache=self._files,
            extensions=self.extensions,
            on_warning=self.on_warning,
            duplicates=self.duplicates,
        )
        return values or None

    def _listed(self, kind: Kind) -> frozenset[str]:
        """Give the names for which there may be files."""
        names = self._names.get(kind)
        if names is None:
            names = self._names[kind] = frozenset(_stems(os.path.join(self.basedir, kind), self.extensions))  # noqa: PTH118  # once per directory
        return names


def _stems(directory: str, extensions: tuple[str, ...]) -> list[str]:
    """Give the names of the entries of `directory`, with and without the extensions of YAML files."""
    try:
        entries = os.listdir(directory)  # noqa: PTH208  # names alone
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        reason = error.strerror or str(error)
        raise PlaybookError.of("unreadable-file", f"cannot list {directory}: {reason}", Origin(directory)) from error
    stems = [
        entry.removesuffix(extension) for entry in entries for extension in extensions if entry.endswith(extension)
    ]
    return entries + stems
