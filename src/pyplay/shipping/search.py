"""Where modules are: users' `library` directories first for bare names, then the built-in ones, then collections."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Protocol

from pyplay.diagnostics.dataclass import dataclass, replace
from pyplay.diagnostics.deprecated import deprecated
from pyplay.diagnostics.errors import PlaybookError
from pyplay.diagnostics.suggest import nearest
from pyplay.playbook.builtin import is_builtin, resolve_action, short_name
from pyplay.source.collection_homes import GROUPS, full_name, install_hint
from pyplay.source.collections import Collections, split_name
from pyplay.source.paths import is_dir, is_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from pyplay.diagnostics.model import Diagnostic

BUILTIN_PREFIX = "ansible.builtin."
LEGACY_PREFIX = "ansible.legacy."
POSIX_PREFIX = "ansible.posix."
USERS_MODULES = "~/.ansible/plugins/modules"
"""Where a user's modules are without being configured."""
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
    """A module's file. `builtin`: it is one of ours; `utils`: `module_utils` directories that it may import from.

    Of a module in a collection `name` is the full name, and `package` what its relative imports start from. `half` is
    the action plugin that does a part of its work, empty where there is none; without a module it is `place`, too.
    """

    name: str
    place: str
    builtin: bool
    utils: tuple[str, ...] = ()
    package: str = ""
    half: str = ""
    notices: tuple[Diagnostic, ...] = ()

    @property
    def path(self) -> Path:
        """The place as a path: for those who pack modules. The controller does without `pathlib`, which takes 3 ms."""
        from pathlib import Path  # noqa: PLC0415  # as said above

        return Path(self.place)


@dataclass(frozen=True, slots=True)
class Canonical:
    """The full name of what a task calls, and the deprecations met on the way to it, without a place."""

    name: str
    notices: tuple[Diagnostic, ...] = ()


def builtin_directory() -> Path:
    """Give the directory of the built-in modules: inside the installed package, else beside the source tree."""
    from pathlib import Path  # noqa: PLC0415  # see ModuleFile.path

    return Path(_builtin_place())


def _builtin_place() -> str:
    package = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))  # noqa: PTH120  # plain text
    installed = os.path.join(package, "_modules")  # noqa: PTH118  # plain text
    return installed if is_dir(installed) else os.path.join(os.path.dirname(os.path.dirname(package)), "modules")  # noqa: PTH118, PTH120  # plain text


