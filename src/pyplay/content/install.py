"""Installing: from requirements to versions, to unpacked directories, and only then into their places.

Whatever fails before the last step leaves all that was there.
"""

from __future__ import annotations

import datetime as dt
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyplay.content import installed as there
from pyplay.content.faults import ContentError, NotThereError
from pyplay.content.git import clone
from pyplay.content.lock import Locked
from pyplay.content.metadata import (
    FILES,
    MANIFEST,
    check_files,
    read_collection,
    remove_unlisted,
    role_dependencies,
    role_root,
    sha256_of,
    tree_hash,
)
from pyplay.content.names import Kind, Origins, Wanted, is_role_name
from pyplay.content.pack import pack_collection
from pyplay.content.place import publish, stage
from pyplay.content.resolve import ConflictError, Need, resolve
from pyplay.content.signatures import Keys, check
from pyplay.content.unpack import unpack
from pyplay.content.versions import ANY, Range
from pyplay.diagnostics.dataclass import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pyplay.content.galaxy import GalaxyServer, Release
    from pyplay.content.web import Web

_AT_ONCE = 4
_FROM_GIT = "git+"


@dataclass(frozen=True, slots=True)
class Options:
    """How it is installed."""

    force: bool = False
    upgrade: bool = False
    dependencies: bool = True
    pre: bool = False
    offline: bool = False
    keys: Keys = Keys()


@dataclass(frozen=True, slots=True)
class Ready:
    """A collection or role that stands in whole in `directory`, and what the lock says of it."""

    locked: Locked
    directory: Path
    shown_version: str


class Servers:
    """The Galaxy servers in their order: the first one that has a collection is the one it comes from."""

    def __init__(self, servers: Sequence[GalaxyServer], *, make: Callable[[str], GalaxyServer], offline: bool) -> None:
        self._servers, self._make, self._offline = servers, make, offline
        self._homes: dict[str, tuple[GalaxyServer, list[str]]] = {}
        self._releases: dict[tuple[str, str], Release] = {}
        self._named: dict[str, GalaxyServer] = {}

    def name_server(self, name: str, server: str) -> None:
        """Take `name` from `server`, a URL or the name of a configured server, alone."""
        known = [each for each in self._servers if server.rstrip("/") in (each.url.rstrip("/"), each.name)]
        self._named[name] = known[0] if known else self._make(server)

    def versions(self, name: str) -> list[str]:
        """Return the versions that the first server with `name` has."""
        return self._home(name)[1]

    def dependencies(self, name: str, version: str) -> Mapping[str, str]:
        """Return the ranges of what a version depends on."""
        return self.release(name, version).dependencies

    def release(self, name: str, version: str) -> Release:
        """Return what the server says of a version."""
        if (name, version) not in self._releases:
            self._releases[name, version] = self._home(name)[0].release(name, version)
        return self._releases[name, version]

    def server(self, name: str) -> GalaxyServer:
        """Return where `name` comes from."""
        return self._home(name)[0]

    def known_home(self, name: str) -> str:
        """Return the URL of the server of `name` if one was asked, else ""."""
        return self._homes[name][0].url if name in self._homes else ""

    def role(self, name: str, version: str) -> tuple[GalaxyServer, Release]:
        """Return the first server that has the role, and its release."""
        return self._first(name, "role", lambda server: server.role(name, version))

    def _home(self, name: str) -> tuple[GalaxyServer, list[str]]:
        if name not in self._homes:
            self._homes[name] = self._first(name, "collection", lambda server: server.versions(name))
        return self._homes[name]

    def _first(self, name: str, kind: str, ask: Callable[[GalaxyServer], Any]) -> tuple[GalaxyServer, Any]:
        servers = [self._named[name]] if name in self._named else self._servers
        if self._offline:
            message = f"the {kind} {name} is not installed, and --offline asks no server"
            raise ContentError.of("offline", message, help="install it once without --offline")
        for server in servers:
            try:
                return server, ask(server)
            except NotThereError:
                continue
        shown = ", ".join(server.url for server in servers) or "no server"
        message = f"there is no {kind} {name} at {shown}"
        raise NotThereError.of("not-found", message, help="see whether its name is right")


