"""Installed Ansible collections: where each is, what is in it, and what its `meta/runtime.yml` says.

Source: the Ansible documentation, "Collection structure", "Using collections"; observed in ansible-core 2.21.
"""

# ruff: noqa: PTH118, PTH119, PTH208  # names as users wrote them

from __future__ import annotations

import os
import sys
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from pyplay.diagnostics.dataclass import dataclass, replace
from pyplay.diagnostics.errors import PlaybookError
from pyplay.diagnostics.late_modules import late_modules
from pyplay.diagnostics.model import Diagnostic, Origin, Severity
from pyplay.source.core_version import COMPATIBLE
from pyplay.source.paths import is_dir, is_file
from pyplay.source.shapes import is_list, is_map

with late_modules("pyplay.source.requires"):
    from pyplay.source import requires

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

HOME = "ansible_collections"
"""The directory that holds collections as NAMESPACE/NAME, and the Python package that they are in."""

_DIRECTORIES = {"roles": "roles", "playbooks": "playbooks", "tasks": "tasks", "modules": "plugins/modules"}
_MAX_REDIRECTS = 20


class CollectionSettings(Protocol):
    """The settings that say where collections are."""

    @property
    def collections_path(self) -> Sequence[str]:
        """Directories that hold `ansible_collections`."""
        ...

    @property
    def collections_on_ansible_version_mismatch(self) -> str:
        """What a collection for another ansible-core is: error, warning or ignore."""
        ...

    @property
    def compatible_version(self) -> str:
        """The version of ansible-core that collections must be for."""
        ...

    @property
    def collections_scan_sys_path(self) -> bool:
        """Whether Python's path is searched, too."""
        ...


