"""A Galaxy as files: what `ansible-galaxy` and `pyplay install` ask of a server, as JSON documents of a static site.

A server gives `index.json` for the name of its directory, and takes no notice of a query behind `?`; only roles need
a server that answers one. Source: what ansible-galaxy 2.21 asks for.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, quote

from pyplay.content.versions import Version
from pyplay.diagnostics.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_SECONDS = 1_000_000
_Documents = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Archive:
    """One archive of the site: `path` is relative to its root, `modified` a time in seconds since 1970."""

    name: str
    version: str
    path: str
    sha256: str
    size: int
    modified: float
    dependencies: Mapping[str, str]


def documents(collections: Iterable[Archive], base_url: str, *, roles: bool) -> _Documents:
    """Return the documents by path; `base_url` is where the site is, `roles` whether its server answers queries."""
    by_name: dict[str, list[Archive]] = {}
    for each in collections:
        by_name.setdefault(each.name, []).append(each)
    known = {"v3": "v3/", **({"v1": "v1/"} if roles else {})}
    made: _Documents = {"api/index.json": {"available_versions": known, "description": "a mirror"}}
    for name, archives in sorted(by_name.items()):
        made |= dict(_collection(name, archives, base_url.rstrip("/") + "/"))
    return made


def _collection(name: str, archives: Sequence[Archive], base_url: str) -> Iterator[tuple[str, Any]]:
    namespace, short = name.split(".")
    where = f"api/v3/collections/{namespace}/{short}"
    newest = sorted(archives, key=lambda each: Version(each.version).key, reverse=True)
    changed = _changed(newest)
    first = next((each for each in newest if not Version(each.version).is_pre_release), newest[0])
    yield f"{where}/index.json", {
        "href": f"/{where}/", "namespace": namespace, "name": short, "deprecated": False,
        "versions_url": f"/{where}/versions/", "created_at": _time(min(each.modified for each in newest)),
        "updated_at": changed,
        "highest_version": {"href": f"/{where}/versions/{first.version}/", "version": first.version},
    }  # fmt: skip
    yield (
        f"{where}/versions/index.json",
        {
            "meta": {"count": len(newest)},
            "links": {"first": None, "previous": None, "next": None, "last": None},
            "data": [{"version": each.version, "href": f"/{where}/versions/{each.version}/"} for each in newest],
        },
    )
    for each in newest:
        yield f"{where}/versions/{each.version}/index.json", {
            "namespace": {"name": namespace}, "collection": {"name": short}, "name": short, "version": each.version,
            "href": f"/{where}/versions/{each.version}/", "download_url": base_url + quote(each.path),
            "artifact": {"filename": each.path.rpartition("/")[2], "sha256": each.sha256, "size": each.size},
            "metadata": {"dependencies": dict(each.dependencies)}, "signatures": [], "git_url": None,
            "git_commit_sha": None, "created_at": _time(each.modified), "updated_at": _time(each.modified),
        }  # fmt: skip


def _changed(archives: Sequence[Archive]) -> str:
    """Return a time that differs whenever the archives do: clients compare it with the one that they know."""
    digest = hashlib.sha256("".join(f"{each.version} {each.sha256}\n" for each in archives).encode()).digest()
    return _time(int(max(each.modified for each in archives)) + int.from_bytes(digest[:4], "big") % _SECONDS / _SECONDS)


def _time(seconds: float) -> str:
    return dt.datetime.fromtimestamp(seconds, dt.UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def role_answer(query: str, roles: Iterable[Archive], base_url: str) -> dict[str, Any]:
    """Return the answer to `api/v1/roles/?QUERY`: the one role OWNER.NAME that it names, with its versions."""
    words = parse_qs(query)
    owner, name = words.get("owner__username", [""])[0], words.get("name", [""])[0]
    versions = [each for each in roles if each.name == f"{owner}.{name}"]
    told = [
        {"name": each.version, "download_url": base_url.rstrip("/") + "/" + quote(each.path), "source": None}
        for each in versions
    ]
    results = [
        {
            "id": f"{owner}.{name}", "name": name, "username": owner, "github_user": owner, "github_repo": name,
            "github_branch": "main", "summary_fields": {"versions": told, "dependencies": []},
        }
    ] if versions else []  # fmt: skip
    return {"count": len(results), "next": None, "next_link": None, "previous": None, "results": results}


def role_versions_answer(identity: str, roles: Iterable[Archive], base_url: str) -> dict[str, Any]:
    """Return the answer to `api/v1/roles/ID/versions/`; an ID is OWNER.NAME here."""
    owner, _, name = identity.partition(".")
    results = role_answer(f"owner__username={owner}&name={name}", roles, base_url)["results"]
    versions: list[Any] = results[0]["summary_fields"]["versions"] if results else []
    return {"count": len(versions), "next": None, "next_link": None, "previous": None, "results": versions}
