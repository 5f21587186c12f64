"""`requirements.yml`: the roles and collections that a project wants, in every documented form.

Source: the Ansible documentation, "Installing collections" (requirements file, git, local sources) and "Galaxy user
guide" (roles: `src`, `scm`, `version`, `name`, `include`).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyplay.content.faults import ContentError
from pyplay.content.names import Kind, Origins, Wanted, is_collection_name, is_role_name
from pyplay.content.versions import Range
from pyplay.diagnostics.dataclass import replace
from pyplay.diagnostics.model import Diagnostic, Origin
from pyplay.diagnostics.suggest import did_you_mean
from pyplay.source.shapes import is_list, is_map
from pyplay.source.text import SourceMap, origin_of
from pyplay.source.yaml import load_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

TOP = ("collections", "roles")
COLLECTION_KEYS = ("name", "version", "source", "type", "signatures")
ROLE_KEYS = ("src", "name", "version", "scm", "role", "include")
_WEB = ("https://", "http://")
_ARCHIVES = (".tar.gz", ".tgz", ".tar", ".tar.bz2", ".tar.xz")
_MAX_INCLUDES = 20


def read_requirements(path: Path) -> list[Wanted]:
    """Return what the file at `path` wants, in its order. Raise ContentError with every fault, each with its place."""
    reader = _Reader()
    wanted = list(reader.file(path, 0))
    if reader.faults:
        raise ContentError(reader.faults)
    return wanted


def collection_of_text(text: str, base: Path, origin: Origin | None = None) -> Wanted:
    """Return the collection that a command line or a short entry names: NAME, NAME:RANGE, a URL, a path."""
    if _is_place(text, base):
        return placed_collection(text, base, "", None, origin)
    name, _, version = text.partition(":")
    return Wanted(Kind.COLLECTION, name.strip(), Origins.GALAXY, version=version.strip(), origin=origin)


def placed_collection(text: str, base: Path, version: str, type_: Origins | None, origin: Origin | None) -> Wanted:
    """Return the collection at `text`, a URL or a path below `base`; `type_` is found by its look if it is None."""
    kind = type_ or _type_of(text, base)
    if kind is Origins.GIT:
        url, _, fragment = text.removeprefix("git+").partition("#")
        (url, _, short), (fragment, _, behind) = url.partition(","), fragment.partition(",")
        return Wanted(
            Kind.COLLECTION, "", kind, _local(url, base), version or short or behind, "", fragment.strip("/"),
            origin=origin,
        )  # fmt: skip
    place = text if kind is Origins.URL else _path(text, base)
    return Wanted(Kind.COLLECTION, "", kind, place, version, origin=origin)


def role_of_text(text: str, base: Path, origin: Origin | None = None) -> Wanted:
    """Return the role that a command line or a short entry names: SRC[,VERSION[,NAME]]."""
    src, version, name = ([part.strip() for part in text.split(",")] + ["", ""])[:3]
    return _role(src, version, name, base, origin)


def _role(src: str, version: str, name: str, base: Path, origin: Origin | None, *, scm: str = "") -> Wanted:
    if src.startswith("git+"):
        src, scm = src.removeprefix("git+"), "git"
    if scm == "git" or src.startswith(("git@", "ssh://", "git://", "file://")) or src.endswith(".git"):
        return Wanted(Kind.ROLE, name or _repository(src), Origins.GIT, _local(src, base), version, origin=origin)
    if src.startswith(_WEB):
        is_archive = src.endswith(_ARCHIVES)
        kind = Origins.URL if is_archive or "github.com" not in src else Origins.GIT
        return Wanted(Kind.ROLE, name or _repository(src), kind, src, version, origin=origin)
    if src.endswith(_ARCHIVES) or src.startswith((".", "/", "~")):
        place = Path(_path(src, base))
        kind = Origins.DIR if place.is_dir() else Origins.FILE
        return Wanted(Kind.ROLE, name or _repository(src), kind, str(place), version, origin=origin)
    return Wanted(Kind.ROLE, name or src, Origins.GALAXY, src if name not in {"", src} else "", version, origin=origin)


def _repository(src: str) -> str:
    last = src.rstrip("/").rpartition("/")[2].rpartition(":")[2]
    for ending in (*_ARCHIVES, ".git"):
        last = last.removesuffix(ending)
    return last


def _is_place(text: str, base: Path) -> bool:
    return text.startswith(("git+", "git@", *_WEB, ".", "/", "~")) or text.endswith(_ARCHIVES) or (
        "/" in text and (base / text).exists()
    )  # fmt: skip


def _type_of(text: str, base: Path) -> Origins:
    if text.startswith(("git+", "git@")):
        return Origins.GIT
    if text.startswith(_WEB):
        return Origins.URL
    path = Path(_path(text, base))
    if not path.is_dir():
        return Origins.FILE
    return Origins.DIR if (path / "galaxy.yml").exists() or (path / "MANIFEST.json").exists() else Origins.SUBDIRS


def _path(text: str, base: Path) -> str:
    return str(base / Path(text.removeprefix("file://")).expanduser())


def _local(url: str, base: Path) -> str:
    """Return a git URL, absolute where it is a path."""
    return _path(url, base) if url.startswith((".", "~", "/")) else url


class _Reader:
    """Reads files of requirements; collects `faults`."""

    def __init__(self) -> None:
        self.faults: list[Diagnostic] = []

    def file(self, path: Path, depth: int) -> Iterable[Wanted]:
        data = load_file(path)
        origin = origin_of(data) or Origin(str(path))
        if depth > _MAX_INCLUDES:
            self.fault("the files of requirements include each other", origin, "take one `include` out")
        elif is_list(data):
            yield from self.entries(data, path, depth, self.role)
        elif is_map(data):
            yield from self.table(data, path, depth)
        else:
            self.fault(
                "a file of requirements is a mapping with `collections` and `roles`, or a list of roles",
                origin, "write `collections:` and below it a list of names",
            )  # fmt: skip

    def table(self, data: dict[Any, Any], path: Path, depth: int) -> Iterable[Wanted]:
        self.unknown(data, TOP, path)
        for key, read in (("collections", self.collection), ("roles", self.role)):
            entries = data.get(key)
            if entries is None:
                continue
            if not is_list(entries):
                self.fault(f"`{key}` is no list", _key_origin(data, key, path), "begin each entry with `- `")
                continue
            yield from self.entries(entries, path, depth, read)

    def entries(
        self, entries: list[Any], path: Path, depth: int, read: Callable[[Any, Path, int], Iterable[Wanted]]
    ) -> Iterable[Wanted]:
        for entry in entries:
            try:
                yield from read(entry, path, depth)
            except ContentError as error:
                self.faults.extend(error.placed(origin_of(entry) or Origin(str(path))).diagnostics)

    def collection(self, entry: Any, path: Path, _depth: int) -> Iterable[Wanted]:
        base, origin = path.parent, origin_of(entry) or Origin(str(path))
        if isinstance(entry, str):
            yield checked(collection_of_text(str(entry), base, origin))
            return
        if not is_map(entry):
            self.fault("a collection is a name or a mapping", origin, "write `- name: NAMESPACE.NAME`")
            return
        self.unknown(entry, COLLECTION_KEYS, path)
        name, source = _text(entry, "name"), _text(entry, "source")
        version, type_ = _text(entry, "version"), _text(entry, "type")
        if type_ and type_ not in list(Origins):
            help_ = did_you_mean(type_, list(Origins)) or f"one of {', '.join(Origins)}"
            self.fault(f"there is no type '{type_}' of collections", _key_origin(entry, "type", path), help_)
            return
        place = name or source
        if not place:
            self.fault("a collection without `name`", origin, "add `name: NAMESPACE.NAME`")
            return
        kind = Origins(type_) if type_ else None
        signatures = _texts(entry.get("signatures"))
        if kind in {None, Origins.GALAXY} and not _is_place(place, base):
            wanted = collection_of_text(place, base, origin)
            wanted = replace(wanted, version=version or wanted.version, server=source if name else "")
        else:
            # with `source`, the name is that of the collection, and the source the place it is at
            at = source if source and is_collection_name(name) else place
            wanted = placed_collection(at, base, "" if version == "*" else version, kind, origin)
            wanted = replace(wanted, name=name if is_collection_name(name) else "")
        yield checked(replace(wanted, signatures=signatures), _key_origin(entry, "version", path))

    def role(self, entry: Any, path: Path, depth: int) -> Iterable[Wanted]:
        base, origin = path.parent, origin_of(entry) or Origin(str(path))
        if isinstance(entry, str):
            yield checked(role_of_text(str(entry), base, origin))
            return
        if not is_map(entry):
            self.fault("a role is a name or a mapping", origin, "write `- src: NAMESPACE.NAME`")
            return
        if "include" in entry:
            yield from self.file(base / _text(entry, "include"), depth + 1)
            return
        self.unknown(entry, ROLE_KEYS, path)
        src, scm = _text(entry, "src") or _text(entry, "role") or _text(entry, "name"), _text(entry, "scm")
        if scm not in {"", "git"}:
            self.fault(f"'{scm}' cannot be read from", _key_origin(entry, "scm", path), "keep the role in git")
        elif not src:
            self.fault("a role without `src`", origin, "add `src: NAMESPACE.NAME`, or a URL")
        else:
            yield checked(_role(src, _text(entry, "version"), _text(entry, "name"), base, origin, scm=scm))

    def unknown(self, entry: dict[Any, Any], known: tuple[str, ...], path: Path) -> None:
        for key in entry:
            if key not in known:
                help_ = did_you_mean(str(key), known) or f"known are {', '.join(known)}"
                self.fault(f"unknown key '{key}'", _key_origin(entry, key, path), help_, length=len(str(key)))

    def fault(self, message: str, origin: Origin, help_: str, *, length: int = 0) -> None:
        self.faults.append(Diagnostic("requirements", message, origin, help=help_, length=length))


def checked(wanted: Wanted, version_origin: Origin | None = None) -> Wanted:
    """Return `wanted`. Raise ContentError for a name or a range that is none."""
    if wanted.kind is Kind.COLLECTION and wanted.type is Origins.GALAXY:
        if not is_collection_name(wanted.name):
            raise ContentError.of(
                "requirements", f"'{wanted.name}' is no name of a collection", wanted.origin,
                help="NAMESPACE.NAME, of small letters, digits and underscores; a path begins with ./ or /",
            )  # fmt: skip
        try:
            Range(wanted.version)
        except ValueError as error:
            raise ContentError.of(
                "requirements", f"the version of {wanted.name}: {error}", version_origin or wanted.origin,
                help="write a version, or conditions such as >=1.2.0,<2.0.0",
            ) from error  # fmt: skip
    if wanted.kind is Kind.ROLE and not is_role_name(wanted.name):
        raise ContentError.of(
            "requirements", f"'{wanted.name}' is no name of a role", wanted.origin,
            help="letters, digits, and _ . + - inside; give one with `name:`",
        )  # fmt: skip
    if wanted.place.startswith("-") or wanted.version.startswith("-"):
        raise ContentError.of(
            "requirements", f"'{wanted.shown}' begins its place or version with -", wanted.origin, help="write it out"
        )
    return wanted


def _text(entry: dict[Any, Any], key: str) -> str:
    value = entry.get(key)
    return "" if value is None else str(value).strip()


def _texts(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    return tuple(map(str, value)) if is_list(value) else (str(value),)


def _key_origin(entry: dict[Any, Any], key: Any, path: Path) -> Origin:
    if isinstance(entry, SourceMap):
        return entry.key_origins.get(key) or entry.origin or Origin(str(path))
    return Origin(str(path))
