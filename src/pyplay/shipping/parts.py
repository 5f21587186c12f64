"""Python parts that travel to hosts: one source file each, known by its digest, packed once per process."""

from __future__ import annotations

import ast
import os
import zlib
from hashlib import sha256
from typing import TYPE_CHECKING

from pyplay.diagnostics.dataclass import dataclass
from pyplay.shipping.imports import find_imports
from pyplay.shipping.module_text import OURS
from pyplay.shipping.prepared import prepared
from pyplay.source.collections import HOME
from pyplay.source.paths import is_dir, is_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    from pyplay.shipping.imports import Import
    from pyplay.shipping.prepared import Prepared
    from pyplay.source.collections import Collection, Collections


@dataclass(frozen=True, slots=True)
class Part:
    """One source file: module `name` (dotted), its `path` in a zip, its source, its SHA-256 and its packed form.

    Of a source of ours `code`, if there is any, is what travels to hosts with our bytecode, packed as well, and `ready`
    the rest of what is known of it.
    """

    name: str
    path: str
    package: bool
    source: bytes
    digest: str
    packed: bytes
    code: bytes = b""
    ready: Prepared | None = None

    @classmethod
    def of(cls, name: str, path: str, source: bytes, *, package: bool = False) -> Part:
        """Give the part of this source."""
        return cls(name, path, package, source, sha256(source).hexdigest()[:32], zlib.compress(source, 9))

    @classmethod
    def ours(cls, name: str, path: str, file: str, *, package: bool = False) -> Part:
        """Give the part of a file of ours: what travels has no docstrings, which would be a quarter of it."""
        source = _content(file)
        digest = sha256(source).hexdigest()[:32]
        ready = prepared(file, source, digest, path, name if package else name.rpartition(".")[0])
        return cls(name, path, package, source, digest, ready.packed, ready.code, ready)


class PartLibrary:
    """Finds parts by module name below the packages that may be shipped.

    `packages` maps a dotted prefix to the directories that hold it, first found first taken. The packages above them
    (`pyplay`, `pyplay.remote`) become empty ones: what they hold on the controller is not for hosts. `collections` are
    those whose `ansible_collections.NAMESPACE.NAME` may be shipped, with what their routes say.
    """

    def __init__(
        self, packages: Mapping[str, Sequence[str | PathLike[str]]], collections: Collections | None = None
    ) -> None:
        self._packages = {prefix: [os.fspath(folder) for folder in folders] for prefix, folders in packages.items()}
        self._collections = collections
        self._above = {
            ".".join(words[:count])
            for words in (prefix.split(".") for prefix in packages)
            for count in range(1, len(words))
        }
        self._found: dict[str, Part | None] = {}
        self._imports: dict[str, list[Import]] = {}

    def find(self, name: str) -> Part | None:
        """Give the part that module `name` names, None if it is not one of ours."""
        if name not in self._found:
            self._found[name] = self._read(name)
        return self._found[name]

    def require(self, name: str) -> Part:
        """Give the part that module `name` names. Raises KeyError if the installation lacks it."""
        part = self.find(name)
        if part is None:
            raise KeyError(name)
        return part

    def imports(self, part: Part) -> list[Import]:
        """Give what a part imports, read once. Raises SyntaxError, ValueError."""
        found = self._imports.get(part.name)
        if found is None:
            if part.ready is not None:
                found = part.ready.imports
            else:
                package = part.name if part.package else part.name.rpartition(".")[0]
                found = find_imports(ast.parse(part.source), package)
            self._imports[part.name] = found
        return found

    def extended(self, packages: Mapping[str, Sequence[str | PathLike[str]]]) -> PartLibrary:
        """Give a library that looks into these directories first."""
        merged = {
            prefix: [*packages.get(prefix, ()), *self._packages.get(prefix, ())]
            for prefix in {**self._packages, **packages}
        }
        return PartLibrary(merged, self._collections)

    def _read(self, name: str) -> Part | None:
        if self._collections is not None and (name == HOME or name.startswith(HOME + ".")):
            return _read_collection(self._collections, name)
        for prefix, folders in self._packages.items():
            if name != prefix and not name.startswith(prefix + "."):
                continue
            words = name[len(prefix) + 1 :].split(".") if name != prefix else []
            for folder in folders:
                part = _read_part(name, os.path.join(folder, *words))  # noqa: PTH118  # plain text, for dozens of parts
                if part is not None:
                    return part
            if not words:
                return empty_package(name)
        return empty_package(name) if name in self._above else None


def empty_package(name: str) -> Part:
    """Give an empty package of this name."""
    return Part.of(name, name.replace(".", "/") + "/__init__.py", b"", package=True)


def _read_collection(collections: Collections, name: str) -> Part | None:
    """Give the part for the module `ansible_collections.…`; directories without `__init__.py` are packages, too."""
    words = name.split(".")
    if len(words) < 3:
        return empty_package(name)
    collection = collections.find(".".join(words[1:3]))
    if collection is None:
        return None
    stem = os.path.join(collection.path, *words[3:])  # noqa: PTH118  # as above
    part = _read_part(name, stem) if words[3:] else None
    if part is None and is_dir(stem):
        return empty_package(name)
    return part or _redirected(collection, name, words[3:])


def _redirected(collection: Collection, name: str, inner: Sequence[str]) -> Part | None:
    """Give a part that stands for the one to which the collection's routes send an import of `module_utils`."""
    if tuple(inner[:2]) != ("plugins", "module_utils"):
        return None
    target = collection.route("module_utils", ".".join(inner[2:])).redirect
    if not target:
        return None
    if not target.startswith(HOME + "."):
        namespace, home, *rest = target.split(".")
        target = ".".join([HOME, namespace, home, "plugins", "module_utils", *rest])
    source = f"import sys\nimport {target}\nsys.modules[__name__] = sys.modules['{target}']\n"
    return Part.of(name, name.replace(".", "/") + ".py", source.encode())


def _read_part(name: str, stem: str) -> Part | None:
    base = name.replace(".", "/")
    package = is_file(f"{stem}/__init__.py")
    end = "/__init__.py" if package else ".py"
    file = stem + end
    if not package and not is_file(file):
        return None
    if name == OURS or name.startswith(OURS + "."):
        return Part.ours(name, base + end, file, package=package)
    return Part.of(name, base + end, _content(file), package=package)


def _content(file: str) -> bytes:
    with open(file, "rb") as stream:  # noqa: PTH123  # as above
        return stream.read()