class ModuleSearch:
    """Finds a module's file by name; directories are listed once per process.

    A bare `X` is searched in the `collections` given with the call. It and `ansible.legacy.X` look into the `library`
    of the roles given with the call, those beside the playbooks, `module_path` (-M), the setting `library`,
    `~/.ansible/plugins/modules`, then the built-in ones, then the `library` of the run's other roles; then a bare `X`
    is searched where it is known to have gone, and in the collections that are installed. `ansible.builtin.X` is one of
    ours, and so is `ansible.posix.X` if we have it; other full names are in the collection that they name, or where
    that sends them.
    """

    def __init__(
        self,
        settings: LibrarySettings | None,
        playbook_dirs: Sequence[str] = (),
        *,
        module_path: Sequence[str] = (),
        builtin: str | None = None,
        collections: Collections | None = None,
    ) -> None:
        self.collections = Collections() if collections is None else collections
        self._builtin = builtin or _builtin_place()
        configured = settings.library if settings else ()
        self._beside = list(playbook_dirs)
        self._roles: dict[str, None] = {}
        after = (*module_path, *configured, os.path.expanduser(USERS_MODULES))  # noqa: PTH111  # plain text
        self._after = [os.path.normpath(path) for path in after]
        self._listings: dict[str, dict[str, str]] = {}
        self._canonical: dict[tuple[str, tuple[str, ...], tuple[str, ...]], Canonical] = {}
        self._members: dict[str, frozenset[str]] = {}

    def add_role(self, directory: str) -> None:
        """Let the `library` of the role in `directory` serve tasks of other roles, too, and those of plays."""
        self._roles[os.path.normpath(directory)] = None

    def find(self, name: str, *, roles: Sequence[str] = (), collections: Sequence[str] = ()) -> ModuleFile:
        """Give the file of module `name`; `roles` are directories of roles whose `library` comes first.

        `collections` are searched for bare names. Raises PlaybookError: `unknown-module` with what would mend it,
        `ambiguous-module`, `removed-plugin`.
        """
        if not name.startswith((BUILTIN_PREFIX, LEGACY_PREFIX)) and split_name(name):
            file = self._in_collection(name)
            if file is None:
                raise self._not_in_collection(name)
            return file
        bare = name.removeprefix(BUILTIN_PREFIX).removeprefix(LEGACY_PREFIX)
        for place in _places(collections if name == bare else ()):
            ours = place in _OURS
            file = self._own(name, bare, roles) if ours else self._in_collection(f"{place}.{bare}")
            if file is None and ours and self._roles:
                file = self._own(name, bare, (*roles, *self._roles))
            if file is not None:
                return file
        file = self._elsewhere(bare) if name == bare else None
        if file is None:
            raise self._unknown(name, bare, roles)
        return file

    def canonical(self, name: str, *, roles: Sequence[str] = (), collections: Sequence[str] = ()) -> Canonical:
        """Give the full name of the module or action that a task calls `name`. Raises PlaybookError, as `find`."""
        key = (name, tuple(roles), tuple(collections))
        found = self._canonical.get(key)
        if found is None:
            found = self._canonical[key] = self._resolve(*key)
        return found

    def in_group(self, name: str, group: str) -> bool:
        """Tell whether the module of the full name `name` is in the action group `group` of module_defaults.

        Raises PlaybookError (`unknown-group`) if there is no such group.
        """
        members = self._members.get(group)
        if members is None:
            full = GROUPS.get(group, group)
            written = self.collections.group_members(full)
            if written is None and group in GROUPS:
                written = frozenset[str]()  # known of old, though its collection is not there
            if written is None:
                known = self.collections.find(".".join(full.split(".")[:2]))
                mend = "" if known or "." not in full else install_hint(full)
                raise PlaybookError.of("unknown-group", f"there is no group of modules '{group}'", help=mend)
            members = self._members[group] = written | {self._target(each) for each in written}
        return name in members

    def _target(self, name: str) -> str:
        try:
            found = self.collections.resolve("modules", name)
        except PlaybookError:  # removed: no task can name it
            return name
        return found.name if found else name

    def _resolve(self, name: str, roles: tuple[str, ...], collections: tuple[str, ...]) -> Canonical:
        ours = resolve_action(name)
        if is_builtin(name):
            for place in _places(collections) if name == short_name(name) else ():
                file = None if place in _OURS else self._in_collection(f"{place}.{name}")
                if place in _OURS or file is not None:
                    return Canonical(ours) if file is None else _canonical(file, ours)
            return Canonical(ours)
        return _canonical(self.find(name, roles=roles, collections=collections), ours)

    def _own(self, name: str, bare: str, roles: Sequence[str]) -> ModuleFile | None:
        """Give the user's or the built-in module of this name."""
        if not name.startswith(BUILTIN_PREFIX):
            homes = [*roles, *self._beside]
            for folder in [*(os.path.join(home, "library") for home in homes), *self._after]:  # noqa: PTH118  # plain text
                listed = self._list(folder)
                path = listed.get(bare) or listed.get(f"_{bare}")
                if path is not None:
                    utils = [os.path.join(home, "module_utils") for home in (*homes, os.path.dirname(folder))]  # noqa: PTH118, PTH120  # plain text
                    return ModuleFile(
                        bare,
                        path,
                        builtin=False,
                        utils=tuple(p for p in utils if is_dir(p)),
                        half=self._half(homes, bare),
                        notices=() if bare in listed else (deprecated("module-alias", {"name": bare}, None),),
                    )
            half = self._half(homes, bare)
            if half and bare not in self._list(self._builtin):  # an action of the user's without a module
                return ModuleFile(bare, half, builtin=False, half=half)
        return self._built_in(bare)

    def _half(self, homes: Sequence[str], bare: str) -> str:
        """Give the user's own action plugin of this name, beside the playbooks or in roles."""
        found = (self._list(os.path.join(home, "action_plugins")).get(bare) for home in homes)  # noqa: PTH118  # plain text
        return next(filter(None, found), "")

    def _built_in(self, bare: str) -> ModuleFile | None:
        path = self._list(self._builtin).get(bare)
        return None if path is None else ModuleFile(bare, path, builtin=True)

    def _in_collection(self, name: str) -> ModuleFile | None:
        """Give the file of the module of this full name, behind all redirects, None if its collection has none."""
        if name.startswith(POSIX_PREFIX) and (ours := self._built_in(name.removeprefix(POSIX_PREFIX))):
            return ours
        found = self.collections.resolve("modules", name)
        action = self.collections.resolve("action", name if found is None else found.name)
        if found is None:
            return ModuleFile(name, action.path, builtin=False, half=action.path) if action else None
        if not found.path:
            if not is_builtin(found.name):
                message = f"'{name}' is now '{found.name}', which is not there"
                raise PlaybookError.of("unknown-module", message, help=install_hint(found.name))
            short = short_name(found.name)  # some of ours are actions alone, without a file
            return replace(self._built_in(short) or ModuleFile(short, "", builtin=True), notices=found.notices)
        parts = split_name(found.name)
        assert parts is not None  # noqa: S101  # only full names have files
        inner = "".join(f".{word}" for word in parts[1].split(".")[:-1])
        package = f"ansible_collections.{parts[0]}.plugins.modules{inner}"
        half = action.path or action.name if action else ""
        return ModuleFile(found.name, found.path, builtin=False, package=package, half=half, notices=found.notices)

    def _elsewhere(self, bare: str) -> ModuleFile | None:
        """Give the module that is neither the user's nor built in: where it is known to be, or in one collection."""
        known = full_name("modules", bare)
        if known and (file := self._in_collection(known)):
            return file
        holders = self.collections.holders("modules", bare)
        if len(holders) > 1:
            raise PlaybookError.of(
                "ambiguous-module", f"several collections have a module '{bare}'",
                help=f"write which one is meant: {', '.join(holders)}",
            )  # fmt: skip
        return self._in_collection(holders[0]) if holders else None

    def names(self, roles: Sequence[str] = ()) -> Iterable[str]:
        """Give every bare name that `find` knows."""
        folders = [os.path.join(home, "library") for home in (*roles, *self._beside)]  # noqa: PTH118  # plain text
        return sorted({name for folder in [*folders, *self._after, self._builtin] for name in self._list(folder)})

    def _unknown(self, name: str, bare: str, roles: Sequence[str]) -> PlaybookError:
        known = full_name("modules", bare)
        close = None if known else nearest(bare, self.names(roles))
        mend = f"did you mean `{close}`?" if close else "put it into a `library` directory beside the playbook or role"
        mend = install_hint(known) if known else mend
        return PlaybookError.of("unknown-module", f"there is no module `{name}`", help=mend)

    def _not_in_collection(self, name: str) -> PlaybookError:
        """Give the error for a full name: its collection is not installed, or has no such module."""
        parts = split_name(name)
        collection = self.collections.find(parts[0]) if parts else None
        if parts is None or collection is None:
            return PlaybookError.of("unknown-module", f"there is no module `{name}`", help=install_hint(name))
        close = nearest(parts[1], collection.plugins("modules"))
        mend = f"did you mean `{parts[0]}.{close}`?" if close else f"the collection is in {collection.path}"
        return PlaybookError.of("unknown-module", f"the collection {parts[0]} has no module `{parts[1]}`", help=mend)

    def _list(self, folder: str) -> dict[str, str]:
        known = self._listings.get(folder)
        if known is None:
            known = self._listings[folder] = _listed(folder)
        return known


