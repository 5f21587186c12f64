"""Packing a collection: the same files give the same bytes, whoever packs them, whenever.

Source: the Ansible documentation, "Collection Galaxy metadata structure" (`build_ignore`); observed of
`ansible-galaxy collection build`.
"""

from __future__ import annotations

import fnmatch
import gzip
import hashlib
import io
import json
import os
import tarfile
from pathlib import Path
from typing import Any

from pyplay.content.faults import ContentError
from pyplay.content.metadata import FILES, GALAXY, MANIFEST, CollectionInfo, read_collection, sha256_of
from pyplay.source.shapes import is_map
from pyplay.source.yaml import load_file

_IGNORED = (".git", ".svn", ".hg", "*.pyc", "*.retry", "tests/output", "__pycache__", ".pyplay-*")
_LISTS = ("authors", "tags", "license")
_TEXTS = ("description", "license_file", "repository", "documentation", "homepage", "issues")


def pack_collection(directory: Path, output: Path, *, force: bool = False) -> Path:
    """Write the archive of the collection in `directory` into the directory `output`; return the archive's path."""
    info = read_collection(directory)
    target = output / f"{info.name.replace('.', '-')}-{info.version}.tar.gz"
    if target.exists() and not force:
        raise ContentError.of("file-exists", f"{target} is there already", help="--force replaces it")
    files = _entries(directory, _ignored(directory, info))
    listing = _dumped({"files": [{"name": ".", **_DIRECTORY}, *files], "format": 1})
    manifest = _dumped(_manifest(directory, info, listing))
    output.mkdir(parents=True, exist_ok=True)
    fresh = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with fresh.open("wb") as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as stream:
            _write(stream, directory, files, {MANIFEST: manifest, FILES: listing})
        fresh.replace(target)
    finally:
        fresh.unlink(missing_ok=True)
    return target


_DIRECTORY: dict[str, Any] = {"ftype": "dir", "chksum_type": None, "chksum_sha256": None, "format": 1}


def _write(stream: Any, directory: Path, files: list[dict[str, Any]], made: dict[str, bytes]) -> None:
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name, data in made.items():
            tar.addfile(_member(name, len(data)), io.BytesIO(data))
        for entry in files:
            path = directory / entry["name"]
            if entry["ftype"] == "dir":
                member = _member(entry["name"], 0, mode=0o755)
                member.type = tarfile.DIRTYPE
                tar.addfile(member)
            else:
                mode = 0o755 if path.stat().st_mode & 0o111 else 0o644
                with path.open("rb") as source:
                    tar.addfile(_member(entry["name"], path.stat().st_size, mode=mode), source)


def _member(name: str, size: int, mode: int = 0o644) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size, member.mode, member.mtime = size, mode, 0
    return member


def _ignored(directory: Path, info: CollectionInfo) -> list[str]:
    path = directory / GALAXY
    data: Any = load_file(path) if path.is_file() else None
    patterns: Any = (data.get("build_ignore") if is_map(data) else None) or []
    return [*_IGNORED, *map(str, patterns), GALAXY, MANIFEST, FILES, f"{info.name.replace('.', '-')}-*.tar.gz"]


def _entries(directory: Path, ignored: list[str]) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = []
    for where, directories, files in os.walk(directory):
        inside = Path(where).relative_to(directory)
        directories[:] = sorted(name for name in directories if not _matches((inside / name).as_posix(), ignored))
        for name in directories:
            if Path(where, name).is_symlink():
                raise _link(inside / name)
            entries.append({"name": (inside / name).as_posix(), **_DIRECTORY})
        for name in sorted(files):
            path = Path(where, name)
            if _matches((inside / name).as_posix(), ignored):
                continue
            if not path.resolve().is_relative_to(directory.resolve()):
                raise _link(inside / name)
            entries.append(
                {"name": (inside / name).as_posix(), "ftype": "file", "chksum_type": "sha256",
                 "chksum_sha256": sha256_of(path), "format": 1}
            )  # fmt: skip
    return sorted(entries, key=lambda entry: entry["name"])


def _link(name: Path) -> ContentError:
    message = f"{name} is a link to a directory, or leads out of the collection"
    return ContentError.of("bad-collection", message, help="put the files themselves there, or add it to build_ignore")


def _matches(name: str, patterns: list[str]) -> bool:
    last = name.rpartition("/")[2]
    return any(fnmatch.fnmatchcase(name, each) or fnmatch.fnmatchcase(last, each) for each in patterns)


def _manifest(directory: Path, info: CollectionInfo, listing: bytes) -> dict[str, Any]:

    data: Any = {}
    if (directory / GALAXY).is_file():
        data = load_file(directory / GALAXY)
    elif (directory / MANIFEST).is_file():
        data = json.loads((directory / MANIFEST).read_bytes())["collection_info"]
    namespace, name = info.name.split(".")
    told: dict[str, Any] = {"namespace": namespace, "name": name, "version": info.version}
    told |= {key: _list(data.get(key)) for key in _LISTS}
    told |= {key: data.get(key) and str(data[key]) for key in _TEXTS}
    told |= {"readme": str(data.get("readme") or "README.md"), "dependencies": info.dependencies}
    sha256 = hashlib.sha256(listing).hexdigest()
    file = {"name": FILES, "ftype": "file", "chksum_type": "sha256", "chksum_sha256": sha256, "format": 1}
    return {"collection_info": told, "file_manifest_file": file, "format": 1}


def _list(value: Any) -> list[str]:
    if value is None:
        return []
    return [str(value)] if isinstance(value, str) else [str(each) for each in value]


def _dumped(data: Any) -> bytes:
    return json.dumps(data, indent=1).encode() + b"\n"
