"""The two documents of a mirror: the versions of a provider, and the archives of one version.

Source: the provider network mirror protocol.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.content.faults import ContentError
from pyplay.diagnostics.dataclass import dataclass
from pyplay.mirror.address import is_platform, is_version
from pyplay.source.shapes import is_list, is_map

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(frozen=True, slots=True)
class Package:
    """One archive of a version: `url` is relative to its document."""

    url: str
    hashes: tuple[str, ...]


def read_index(data: Any, place: str) -> list[str]:
    """Return the versions of an index, those that are no versions left out. Raise ContentError for another shape."""
    versions: Any = data.get("versions") if is_map(data) else None
    if not is_map(versions):
        raise _fault(place, "has no object `versions`")
    for key, value in versions.items():
        if not is_map(value):
            raise _fault(place, f"gives the version {key!r} no object")
    return [str(key) for key in versions if is_version(str(key))]


def read_packages(data: Any, place: str) -> dict[str, Package]:
    """Return the archives of a version by platform. Raise ContentError for another shape."""
    archives: Any = data.get("archives") if is_map(data) else None
    if not is_map(archives):
        raise _fault(place, "has no object `archives`")
    return {str(key): _package(entry, str(key), place) for key, entry in archives.items() if is_platform(str(key))}


def _package(entry: Any, platform: str, place: str) -> Package:
    url: Any = entry.get("url") if is_map(entry) else None
    if not isinstance(url, str) or not url:
        raise _fault(place, f"gives no `url` for {platform}")
    hashes: Any = entry.get("hashes")
    if hashes is None:
        hashes = []
    if not is_list(hashes) or not all(isinstance(each, str) for each in hashes):
        raise _fault(place, f"gives `hashes` of {platform} that are no list of strings")
    return Package(url, tuple(hashes))


def index_document(versions: Iterable[str]) -> dict[str, Any]:
    """Return the index of these versions."""
    return {"versions": {version: {} for version in versions}}


def packages_document(packages: Mapping[str, Package]) -> dict[str, Any]:
    """Return the document of one version."""
    made = {key: {"url": each.url, "hashes": list(each.hashes)} for key, each in sorted(packages.items())}
    return {"archives": made}


def _fault(place: str, what: str) -> ContentError:
    return ContentError.of("bad-mirror", f"{place} {what}", help="build the mirror anew, or ask who keeps it")
