"""Where modules are: users' `library` directories first for bare names, then the built-in ones."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from pyplay.diagnostics.errors import PlaybookError
from pyplay.diagnostics.suggest import nearest
from pyplay.source.paths import is_dir, is_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

BUILTIN_PREFIX = "ansible.builtin."
LEGACY_PREFIX = "ansible.legacy."
IGNORED = frozenset(
    {
        ".pyc",
        ".pyo",
        ".swp",
        ".bak",
        "~",
        ".rpm",
        ".md",
        ".txt",
        ".rst",
        ".json",
        ".ini",
        ".cfg",
        ".yml",
        ".yaml",
        ".orig",
    }
)


class LibrarySettings(Protocol):
    """The settings that name places of modules."""

    @property
    def library(self) -> Sequence[str]:
        """Directories of modules (ANSIBLE_LIBRARY)."""
        ...


@dataclass(frozen=True, slots=True)
class ModuleFile:
    """A module's file. `builtin`: it is one of ours; `utils`: `module_utils` directories that it may import from."""

    name: str
    path: Path
    builtin: bool
    utils: tuple[Path, ...] = ()


def builtin_directory() -> Path:
    """Give the directory of the built-in modules: inside the installed package, else beside the source tree."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "_modules"
    return installed if is_dir(installed) else package.parent.parent / "modules"


class ModuleSearch:
    """Finds a module's file by name; directories are listed once per process.

    A bare `X` and `ansible.legacy.X` look into the `library` of the roles given with the call, those beside the
    playbooks, `module_path` (-M), the setting `library`, `~/.ansible/plugins/modules`, then the built-in ones;
    `ansible.builtin.X` into these alone.
    """

    def __init__(
        self,
        settings: LibrarySettings | None,
        playbook_dirs: Sequence[str] = (),
        *,
        module_path: Sequence[str] = (),
        builtin: Path | None = None,
    ) -> None:
        self._builtin = builtin or builtin_directory()
        configured = [Path(folder) for folder in (settings.library if settings else ())]
        self._beside = [Path(folder) for folder in playbook_dirs]
        self._after = [*map(Path, module_path), *configured, Path("~/.ansible/plugins/modules").expanduser()]
        self._listings: dict[Path, dict[str, Path]] = {}

    def find(self, name: str, *, roles: Sequence[str] = ()) -> ModuleFile:
        """Give the file of module `name`; `roles` are directories of roles whose `library` comes first.

        Raises PlaybookError (`unknown-module`) with the nearest known name.
        """
        bare = name.removeprefix(BUILTIN_PREFIX).removeprefix(LEGACY_PREFIX)
        if not name.startswith(BUILTIN_PREFIX):
            homes = [Path(folder) for folder in (*roles, *self._beside)]
            for folder in [*(home / "library" for home in homes), *self._after]:
                path = self._list(folder).get(bare)
                if path is not None:
                    utils = tuple(home / "module_utils" for home in (*homes, folder.parent))
                    return ModuleFile(bare, path, builtin=False, utils=tuple(p for p in utils if is_dir(p)))
        path = self._list(self._builtin).get(bare)
        if path is None:
            raise self._unknown(name, bare, roles)
        return ModuleFile(bare, path, builtin=True)

    def names(self, roles: Sequence[str] = ()) -> Iterable[str]:
        """Give every bare name that `find` knows."""
        folders = [Path(folder) / "library" for folder in (*map(Path, roles), *self._beside)]
        return sorted({name for folder in [*folders, *self._after, self._builtin] for name in self._list(folder)})

    def _unknown(self, name: str, bare: str, roles: Sequence[str]) -> PlaybookError:
        close = nearest(bare, self.names(roles))
        mend = f"did you mean `{close}`?" if close else "put it into a `library` directory beside the playbook or role"
        fault = PlaybookError.of("unknown-module", f"there is no module `{name}`", help=mend)
        return PlaybookError(fault.diagnostics)

    def _list(self, folder: Path) -> dict[str, Path]:
        known = self._listings.get(folder)
        if known is None:
            known = self._listings[folder] = _listed(folder)
        return known


def _listed(folder: Path) -> dict[str, Path]:
    """Give the modules of a directory by name; `X.py` wins over other files of that name."""
    found: dict[str, Path] = {}
    if not is_dir(folder):
        return found
    for path in sorted(folder.iterdir()):
        if path.suffix in IGNORED or path.name.startswith((".", "_")) or path.name.endswith("~") or not is_file(path):
            continue
        if path.suffix == ".py" or path.stem not in found:
            found[path.stem] = path
    return found