@dataclass(frozen=True, slots=True)
class Route:
    """What `plugin_routing` says of one plugin: where it went, that it is gone (with the text), that it will go."""

    redirect: str = ""
    tombstone: str | None = None
    deprecation: str | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A plugin behind all redirects: its full name and its file; `path` is empty for built-ins and for what is missing.

    `notices` are the deprecations met on the way, without a place.
    """

    name: str
    path: str
    notices: tuple[Diagnostic, ...] = ()


class Collection:
    """One collection: its name (`namespace.name`) and its directory."""

    def __init__(self, name: str, path: str) -> None:
        self.name, self.path = name, path
        self._listed: dict[str, dict[str, str]] = {}

    def directory(self, kind: str) -> str:
        """Give the directory of `roles`, `playbooks`, `tasks`, `modules`, or of plugins of any other kind."""
        return os.path.join(self.path, _DIRECTORIES.get(kind) or f"plugins/{kind}")

    def plugins(self, kind: str) -> Mapping[str, str]:
        """Give the files of plugins or modules of `kind` by name; those in subdirectories as `sub.name`.

        `X.py` goes before other files of that name; documents beside plugins (`X.yml`) are none.
        """
        if kind not in self._listed:
            self._listed[kind] = dict(_plugin_files(self.directory(kind), ""))
        return self._listed[kind]

    @cached_property
    def runtime(self) -> Mapping[str, Any]:
        """What `meta/runtime.yml` holds, empty where there is none. Raises PlaybookError if it cannot be read."""
        path = os.path.join(self.path, "meta", "runtime.yml")
        if not is_file(path):
            return {}
        from pyplay.source.yaml_library import yaml  # noqa: PLC0415  # workers seldom look at a collection

        with open(path, "rb") as stream:  # noqa: PTH123
            try:
                data: Any = yaml.load(stream, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # safe
            except yaml.YAMLError as error:
                raise PlaybookError.of(
                    "bad-collection", f"the collection {self.name} cannot be used: {error}", Origin(path)
                ) from error
        return data if is_map(data) else {}

    def misfit(self, version: str) -> Diagnostic | None:
        """Return a warning if `requires_ansible` in `meta/runtime.yml` excludes ansible-core `version`, else None."""
        path = os.path.join(self.path, "meta", "runtime.yml")
        if not is_file(path):
            return None
        with open(path, encoding="utf-8", errors="replace") as stream:  # noqa: PTH123
            wanted = requires.requirement(stream.read())
        try:
            if requires.fits(wanted, version):
                return None
            text = f"it requires ansible-core {wanted}"
        except ValueError as error:
            text = f"its requires_ansible cannot be read, {error}"
        return Diagnostic(
            "collection-version",
            f"Collection {self.name} does not support Ansible version {version}: {text}",
            Origin(path),
            severity=Severity.WARNING,
            help="install a version that does, or set collections_on_ansible_version_mismatch to ignore",
        )

    def route(self, kind: str, name: str) -> Route:
        """Give what the collection says of its plugin `name` of `kind`."""
        table = _under(_under(self.runtime, "plugin_routing"), kind)
        entry = _under(table, name)
        if not entry:
            return Route()
        gone, going = entry.get("tombstone"), entry.get("deprecation")
        return Route(
            str(entry.get("redirect") or ""),
            None if gone is None else _notice(gone, "was removed"),
            None if going is None else _notice(going, "will be removed"),
        )

    @cached_property
    def action_groups(self) -> dict[str, frozenset[str]]:
        """The full names of the modules in each of its action groups, without those of groups that one extends."""
        return {group: frozenset(names) for group, (names, _) in self._groups.items()}

    def extended_groups(self, group: str) -> tuple[str, ...]:
        """Give the full names of the groups whose members belong to `group`, too."""
        return self._groups.get(group, ((), ()))[1]

    @cached_property
    def _groups(self) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
        found: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
        for group, members in _under(self.runtime, "action_groups").items():
            names: list[str] = []
            extends: list[str] = []
            for member in members if is_list(members) else ():
                if is_map(member):
                    other = _under(member, "metadata").get("extend_group") or ()
                    extends += [self._full(str(each)) for each in (other if is_list(other) else [other])]
                else:
                    names.append(self._full(str(member)))
            found[str(group)] = (tuple(names), tuple(extends))
        return found

    def _full(self, name: str) -> str:
        return name if name.count(".") >= 2 else f"{self.name}.{name}"


class Collections:
    """The collections of one run. `roots` are directories called `ansible_collections`, first found first taken."""

    def __init__(
        self,
        roots: Iterable[str] = (),
        *,
        mismatch: str = "ignore",
        version: str = COMPATIBLE,
        on_warning: Callable[[Diagnostic], None] | None = None,
    ) -> None:
        """`mismatch`: what a collection not for ansible-core `version` is: error, warning (`on_warning`) or ignore."""
        self.roots = list(dict.fromkeys(roots))
        self._version = version
        self._mismatch, self._on_warning, self._process = mismatch, on_warning, os.getpid()
        self._judged: set[str] = set()
        self._beside = 0
        self._known: dict[str, Collection | None] = {}
        self._installed: dict[str, Collection] | None = None
        self._resolved: dict[tuple[str, str], Found | None] = {}

    @classmethod
    def of(
        cls,
        settings: CollectionSettings,
        directories: Iterable[str] = (),
        on_warning: Callable[[Diagnostic], None] | None = None,
    ) -> Collections:
        """Give the collections beside `directories` (those of playbooks), then those where the settings say."""
        found = cls(
            map(_root, settings.collections_path),
            mismatch=settings.collections_on_ansible_version_mismatch,
            version=settings.compatible_version,
            on_warning=on_warning,
        )
        if settings.collections_scan_sys_path:
            found.roots += [root for path in sys.path if path and (root := _root(path)) not in found.roots]
        for directory in directories:
            found.add_beside(directory)
        return found

    def add_beside(self, directory: str) -> None:
        """Search the `collections` of a playbook's `directory`, after those added so before."""
        root = _root(os.path.join(directory, "collections"))
        if root in self.roots[: self._beside] or not is_dir(root):
            return
        self.roots.insert(self._beside, root)
        self._beside += 1
        self._known.clear()
        self._resolved.clear()
        self._installed = None

    def find(self, name: str) -> Collection | None:
        """Give the collection `namespace.name`, None if it is not installed.

        Raises PlaybookError for one that is for another ansible-core, if the settings make that an error.
        """
        found = self._look_up(name)
        if found is not None and name not in self._judged:
            self._judge(found)
            self._judged.add(name)
        return found

    def _judge(self, collection: Collection) -> None:
        """Warn of a collection for another ansible-core, once; workers leave that to the controller."""
        problem = collection.misfit(self._version) if self._mismatch != "ignore" else None
        if problem is None:
            return
        if self._mismatch == "error":
            raise PlaybookError([replace(problem, severity=Severity.ERROR)])
        if self._on_warning is not None and os.getpid() == self._process:
            self._on_warning(problem)

    def _look_up(self, name: str) -> Collection | None:
        if name not in self._known:
            namespace, _, rest = name.partition(".")
            places = [os.path.join(root, namespace, rest) for root in self.roots] if namespace and rest else []
            path = next((place for place in places if is_dir(place)), None)
            self._known[name] = Collection(name, path) if path else None
        return self._known[name]

    def installed(self) -> Mapping[str, Collection]:
        """Give all collections by name; the first one of a name."""
        if self._installed is None:
            names = {name for root in self.roots for name in _names(root)}
            found = {name: self._look_up(name) for name in sorted(names)}
            self._installed = {name: collection for name, collection in found.items() if collection is not None}
        return self._installed

    def holders(self, kind: str, name: str) -> list[str]:
        """Give the full names of the plugins of `kind` called `name`, in whichever collections they are."""
        return [f"{each.name}.{name}" for each in self.installed().values() if name in each.plugins(kind)]

    def resolve(self, kind: str, name: str) -> Found | None:
        """Follow the full name of a plugin of `kind` to where it is now; None if neither plugin nor route is there.

        `path` is empty where the way leads to a built-in or to what is not installed.
        Raises PlaybookError (`removed-plugin`) with the collection's text for what was removed.
        """
        key = (kind, name)
        if key not in self._resolved:
            self._resolved[key] = self._follow(kind, name)
        return self._resolved[key]

    def _follow(self, kind: str, name: str) -> Found | None:
        notices: list[Diagnostic] = []
        for turn in range(_MAX_REDIRECTS):
            parts = split_name(name)
            collection = self.find(parts[0]) if parts else None
            if parts is None or collection is None:
                return Found(name, "", tuple(notices)) if turn else None
            route = collection.route(kind, parts[1])
            if route.tombstone is not None:
                raise PlaybookError.of("removed-plugin", f"'{name}' {route.tombstone}")
            if route.deprecation is not None:
                text = f"'{name}' {route.deprecation}"
                notices.append(Diagnostic("deprecated-plugin", text, severity=Severity.DEPRECATION))
            if not route.redirect:
                path = collection.plugins(kind).get(parts[1], "")
                return Found(name, path, tuple(notices)) if path or turn else None
            name = route.redirect
        raise PlaybookError.of("plugin-circle", f"the collections' routes lead '{name}' in a circle")

    def group_members(self, group: str) -> frozenset[str] | None:
        """Give the full names of all modules in the action group `namespace.name.group`, None if there is none."""
        found: set[str] = set()
        wanted, seen = [group], {group}
        while wanted:
            parts = split_name(wanted.pop())
            collection = self.find(parts[0]) if parts else None
            if parts is None or collection is None or parts[1] not in collection.action_groups:
                if len(seen) == 1:
                    return None
                continue
            found |= collection.action_groups[parts[1]]
            more = [each for each in collection.extended_groups(parts[1]) if each not in seen]
            seen.update(more)
            wanted += more
        return frozenset(found)


