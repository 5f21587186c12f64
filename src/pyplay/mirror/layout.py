"""The directory of a mirror: archives and documents, each published by one rename, so that readers see a whole site.

An archive is there before its `VERSION.json` names it, and that before `index.json` lists the version.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from pyplay.content.faults import ContentError
from pyplay.content.metadata import sha256_of
from pyplay.content.versions import Version
from pyplay.diagnostics.dataclass import dataclass
from pyplay.mirror.address import Address, ArchiveName, is_version, read_address, read_archive_name
from pyplay.mirror.archives import check_names, has_directories, read_entries
from pyplay.mirror.documents import Package, index_document, packages_document, read_index, read_packages
from pyplay.mirror.hashes import archive_hashes, check_hashes

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

_LOCK, _STAGE = ".pyplay-mirror.lock", ".pyplay-stage-"


@dataclass(frozen=True, slots=True)
class Source:
    """One archive that is to be published."""

    address: Address
    name: ArchiveName
    path: Path


class Layout:
    """The mirror in the directory `root`."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def addresses(self) -> list[Address]:
        """Return the addresses of all providers in the mirror."""
        return sorted((_address_of(path.parent, self.root) for path in self.root.glob("*/*/*/index.json")), key=str)

    def versions(self, address: Address) -> list[str]:
        """Return the versions that the index lists, oldest first; none where there is no index."""
        path = self._directory(address) / "index.json"
        return _ordered(read_index(_read(path), str(path))) if path.exists() else []

    def packages(self, address: Address, version: str) -> dict[str, Package]:
        """Return the archives of one version by platform; none where there is no document."""
        path = self._directory(address) / f"{version}.json"
        return read_packages(_read(path), str(path)) if path.exists() else {}

    def archive(self, address: Address, package: Package) -> Path | None:
        """Return the path of an archive, None where its URL leads out of the directory."""
        name = unquote(package.url)
        return None if "/" in name or ":" in name or name.startswith(".") else self._directory(address) / name

    def publish(self, sources: Iterable[Source], say: Callable[[str], None]) -> None:
        """Publish archives, beside those that are there. Raise ContentError for one that differs from what is there."""
        by_address: dict[Address, list[Source]] = {}
        for each in sources:
            by_address.setdefault(each.address, []).append(each)
        with self._alone():
            for address, group in sorted(by_address.items(), key=lambda item: str(item[0])):
                self._publish(address, group, say)

    def prune(self, keep: int, say: Callable[[str], None]) -> None:
        """Leave the newest `keep` versions of each provider; the index forgets a version before its files go."""
        with self._alone():
            for address in self.addresses():
                versions = self.versions(address)
                directory = self._directory(address)
                gone = versions[: max(0, len(versions) - keep)]
                if not gone:
                    continue
                _write(directory / "index.json", index_document(versions[len(gone) :]))
                for version in gone:
                    archives = [self.archive(address, each) for each in self.packages(address, version).values()]
                    (directory / f"{version}.json").unlink(missing_ok=True)
                    for path in archives:
                        if path is not None:
                            path.unlink(missing_ok=True)
                    say(f"removed {address} {version}")

    def faults(self) -> list[str]:
        """Return what is wrong with the mirror: documents, and archives against the hashes that they list."""
        return [fault for address in self.addresses() for fault in self._faults(address)]

    def _faults(self, address: Address) -> Iterator[str]:
        listed: set[Path] = set()
        try:
            for version in self.versions(address):
                packages = self.packages(address, version)
                if not packages:
                    yield f"{address} {version} is listed, but has no archive"
                for platform, package in packages.items():
                    path = self.archive(address, package)
                    name = f"{address} {version} {platform}"
                    if path is None or not path.is_file():
                        yield f"{name}: {package.url} is not there"
                        continue
                    listed.add(path)
                    try:
                        check_hashes(path, package.hashes, name)
                    except ContentError as error:
                        yield str(error)
        except ContentError as error:
            yield str(error)
            return
        directory = self._directory(address)
        yield from (f"{path} is listed nowhere" for path in sorted(directory.glob("*.zip")) if path not in listed)

    def _publish(self, address: Address, group: list[Source], say: Callable[[str], None]) -> None:
        directory = self._directory(address)
        directory.mkdir(parents=True, exist_ok=True)
        before = self.versions(address)
        by_version: dict[str, list[Source]] = {}
        for each in group:
            by_version.setdefault(each.name.version, []).append(each)
        for version, sources in by_version.items():
            old = self.packages(address, version)
            new = dict(old)
            for each in sources:
                new[each.name.platform] = self._add(directory, each, old.get(each.name.platform), say)
            if new != old:
                _write(directory / f"{version}.json", packages_document(new))
        after = _ordered({*before, *by_version})
        if after != before:
            _write(directory / "index.json", index_document(after))

    def _add(self, directory: Path, source: Source, old: Package | None, say: Callable[[str], None]) -> Package:
        target = directory / str(source.name)
        if target.exists():
            if sha256_of(target) != sha256_of(source.path):
                raise ContentError.of(
                    "changed-archive", f"{source.path} differs from {target}, which is published",
                    help="publish a changed provider as another version; clients' locks hold the old hashes",
                )  # fmt: skip
            if old is not None:
                return old
        else:
            _check_archive(source, say)
            _copy(source.path, target)
            say(f"added {source.address} {source.name.version} {source.name.platform}")
        return Package(quote(target.name, safe="+~"), archive_hashes(target))

    def _directory(self, address: Address) -> Path:
        return self.root / str(address)

    @contextmanager
    def _alone(self) -> Generator[None]:
        """Hold the right to change the mirror; remove what somebody who was killed left half written."""
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(self.root / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise _unwritable(self.root, error) from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            for old in self.root.glob(f"*/*/*/{_STAGE}*"):
                old.unlink(missing_ok=True)
            yield
        except OSError as error:
            raise _unwritable(self.root, error) from error
        finally:
            os.close(descriptor)


def zips_of(directory: Path, place: str = "") -> list[Source]:
    """Return the archives below `directory`: in HOSTNAME/NAMESPACE/TYPE/, others belong to `place`, HOSTNAME/NAMESPACE.

    Raise ContentError for an archive whose name or place says too little, and where there is none.
    """
    sources = [_source(path, directory, place) for path in sorted(directory.rglob("*.zip"))]
    if not sources:
        raise ContentError.of(
            "no-archives", f"there is no zip below {directory}",
            help="name a directory that holds terraform-provider-TYPE_VERSION_OS_ARCH.zip",
        )  # fmt: skip
    return sources


def mirror_sources(other: Layout) -> list[Source]:
    """Return the archives of another mirror's directory, each checked. Raise ContentError for one that is damaged."""
    if faults := other.faults():
        raise ContentError.of("damaged", f"{other.root} is damaged: {faults[0]}", help="build that mirror anew")
    return zips_of(other.root)


def _source(path: Path, directory: Path, place: str) -> Source:
    name = read_archive_name(path.name)
    if name is None:
        raise ContentError.of(
            "archive-name", f"{path} is not named as an archive of a provider",
            help="call it terraform-provider-TYPE_VERSION_OS_ARCH.zip",
        )  # fmt: skip
    parents = path.relative_to(directory).parts[:-1]
    if len(parents) == 3:
        return Source(_same_type(read_address("/".join(parents)), name, path), name, path)
    if not place:
        raise ContentError.of(
            "archive-place", f"nothing says which registry {path} belongs to",
            help="put it into HOSTNAME/NAMESPACE/TYPE/, or say --as HOSTNAME/NAMESPACE",
        )  # fmt: skip
    return Source(read_address(f"{place}/{name.type}"), name, path)


def _check_archive(source: Source, say: Callable[[str], None]) -> None:
    entries = read_entries(source.path)
    check_names(source.path, entries, source.address.type)
    if has_directories(entries):
        say(
            f"warning: {source.path} holds directories as entries of their own: "
            "Terraform from 0.14 on refuses to install it again by its lock file; pack it without them (zip -D)"
        )


def _same_type(address: Address, name: ArchiveName, path: Path) -> Address:
    if address.type != name.type:
        raise ContentError.of("archive-place", f"{path} is of {name.type}, not of {address.type}", help="move it")
    return address


def _address_of(directory: Path, root: Path) -> Address:
    return read_address(directory.relative_to(root).as_posix())


def _ordered(versions: Iterable[str]) -> list[str]:
    return sorted(filter(is_version, versions), key=lambda each: (Version(each).key, each))


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise ContentError.of("bad-mirror", f"{path} cannot be read: {error}", help="build the mirror anew") from error


def _write(path: Path, document: Any) -> None:
    text = json.dumps(document, indent=1) + "\n"
    with _staged(path) as stage:
        stage.write_text(text)


def _copy(source: Path, target: Path) -> None:
    with _staged(target) as stage:
        shutil.copyfile(source, stage)


@contextmanager
def _staged(target: Path) -> Generator[Path]:
    """Yield a file beside `target` that takes its place when it is written, and is gone if that fails."""
    descriptor, name = tempfile.mkstemp(prefix=_STAGE, dir=target.parent)
    stage = Path(name)
    try:
        yield stage
        os.fsync(descriptor)
        stage.chmod(0o644)
        stage.replace(target)
    finally:
        os.close(descriptor)
        stage.unlink(missing_ok=True)


def _unwritable(root: Path, error: OSError) -> ContentError:
    message = f"cannot write the mirror {root}: {error.strerror} ({error.filename or 'file'})"
    return ContentError.of("unwritable", message, help="make room, or name a directory that you may write to")
