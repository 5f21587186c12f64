"""What is installed: listed, described, checked and removed."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from pyplay.content.faults import ContentError
from pyplay.content.metadata import FILES, MANIFEST, check_files, read_collection
from pyplay.content.names import Kind, is_collection_name
from pyplay.content.place import publish, stage
from pyplay.diagnostics.dataclass import dataclass
from pyplay.diagnostics.suggest import did_you_mean
from pyplay.source.shapes import is_map
from pyplay.source.yaml import load_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

HOME = "ansible_collections"
INFO = Path("meta", ".galaxy_install_info")


@dataclass(frozen=True, slots=True)
class Installed:
    """A collection or role below `root`, one of the directories that are searched. `version` is "" if it is unknown."""

    kind: Kind
    name: str
    version: str
    path: Path
    root: Path


def collections(roots: Sequence[Path]) -> Iterator[Installed]:
    """Yield the collections below `roots`, each root in order of names."""
    for root in roots:
        for path in sorted((root / HOME).glob("*/*")):
            name = f"{path.parent.name}.{path.name}"
            if path.is_dir() and is_collection_name(name):
                yield Installed(Kind.COLLECTION, name, _version(path), path, root)


def roles(roots: Sequence[Path]) -> Iterator[Installed]:
    """Yield the roles below `roots`, each root in order of names."""
    for root in roots:
        for path in sorted(root.glob("*")):
            if not path.name.startswith(".") and any((path / part).is_dir() for part in ("tasks", "meta")):
                data = load_file(path / INFO) if (path / INFO).is_file() else None
                version = str(data.get("version") or "") if is_map(data) else ""
                yield Installed(Kind.ROLE, path.name, version, path, root)


def _version(path: Path) -> str:
    try:
        return read_collection(path).version
    except ContentError:
        return ""


def find(name: str, kind: Kind, roots: Sequence[Path]) -> Installed:
    """Return the first one called `name`. Raise ContentError, which names what was meant, if there is none."""
    known = list(collections(roots) if kind is Kind.COLLECTION else roles(roots))
    for each in known:
        if each.name == name:
            return each
    option = " --role" if kind is Kind.ROLE else ""
    message = f"the {kind} {name} is not installed"
    help_ = did_you_mean(name, [each.name for each in known]) or f"pyplay install{option} {name}"
    raise ContentError.of("not-installed", message, help=help_)


def remove(each: Installed) -> None:
    """Remove what is installed: it is gone in one step."""
    if each.path.is_symlink():
        each.path.unlink()
        return
    with stage(each.root) as scratch:
        publish(each.path, scratch / "gone")
    if each.kind is Kind.COLLECTION:
        for info in each.path.parent.parent.glob(f"{each.name}-*.info"):
            shutil.rmtree(info, ignore_errors=True)
        if not any(each.path.parent.iterdir()):
            each.path.parent.rmdir()


def verify(each: Installed) -> list[str]:
    """Return what was changed in an installed collection since it was packed."""
    if not (each.path / MANIFEST).is_file() or not (each.path / FILES).is_file():
        return [f"it has no {MANIFEST} with checksums: it was not installed from an archive"]
    return check_files(each.path)