class _Index:
    """What the resolver asks: fetched collections, then installed ones (if `content` nothing else), then servers."""

    def __init__(
        self, fixed: Mapping[str, Ready], present: Mapping[str, there.Installed], servers: Servers, *, content: bool
    ) -> None:
        self._fixed, self._present, self._servers, self._content = fixed, present, servers, content

    def versions(self, name: str) -> list[str]:
        if name in self._fixed:
            return [self._fixed[name].shown_version]
        own = [self._present[name].version] if name in self._present else []
        if own and self._content:
            return own
        return list(dict.fromkeys([*own, *self._servers.versions(name)]))

    def dependencies(self, name: str, version: str) -> Mapping[str, str]:
        if name in self._fixed:
            return read_collection(self._fixed[name].directory).dependencies
        if name in self._present and self._present[name].version == version:
            return read_collection(self._present[name].path).dependencies
        return self._servers.dependencies(name, version)


class Installer:
    """Installs collections below `collections_root` and roles below `roles_root`; `say` tells each step in a line.

    `search` are all directories in which runs look for collections: what is there already need not be installed again.
    """

    def __init__(
        self, collections_root: Path, roles_root: Path, *, search: Sequence[Path], servers: Servers, web: Web,
        options: Options, say: Callable[[str], None],
    ) -> None:  # fmt: skip
        self._collections, self._roles, self._search = collections_root, roles_root, search
        self._servers, self._web, self._options, self._say = servers, web, options, say

    def install(
        self, wanted: Sequence[Wanted], locks: Mapping[tuple[Kind, str], Locked], *, frozen: bool, keep: bool = False
    ) -> list[Locked]:
        """Install what is wanted; return what was chosen, for the lock.

        `locks` are preferred, with `frozen` they alone are taken. With `keep`, nothing is installed that differs from
        them: ContentError is raised instead.
        """
        chosen: list[Locked] = []
        for kind, root, choose in (
            (Kind.COLLECTION, self._collections, self._choose_collections),
            (Kind.ROLE, self._roles, self._choose_roles),
        ):
            parts = [each for each in wanted if each.kind is kind]
            if not parts:
                continue
            with stage(root) as scratch:
                ready, present = choose(parts, locks if not self._options.upgrade else {}, scratch, frozen=frozen)
                entries = [each.locked for each in ready] + present
                _compare(entries, locks, strict=frozen or keep)
                self._put(ready, root)
                chosen += entries
        return chosen

    def _put(self, ready: Iterable[Ready], root: Path) -> None:
        for each in ready:
            name = each.locked.name
            if each.locked.kind is Kind.COLLECTION:
                target = root.joinpath(there.HOME, *name.split("."))
            else:
                target = root / name
                if target.exists() and not (target / there.INFO).exists() and not self._options.force:
                    message = f"{target} is there, and was not installed"
                    raise ContentError.of("not-ours", message, help="--force replaces it, -p installs elsewhere")
            publish(each.directory, target)
            self._say(f"{name} {each.shown_version} -> {target}")

    # -- collections -------------------------------------------------------------------------------------------------

    def _choose_collections(
        self, wanted: Sequence[Wanted], locks: Mapping[tuple[Kind, str], Locked], scratch: Path, *, frozen: bool
    ) -> tuple[list[Ready], list[Locked]]:
        fixed: dict[str, Ready] = {}
        needs: list[Need] = []
        for number, each in enumerate(wanted):
            if each.type is not Origins.GALAXY:
                for ready in self._placed(each, scratch / f"placed{number}", locks, frozen=frozen):
                    fixed[ready.locked.name] = ready
                    needs.append(Need(ready.locked.name, ready.shown_version, "requirements"))
                continue
            if each.server:
                self._servers.name_server(each.name, each.server)
            needs.append(Need(each.name, each.version or ANY, str(each.origin or "the command line")))
        present = {} if self._options.force else self._present()
        locked = {name: entry.version for (kind, name), entry in locks.items() if kind is Kind.COLLECTION}
        prefer = {**{n: e.version for n, e in present.items() if not self._options.upgrade}, **locked}
        if frozen:
            needs = [need for need in needs if need.name in fixed or _met(need, locked)]
            needs += [Need(n, f"=={v}", "the lock") for n, v in locked.items() if n not in fixed]
        versions = self._resolved(needs, fixed, present, prefer, deep=self._options.dependencies and not frozen)
        here: list[Locked] = []
        fetch: list[tuple[str, str]] = []
        for name, version in versions.items():
            if name in fixed:
                continue
            if name in present and present[name].version == version and _is_whole(present[name], locks):
                here.append(self._here(present[name], locks))
                self._say(f"{name} {version} is there already")
            else:
                fetch.append((name, version))
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            jobs = [pool.submit(self._fetch, name, version, scratch) for name, version in fetch]
            fetched = [job.result() for job in jobs]
        signatures = {each.name: each.signatures for each in wanted}
        for each in fetched:
            name, version = each.locked.name, each.locked.version
            served = self._servers.release(name, version).signatures
            self._check_signatures(each, signatures.get(name, ()), served)
        return [*fixed.values(), *fetched], here

    def _resolved(
        self, needs: list[Need], fixed: Mapping[str, Ready], present: Mapping[str, there.Installed],
        prefer: Mapping[str, str], *, deep: bool,
    ) -> dict[str, str]:  # fmt: skip
        """Return the versions to install. If what is installed meets everything, no server is asked."""

        def ask(*, content: bool) -> dict[str, str]:
            index = _Index(fixed, present, self._servers, content=content)
            return resolve(needs, index, prefer=prefer, pre=self._options.pre, dependencies=deep)

        if present and not self._options.upgrade:
            try:
                return ask(content=True)
            except ConflictError:
                pass
        return ask(content=False)

    def _present(self) -> dict[str, there.Installed]:
        found: dict[str, there.Installed] = {}
        for each in there.collections([self._collections, *self._search]):
            if each.version and each.name not in found:
                found[each.name] = each
        return found

    def _here(self, each: there.Installed, locks: Mapping[tuple[Kind, str], Locked]) -> Locked:
        """Return the lock's line of an installed collection: as it stands there, else by its content."""
        known = locks.get((Kind.COLLECTION, each.name))
        if known is not None and known.version == each.version:
            return known
        source = self._servers.known_home(each.name) or "installed"
        return Locked(Kind.COLLECTION, each.name, each.version, source, (tree_hash(each.path),))

    def _fetch(self, name: str, version: str, scratch: Path) -> Ready:
        release, server = self._servers.release(name, version), self._servers.server(name)
        archive = scratch / f"{name}-{version}.tar.gz"
        self._say(f"downloading {name} {version} from {server.url}")
        server.fetch(release, archive)
        return self._unpacked(archive, scratch / f"{name}-{version}", server.url, expected=(name, version))

    def _unpacked(self, archive: Path, directory: Path, source: str, expected: tuple[str, str] | None = None) -> Ready:
        hashes = f"zh:{sha256_of(archive)}"
        unpack(archive, directory)
        archive_name = archive.name
        if not (directory / MANIFEST).is_file() or not (directory / FILES).is_file():
            message = f"{archive_name} is no collection: it has no {MANIFEST} and {FILES}"
            raise ContentError.of("no-collection", message, help="build one with `pyplay install build DIRECTORY`")
        remove_unlisted(directory)
        faults = check_files(directory)
        if faults:
            message = f"{archive_name} does not hold what it says: {'; '.join(faults[:5])}"
            raise ContentError.of("wrong-hash", message, help="download it again, or build it again")
        info = read_collection(directory)
        if expected and (info.name, info.version) != expected:
            message = f"{archive_name} holds {info.name} {info.version}"
            raise ContentError.of("wrong-content", message, help="tell who keeps the server")
        entry = Locked(Kind.COLLECTION, info.name, info.version, source, (hashes, tree_hash(directory)))
        return Ready(entry, directory, info.version)

    def _placed(
        self, wanted: Wanted, scratch: Path, locks: Mapping[tuple[Kind, str], Locked], *, frozen: bool
    ) -> list[Ready]:
        """Fetch a collection from where the requirement says: the version is known only then."""
        scratch.mkdir()
        if wanted.type in {Origins.FILE, Origins.URL}:
            archive = scratch / "collection.tar.gz"
            self._get(wanted, archive)
            ready = [self._unpacked(archive, scratch / "unpacked", wanted.place)]
        else:
            ready = self._built(wanted, scratch, locks, frozen=frozen)
        for each in ready:
            self._check_placed(wanted, each)
            self._check_signatures(each, wanted.signatures, ())
        return ready

    def _check_signatures(self, ready: Ready, named: Sequence[str], served: Sequence[str]) -> None:
        check(ready.locked.name, ready.directory, named, served, keys=self._options.keys, web=self._web)

    def _check_placed(self, wanted: Wanted, ready: Ready) -> None:
        if wanted.name and wanted.name != ready.locked.name:
            message = f"{wanted.place} holds {ready.locked.name}, not {wanted.name}"
            raise ContentError.of("wrong-content", message, wanted.origin, help="correct the name or the place")
        if wanted.type is Origins.GIT or not wanted.version:
            return
        try:
            fits = ready.shown_version in Range(wanted.version)
        except ValueError as error:
            raise ContentError.of("requirements", f"{wanted.place}: {error}", wanted.origin) from error
        if not fits:
            message = f"{wanted.place} holds version {ready.shown_version}, not {wanted.version}"
            raise ContentError.of("wrong-content", message, wanted.origin, help="correct the version or the place")

    def _built(
        self, wanted: Wanted, scratch: Path, locks: Mapping[tuple[Kind, str], Locked], *, frozen: bool
    ) -> list[Ready]:
        source, commit = wanted.place, ""
        if wanted.type is Origins.GIT:
            self._online(wanted)
            source = _FROM_GIT + wanted.place + (f"#{wanted.subdirectory}" if wanted.subdirectory else "")
            known = (
                [each for each in locks.values() if each.source.partition("@commit:")[0] == source] if frozen else []
            )
            pinned = known[0].source.partition("@commit:")[2] if known else wanted.version
            self._say(f"cloning {wanted.place}")
            commit = clone(wanted.place, pinned, scratch / "clone")
            root = scratch / "clone" / wanted.subdirectory
            if not root.resolve().is_relative_to((scratch / "clone").resolve()):
                raise ContentError.of("bad-url", f"{wanted.subdirectory} leads out of {wanted.place}", wanted.origin)
        else:
            root = Path(wanted.place)
        roots = [root] if (root / "galaxy.yml").exists() or (root / MANIFEST).exists() else _below(root)
        if not roots:
            raise ContentError.of(
                "no-collection", f"{wanted.place} holds no collection: there is no galaxy.yml", wanted.origin,
                help="name the directory that has it, #/DIRECTORY behind the URL of a repository",
            )  # fmt: skip
        ready: list[Ready] = []
        for number, each in enumerate(roots):
            archive = pack_collection(each, scratch / f"built{number}")
            one = self._unpacked(archive, scratch / f"unpacked{number}", source)
            entry = replace(one.locked, source=f"{source}@commit:{commit}" if commit else source)
            ready.append(replace(one, locked=entry))
        return ready

    def _get(self, wanted: Wanted, archive: Path) -> None:
        if wanted.type is Origins.URL:
            self._online(wanted)
            self._say(f"downloading {wanted.place}")
            self._web.download(wanted.place, archive)
            return
        try:
            shutil.copyfile(wanted.place, archive)
        except (FileNotFoundError, IsADirectoryError, PermissionError) as error:
            message = f"{wanted.place} cannot be read: {error.strerror}"
            raise ContentError.of("no-file", message, wanted.origin, help="correct the path") from error

    def _online(self, wanted: Wanted) -> None:
        if self._options.offline:
            message = f"{wanted.place} is elsewhere, and --offline asks no server"
            raise ContentError.of("offline", message, wanted.origin, help="install it without --offline")

    # -- roles -------------------------------------------------------------------------------------------------------

    def _choose_roles(
        self, wanted: Sequence[Wanted], locks: Mapping[tuple[Kind, str], Locked], scratch: Path, *, frozen: bool
    ) -> tuple[list[Ready], list[Locked]]:
        present = {each.name: each for each in there.roles([self._roles])}
        ready: dict[str, Ready] = {}
        here: dict[str, Locked] = {}
        waiting = list(wanted)
        while waiting:
            each = waiting.pop(0)
            if each.name in ready or each.name in here:
                continue
            locked = locks.get((Kind.ROLE, each.name))
            if frozen and locked is None:
                message = f"the role {each.name} is not in the lock"
                raise ContentError.of(
                    "not-locked", message, each.origin, help="run `pyplay install -r` once without --frozen"
                )
            if self._is_there(each, present, locked):
                self._say(f"{each.name} is there already")
                old = present[each.name]
                here[each.name] = locked or Locked(
                    Kind.ROLE, old.name, old.version or "-", "installed", (_role_hash(old),)
                )
                directory = old.path
            else:
                if each.name in present and not (self._options.force or self._options.upgrade or locked):
                    message = f"the role {each.name} is there in version {present[each.name].version or 'unknown'}"
                    raise ContentError.of("other-version", message, each.origin, help="--force replaces it")
                ready[each.name] = self._role(each, scratch / f"role{len(ready)}", locked)
                directory = ready[each.name].directory
            if self._options.dependencies:
                waiting += [replace(need, origin=each.origin) for need in role_dependencies(directory)]
        return list(ready.values()), list(here.values())

    def _is_there(self, wanted: Wanted, present: Mapping[str, there.Installed], locked: Locked | None) -> bool:
        old = present.get(wanted.name)
        if old is None or self._options.force or self._options.upgrade:
            return False
        if locked is not None:
            return old.version == locked.version and _role_hash(old) in locked.hashes
        return not wanted.version or old.version == wanted.version

    def _role(self, wanted: Wanted, scratch: Path, locked: Locked | None) -> Ready:
        scratch.mkdir()
        unpacked, hashes = scratch / "unpacked", list[str]()
        version, source = wanted.version, wanted.place
        if wanted.type is Origins.GIT:
            self._online(wanted)
            self._say(f"cloning {wanted.place}")
            pinned = locked.source.partition("@commit:")[2] if locked else ""
            commit = clone(wanted.place, pinned or version, unpacked)
            source, version = f"{_FROM_GIT}{wanted.place}@commit:{commit}", version or commit
        elif wanted.type is Origins.DIR:
            shutil.copytree(wanted.place, unpacked, symlinks=True)
        else:
            archive = scratch / "role.tar.gz"
            if wanted.type is Origins.GALAXY:
                pinned = locked.version if locked else version
                server, release = self._servers.role(wanted.place or wanted.name, pinned)
                version, source = release.version, server.url
                self._say(f"downloading {wanted.name} {version} from {server.url}")
                server.fetch(release, archive)
            else:
                self._get(wanted, archive)
            hashes.append(f"zh:{sha256_of(archive)}")
            unpack(archive, unpacked)
        root = role_root(unpacked)
        hashes.append(tree_hash(root))
        _write_info(root, version)
        if not is_role_name(wanted.name):
            raise ContentError.of("requirements", f"'{wanted.name}' is no name of a role", wanted.origin)
        return Ready(Locked(Kind.ROLE, wanted.name, version or "-", source, tuple(hashes)), root, version or "-")


