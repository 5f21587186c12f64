"""A small web server over TLS for a mirror: types, ranges, ETag. For tests and small sites.

Source: RFC 9110, sections 8.8.3 (ETag), 13.1.2 (If-None-Match), 14.2 (Range).
"""

from __future__ import annotations

import os
import re
import ssl
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, BinaryIO
from urllib.parse import unquote, urlsplit

from pyplay.content.faults import ContentError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_RANGE = re.compile(r"bytes=([0-9]*)-([0-9]*)", re.ASCII)
_TYPES = {".json": "application/json", ".zip": "application/zip"}
_CHUNK = 1 << 18


class Server(ThreadingHTTPServer):
    """Serves the directory `root`; the handshake of TLS is made in the connection's own thread."""

    daemon_threads = True

    def __init__(self, root: Path, place: tuple[str, int], context: ssl.SSLContext, say: Callable[[str], None]) -> None:
        self.root, self.say, self._context = root.resolve(), say, context
        super().__init__(place, _Handler)

    def get_request(self) -> tuple[Any, Any]:
        """Return the next connection, wrapped; its handshake comes with the first read."""
        connection, peer = super().get_request()
        connection.settimeout(60)
        return self._context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False), peer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of connections that clients broke off."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server  # pyright: ignore[reportIncompatibleVariableOverride]

    def do_GET(self) -> None:  # the standard library's
        self._answer(body=True)

    def do_HEAD(self) -> None:  # the standard library's
        self._answer(body=False)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the standard library's
        self.server.say(format % args)

    def _answer(self, *, body: bool) -> None:
        path = self._path()
        try:
            if path is None or not path.is_file():
                self.send_error(HTTPStatus.NOT_FOUND)
                return
            stream = path.open("rb")
        except OSError:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        with stream:
            self._file(stream, path, body=body)

    def _file(self, stream: BinaryIO, path: Path, *, body: bool) -> None:
        status = os.fstat(stream.fileno())
        size, tag = status.st_size, f'"{status.st_mtime_ns:x}-{status.st_size:x}"'
        if tag in self.headers.get("If-None-Match", ""):
            self.send_response(HTTPStatus.NOT_MODIFIED)
            self.send_header("ETag", tag)
            self.end_headers()
            return
        wanted = self.headers.get("Range") if self.headers.get("If-Range", tag) == tag else None
        first, end = _range(wanted, size)
        if first >= end and wanted and size:
            self.send_response(HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE)
            self.send_header("Content-Range", f"bytes */{size}")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        part = (first, end) != (0, size)
        self.send_response(HTTPStatus.PARTIAL_CONTENT if part else HTTPStatus.OK)
        self.send_header("Content-Type", _TYPES.get(path.suffix, "application/octet-stream"))
        self.send_header("Content-Length", str(end - first))
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("ETag", tag)
        if part:
            self.send_header("Content-Range", f"bytes {first}-{end - 1}/{size}")
        self.end_headers()
        if body:
            stream.seek(first)
            _send(stream, self.wfile, end - first)

    def _path(self) -> Path | None:
        """Return the file that is asked for, None for one outside or hidden."""
        parts = unquote(urlsplit(self.path).path).split("/")[1:]
        if any(part.startswith(".") or "\0" in part for part in parts):
            return None
        path = self.server.root.joinpath(*filter(None, parts)).resolve()
        return path if path.is_relative_to(self.server.root) else None


def _range(text: str | None, size: int) -> tuple[int, int]:
    """Return first byte and end of what `Range` asks for; all for none, and for forms that may be passed over."""
    match = _RANGE.fullmatch(text or "")
    if match is None or match[0] == "bytes=-":
        return 0, size
    if not match[1]:
        return max(0, size - int(match[2])), size
    return int(match[1]), min(size, int(match[2]) + 1) if match[2] else size


def _send(source: BinaryIO, target: Any, size: int) -> None:
    if size <= _CHUNK:
        target.write(source.read(size))
        return
    while size > 0 and (chunk := source.read(min(_CHUNK, size))):
        target.write(chunk)
        size -= len(chunk)


def tls(cert: Path, key: Path) -> ssl.SSLContext:
    """Return TLS with this certificate. Raise ContentError where the files are no such."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(cert, key)
    except (OSError, ssl.SSLError) as error:
        message = f"{cert} and {key} are no certificate and its key: {error}"
        raise ContentError.of("tls", message, help="name files in PEM form with --cert and --key") from error
    return context


def nginx_snippet(root: Path) -> str:
    """Return what makes nginx serve the mirror at `/providers/`."""
    return (
        "location /providers/ {\n"
        f"    alias {root.absolute()}/;\n"
        "    types { application/json json; application/zip zip; }\n"
        "    default_type application/octet-stream;\n"
        "    autoindex off;\n"
        "}\n"
    )