def split_name(name: str) -> tuple[str, str] | None:
    """Give collection and rest of a full name such as `community.general.ufw`, None for other names."""
    parts = name.split(".")
    if len(parts) < 3 or not all(part.isidentifier() for part in parts):
        return None
    return f"{parts[0]}.{parts[1]}", ".".join(parts[2:])


def owner_of(path: str) -> str | None:
    """Give the name of the collection that the file at `path` belongs to, None if it is in none."""
    parts = path.replace(os.sep, "/").split("/")
    at = next((index for index, part in enumerate(parts) if part == HOME), None)
    if at is None or len(parts) < at + 4:
        return None
    return f"{parts[at + 1]}.{parts[at + 2]}"


def _root(place: str) -> str:
    return place if os.path.basename(place) == HOME else os.path.join(place, HOME)


def _names(root: str) -> Iterator[str]:
    for namespace in _directories(root):
        for name in _directories(os.path.join(root, namespace)):
            yield f"{namespace}.{name}"


def _directories(place: str) -> list[str]:
    if not is_dir(place):
        return []
    return [name for name in os.listdir(place) if name.isidentifier() and is_dir(os.path.join(place, name))]


_DOCUMENTS = frozenset({".yml", ".yaml", ".json", ".md", ".rst", ".txt", ".pyc", ".pyo", ".orig", ".bak"})


def _plugin_files(directory: str, prefix: str) -> Iterator[tuple[str, str]]:
    """Yield names and files of a directory of plugins, `X.py` last of several `X`, so that it wins."""
    if not is_dir(directory):
        return
    entries = sorted(os.listdir(directory), key=lambda name: (name.endswith(".py"), name))
    for entry in entries:
        path = os.path.join(directory, entry)
        stem, extension = os.path.splitext(entry)  # noqa: PTH122
        if entry.startswith((".", "__")) or entry.endswith("~") or extension in _DOCUMENTS:
            continue
        if is_file(path):
            yield prefix + stem, path
        elif entry.isidentifier() and is_dir(path):
            yield from _plugin_files(path, f"{prefix}{entry}.")


def _under(mapping: Any, key: str) -> Mapping[str, Any]:
    value: Any = mapping.get(key) if is_map(mapping) else None
    return value if is_map(value) else {}


def _notice(entry: Any, what: str) -> str:
    """Give the rest of the sentence about a plugin that was, or will be, removed."""
    if not is_map(entry):
        return what
    version, date = entry.get("removal_version"), entry.get("removal_date")
    when = f" in version {version}" if version else f" after {date}" if date else ""
    text = " ".join(str(entry.get("warning_text") or "").split())
    return f"{what}{when}" + (f": {text}" if text else "")