def _is_whole(each: there.Installed, locks: Mapping[tuple[Kind, str], Locked]) -> bool:
    """Whether an installed collection is what the lock says, if that says anything of it."""
    known = locks.get((Kind.COLLECTION, each.name))
    return known is None or known.version != each.version or tree_hash(each.path) in known.hashes


def _below(root: Path) -> list[Path]:
    return sorted({path.parent for depth in ("*", "*/*") for path in root.glob(f"{depth}/galaxy.yml")})


def _met(need: Need, locked: Mapping[str, str]) -> bool:
    """Whether the lock has what is needed. Raise ContentError if it does not."""
    version = locked.get(need.name)
    if version is None or version not in Range(need.range):
        has = f"has {version}" if version else "does not have it"
        message = f"{need.by} wants {need.name} {need.range}, the lock {has}"
        raise ContentError.of("not-locked", message, help="run `pyplay install -r` once without --frozen")
    return True


def _compare(entries: Iterable[Locked], locks: Mapping[tuple[Kind, str], Locked], *, strict: bool) -> None:
    """Raise ContentError where what was chosen has other hashes than the lock, or, if `strict`, is not in it."""
    for entry in entries:
        known = locks.get((entry.kind, entry.name))
        if known is None or known.version != entry.version:
            if strict:
                has = f"has {known.version}" if known else "does not have it"
                message = f"the {entry.kind} {entry.name} would be {entry.version}, the lock {has}"
                raise ContentError.of(
                    "not-locked", message, help="run `pyplay install -r` without --locked or --frozen"
                )
            continue
        if entry.hashes and not set(known.hashes) & {each for each in entry.hashes if each.startswith("h1:")}:
            message = f"the {entry.kind} {entry.name} {entry.version} is not what was locked"
            raise ContentError.of("wrong-hash", message, help="tell its author; nothing was installed")


def _role_hash(each: there.Installed) -> str:
    return tree_hash(each.path, leave_out=there.INFO.as_posix())


def _write_info(root: Path, version: str) -> None:
    now = dt.datetime.now(dt.UTC).strftime("%a %d %b %Y %H:%M:%S")
    path = root / there.INFO
    path.parent.mkdir(exist_ok=True)
    if path.is_symlink() or path.parent.is_symlink():
        raise ContentError.of("hostile-archive", f"{there.INFO} is a link in this role", help="tell its author")
    path.write_text(f"install_date: '{now}'\nversion: '{version}'\n", encoding="utf-8")