_OURS = ("ansible.legacy", "ansible.builtin")


def _places(collections: Sequence[str]) -> Sequence[str]:
    """Give where a bare name is searched: in `collections`, then among the user's and built-in ones."""
    return collections if any(place in _OURS for place in collections) else (*collections, _OURS[0])


def _canonical(file: ModuleFile, ours: str) -> Canonical:
    """Give the full name of a module's file; `ours` is the name of what is built in, or the user's own."""
    if file.builtin:
        return Canonical(resolve_action(file.name), file.notices)
    return Canonical(file.name if split_name(file.name) else ours, file.notices)


def needs_action(name: str, half: str) -> PlaybookError:
    """Give the error of reaching a module whose other half, an action plugin, we cannot run."""
    return PlaybookError.of(
        "needs-action-plugin", f"'{name}' needs the action plugin {half}: pyplay runs none of others",
        help="use another module for it, or 'when' to leave the task out",
    )  # fmt: skip


def _listed(folder: str) -> dict[str, str]:
    """Give the modules of a directory by name; `X.py` wins over other files of that name."""
    found: dict[str, str] = {}
    if not is_dir(folder):
        return found
    for name in sorted(os.listdir(folder)):  # noqa: PTH208  # plain text
        path = os.path.join(folder, name)  # noqa: PTH118  # plain text
        stem, end = os.path.splitext(name)  # noqa: PTH122  # plain text
        if end in IGNORED or name.startswith((".", "__")) or name.endswith("~") or not is_file(path):
            continue
        if end == ".py" or stem not in found:
            found[stem] = path
    return found
