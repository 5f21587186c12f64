"""What a collection or role says of itself: `MANIFEST.json` and `FILES.json`, `galaxy.yml`, `meta/main.yml`.

Source: the Ansible documentation, "Collection Galaxy metadata structure", "Role dependencies"; the archives that
Galaxy serves.
"""

from __future__ import annotations

import hashlib
import json
import os
from base64 import b64encode
from pathlib import Path
from typing import Any

from pyplay.content.faults import ContentError
from pyplay.content.names import Wanted, is_collection_name
from pyplay.content.requirements import role_of_text
from pyplay.content.versions import Version
from pyplay.diagnostics.dataclass import dataclass
from pyplay.source.shapes import is_list, is_map
from pyplay.source.yaml import load_file

MANIFEST, FILES, GALAXY = "MANIFEST.json", "FILES.json", "galaxy.yml"
_META = ("main.yml", "main.yaml")


@dataclass(frozen=True, slots=True)
class CollectionInfo:
    """Name, version and direct dependencies (ranges by name) of a collection."""

    name: str
    version: str
    dependencies: dict[str, str]


def read_collection(directory: Path) -> CollectionInfo:
    """Return what the collection in `directory` says of itself. Raise ContentError where it says nothing usable."""
    if (directory / MANIFEST).is_file():
        info = _json(directory / MANIFEST).get("collection_info")
    elif (directory / GALAXY).is_file():
        info = load_file(directory / GALAXY)
    else:
        raise ContentError.of(
            "no-collection", f"{directory} is no collection: it has neither {MANIFEST} nor {GALAXY}",
            help="name the directory that holds one of them",
        )  # fmt: skip
    return _info(info, directory)


def _info(info: Any, directory: Path) -> CollectionInfo:
    table: dict[Any, Any] = info if is_map(info) else {}
    name = f"{table.get('namespace')}.{table.get('name')}"
    version = str(table.get("version") or "")
    dependencies: Any = table.get("dependencies") or {}
    if not is_collection_name(name):
        raise ContentError.of("bad-collection", f"{directory}: '{name}' is no name of a collection")
    try:
        Version(version)
    except ValueError as error:
        raise ContentError.of("bad-collection", f"{name} in {directory}: {error}") from error
    if not is_map(dependencies):
        raise ContentError.of("bad-collection", f"{name} in {directory}: its dependencies are no mapping")
    return CollectionInfo(name, version, {str(key): str(value) for key, value in dependencies.items()})


def _listed(directory: Path) -> list[dict[str, Any]]:
    """Return the entries of `FILES.json`."""
    entries: Any = _json(directory / FILES).get("files")
    return [entry for entry in entries if is_map(entry)] if is_list(entries) else []


def check_files(directory: Path) -> list[str]:
    """Return what differs between the unpacked collection in `directory` and its own list of checksums."""
    manifest = _json(directory / MANIFEST)
    listed: Any = manifest.get("file_manifest_file") or {}
    if sha256_of(directory / FILES) != listed.get("chksum_sha256"):
        return [f"{FILES} differs from what {MANIFEST} says"]
    faults: list[str] = []
    known = {MANIFEST, FILES}
    for entry in _listed(directory):
        name = str(entry.get("name"))
        path = directory / name
        if Path(name).is_absolute() or ".." in Path(name).parts:
            faults.append(f"{name} is listed, but lies outside")
        elif entry.get("ftype") != "file":
            continue
        elif not path.is_file():
            faults.append(f"{name} is missing")
        elif sha256_of(path) != entry.get("chksum_sha256"):
            faults.append(f"{name} was changed")
        known.add(name)
    return faults + [f"{name} is not listed" for name in tree(directory) if name not in known and not _made(name)]


def remove_unlisted(directory: Path) -> None:
    """Remove the files of an unpacked collection that its list does not name, as ansible-galaxy leaves them out."""
    listed = {MANIFEST, FILES, *(str(entry.get("name")) for entry in _listed(directory))}
    for name in tree(directory):
        if name not in listed:
            (directory / name).unlink()


def _made(name: str) -> bool:
    return "__pycache__" in name.split("/")


def tree(directory: Path) -> list[str]:
    """Return the names of all files and links below `directory`, in order."""
    names: list[str] = []
    for where, directories, files in os.walk(directory):
        links = [name for name in directories if Path(where, name).is_symlink()]
        names += [Path(where, name).relative_to(directory).as_posix() for name in (*files, *links)]
    return sorted(names)


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal digits, "" where there is none."""
    if not path.is_file():
        return ""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def tree_hash(directory: Path, *, leave_out: str = "") -> str:
    """Return the hash `h1:` of the files below `directory`: of their names and contents alone."""
    lines = [
        f"{hashlib.sha256(os.readlink(path).encode()).hexdigest() if path.is_symlink() else sha256_of(path)}  {name}\n"  # noqa: PTH115
        for name in tree(directory)
        for path in (directory / name,)
        if not _made(name) and name != leave_out
    ]
    return "h1:" + b64encode(hashlib.sha256("".join(lines).encode()).digest()).decode()


def role_root(directory: Path) -> Path:
    """Return the directory of the role in an unpacked archive: the outermost that holds `meta/main.yml` or `tasks`."""
    for depth in range(3):
        for marker in (*(f"meta/{name}" for name in _META), "tasks/main.yml", "tasks/main.yaml"):
            matches = sorted(directory.glob("*/" * depth + marker))
            if matches:
                return matches[0].parent.parent
    raise ContentError.of(
        "no-role", f"{directory.name} holds no role: neither meta/main.yml nor tasks/main.yml", help="name another src"
    )


def role_dependencies(directory: Path) -> list[Wanted]:
    """Return the roles that the role in `directory` names in `meta/main.yml`."""
    wanted: list[Wanted] = []
    for name in _META:
        path = directory / "meta" / name
        data = load_file(path) if path.is_file() else None
        entries: Any = data.get("dependencies") if is_map(data) else None
        for entry in entries if is_list(entries) else ():
            wanted += _dependency(entry, directory)
    return wanted


def _dependency(entry: Any, base: Path) -> list[Wanted]:
    if isinstance(entry, str):
        text = entry
    elif is_map(entry):
        src = entry.get("src") or entry.get("role") or entry.get("name")
        scm = "git+" if entry.get("scm") == "git" else ""
        text = f"{scm}{src},{entry.get('version') or ''},{entry.get('name') or ''}" if src else ""
    else:
        text = ""
    role = role_of_text(text, base) if text else None
    # a plain name is another role of the same project, a name of three parts a collection's: neither is fetched
    return [] if role is None or (not role.place and role.name.count(".") != 1) else [role]


def _json(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise ContentError.of("bad-collection", f"{path} cannot be read: {error}", help="install it again") from error
    if not is_map(data):
        raise ContentError.of("bad-collection", f"{path} is no JSON object", help="install it again")
    return data
