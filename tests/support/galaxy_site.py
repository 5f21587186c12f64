"""A Galaxy on loopback, for tests: the documents of `pyplay.content.site`, and the archives."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pyplay.content.metadata import sha256_of
from pyplay.content.pack import pack_collection
from pyplay.content.site import Archive, documents, role_answer, role_versions_answer

if TYPE_CHECKING:
    from pathlib import Path


def make_collection(root: Path, name: str, version: str, needs: dict[str, str] | None = None, text: str = "") -> Path:
    namespace, short = name.split(".")
    directory = root / f"{name}-{version}"
    (directory / "plugins" / "modules").mkdir(parents=True)
    (directory / "plugins/modules/hello.py").write_text("print('hello')\n")
    (directory / "README.md").write_text(text or f"{name} {version}\n")
    told = {"namespace": namespace, "name": short, "version": version, "readme": "README.md", "authors": ["Me"]}
    (directory / "galaxy.yml").write_text(json.dumps({**told, "dependencies": needs or {}}))
    return directory


class Galaxy:
    """The server; `requests` are the paths that were asked for, with the token each came with."""

    def __init__(self, root: Path) -> None:
        self.root, self.requests, self.failures = root, list[tuple[str, str]](), dict[str, list[int]]()
        self.collections, self.roles = list[Archive](), list[Archive]()
        (root / "files").mkdir(parents=True)
        galaxy = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                galaxy.requests.append((self.path, self.headers.get("Authorization", "")))
                code, body, kind = galaxy.answer(self.path)
                self.send_response(code)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *words: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self._server.server_address[1]}/"
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def add(self, name: str, version: str, needs: dict[str, str] | None = None) -> Path:
        path = pack_collection(make_collection(self.root, name, version, needs), self.root / "files")
        self.collections.append(self.archive(name, version, path, needs))
        return path

    def add_role(self, name: str, version: str, path: Path) -> None:
        self.roles.append(self.archive(name, version, path))

    def archive(self, name: str, version: str, path: Path, needs: dict[str, str] | None = None) -> Archive:
        stat, place = path.stat(), path.relative_to(self.root).as_posix()
        return Archive(name, version, place, sha256_of(path), stat.st_size, stat.st_mtime, needs or {})

    def answer(self, path: str) -> tuple[int, bytes, str]:
        parts = urlsplit(path)
        left = self.failures.get(parts.path)
        if left:
            return left.pop(0), b"{}", "application/json"
        way = parts.path.strip("/").split("/")
        if way[:3] == ["api", "v1", "roles"]:
            versions = role_versions_answer(way[3], self.roles, self.base) if len(way) > 3 else None
            answer = versions or role_answer(parts.query, self.roles, self.base)
            return 200, json.dumps(answer).encode(), "application/json"
        document = documents(self.collections, self.base, roles=True).get(f"{parts.path.strip('/')}/index.json")
        if document is not None:
            return 200, json.dumps(document).encode(), "application/json"
        file = self.root / parts.path.strip("/")
        return (200, file.read_bytes(), "application/gzip") if file.is_file() else (404, b"{}", "application/json")
