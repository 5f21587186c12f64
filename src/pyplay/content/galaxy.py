"""Galaxy servers: collections by version 3 of its interface, roles by version 1.

Source: the answers of galaxy.ansible.com; what ansible-galaxy 2.21 asks for.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urljoin

from pyplay.content.faults import ContentError, NotThereError
from pyplay.diagnostics.dataclass import dataclass
from pyplay.source.shapes import is_list, is_map

if TYPE_CHECKING:
    from pathlib import Path

    from pyplay.content.web import Web

_MAX_PAGES = 1000


@dataclass(frozen=True, slots=True)
class Release:
    """One version of a collection, or of a role, on a server. `sha256` is empty where the server names none."""

    name: str
    version: str
    url: str
    sha256: str
    dependencies: dict[str, str]
    signatures: tuple[str, ...] = ()


class GalaxyServer:
    """One server at `url`; `token` goes to it alone."""

    def __init__(self, url: str, web: Web, *, token: str = "", name: str = "") -> None:
        self.name = name
        self.url, self._web = url if url.endswith("/") else url + "/", web
        self._headers = {"Authorization": f"Token {token}"} if token else {}

    @cached_property
    def _interfaces(self) -> dict[str, str]:
        """The URL of each version of the interface that the server announces."""
        bases = [self.url] if self.url.endswith("/api/") else [urljoin(self.url, "api/"), self.url]
        for base in bases:
            try:
                answer, where = self._web.json(base, headers=self._headers)
            except NotThereError:
                continue
            known = _table(answer).get("available_versions")
            if is_map(known):
                return {str(key): urljoin(where, str(way)) for key, way in known.items()}
        message = f"{self.url} announces no interface of Galaxy"
        raise ContentError.of("bad-answer", message, help="name the address that ends in /api/")

    def versions(self, name: str) -> list[str]:
        """Return the versions of the collection `name`. Raise NotThereError where the server does not have it."""
        namespace, short = name.split(".")
        base = self._interfaces.get("v3")
        if base is None:
            raise NotThereError.of("not-found", f"{self.url} has no collections (no v3)")
        url = urljoin(base, f"collections/{namespace}/{short}/versions/?limit=100")
        versions: list[str] = []
        for _ in range(_MAX_PAGES):
            answer, where = self._web.json(url, headers=self._headers)
            versions += [str(each.get("version")) for each in _maps(_table(answer).get("data"))]
            following = _table(_table(answer).get("links")).get("next")
            if not following:
                return versions
            url = urljoin(where, str(following))
        raise ContentError.of("bad-answer", f"{self.url} gives endless pages of versions of {name}")

    def release(self, name: str, version: str) -> Release:
        """Return what the server says of one version of a collection."""
        namespace, short = name.split(".")
        url = urljoin(self._interfaces["v3"], f"collections/{namespace}/{short}/versions/{version}/")
        answer, where = self._web.json(url, headers=self._headers)
        table = _table(answer)
        sha256, link = _table(table.get("artifact")).get("sha256"), table.get("download_url")
        if not link or not sha256:
            message = f"{url} names no download_url or no sha256"
            raise ContentError.of("bad-answer", message, help="tell who keeps the server")
        needs = _table(_table(table.get("metadata")).get("dependencies"))
        signatures = tuple(str(each.get("signature")) for each in _maps(table.get("signatures")))
        return Release(
            name,
            version,
            urljoin(where, str(link)),
            str(sha256),
            {str(k): str(v) for k, v in needs.items()},
            signatures,
        )

    def role(self, name: str, version: str) -> Release:
        """Return the role OWNER.NAME in `version`, "" for its newest. Raise NotThereError where it is not there."""
        owner, _, short = name.partition(".")
        base = self._interfaces.get("v1")
        if base is None:
            raise NotThereError.of("not-found", f"{self.url} has no roles (no v1)")
        url = urljoin(base, "roles/?" + urlencode({"owner__username": owner, "name": short}))
        answer, _ = self._web.json(url, headers=self._headers)
        for role in _maps(_table(answer).get("results")):
            if str(role.get("name")) == short:
                return self._role_release(name, role, version)
        raise NotThereError.of("not-found", f"{self.url} has no role {name}", help="see whether the name is right")

    def _role_release(self, name: str, role: dict[Any, Any], version: str) -> Release:
        known = {str(each.get("name")): each for each in _maps(_table(role.get("summary_fields")).get("versions"))}
        chosen = version or _newest(known) or str(role.get("github_branch") or "")
        if version and known and version not in known:
            message = f"the role {name} has no version {version}"
            raise ContentError.of("no-version", message, help=f"there are {', '.join(sorted(known))}")
        link = known.get(chosen, {}).get("download_url")
        user, repository = role.get("github_user"), role.get("github_repo")
        url = str(link) if link else f"https://github.com/{user}/{repository}/archive/{chosen}.tar.gz"
        return Release(name, chosen, urljoin(self.url, url), "", {})

    def fetch(self, release: Release, target: Path) -> str:
        """Download a release to `target`; return its SHA-256. Raise ContentError if it is not what was announced."""
        own = release.url.startswith(urljoin(self.url, "/"))  # archives of other hosts get no token
        sha256 = self._web.download(release.url, target, headers=self._headers if own else None)
        if release.sha256 and sha256 != release.sha256:
            target.unlink(missing_ok=True)
            message = f"{release.name} {release.version} from {release.url} is not what {self.url} announces"
            raise ContentError.of("wrong-hash", message, help="tell who keeps the server; nothing was installed")
        return sha256


def _newest(names: dict[str, Any]) -> str:
    def key(name: str) -> tuple[Any, ...]:
        words = name.removeprefix("v").replace("-", ".").split(".")
        return tuple((1, int(word), "") if word.isdecimal() else (0, 0, word) for word in words)

    return max(names, key=key, default="")


def _table(value: Any) -> dict[Any, Any]:
    return value if is_map(value) else {}


def _maps(value: Any) -> list[dict[Any, Any]]:
    return [each for each in value if is_map(each)] if is_list(value) else []
