"""A web server for tests: it tells what it was asked, redirects, waits, packs and wants passwords; with TLS, too."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import socketserver
import ssl
import subprocess
import tarfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFlnZ2dnZ2dnZ2dnZ2dnZ2dnZ2dnZ2dnZ2dnZ2dnZ2dn me@x"


def archive() -> bytes:
    """Give an archive with the file `packed`."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as tar:
        tar.addfile(tarfile.TarInfo("packed"))
    return stream.getvalue()


class Handler(BaseHTTPRequestHandler):
    """Answers by the last part of the path; what it does not know is `echo`."""

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the library's name
        """Say nothing."""

    def address_string(self) -> str:
        """Give no name: a client by a Unix socket has none."""
        return ""

    def answer(self, status: int, body: bytes, kind: str = "text/plain", **headers: str) -> None:
        """Send an answer."""
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_GET(self) -> None:
        """Answer any request."""
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        what = self.path.rpartition("/")[2]
        if what == "moved":
            self.answer(302, b"", Location="echo")
        elif what == "kept":
            self.answer(307, b"", Location="echo")
        elif what == "round":
            self.answer(302, b"", Location="round")
        elif what == "named":
            self.answer(200, b'{"named": true}', "application/json", Set_Cookie="a=1; Path=/", X_Many="x y")
        elif what == "private" and "Authorization" not in self.headers:
            self.answer(401, b"who?", WWW_Authenticate='Basic realm="here"')
        elif what == "same" and "If-Modified-Since" in self.headers:
            self.answer(304, b"")
        elif what == "list":
            self.answer(200, b"[1, null]", "application/json; charset=utf-8")
        elif what == "broken":
            self.answer(200, b"{not json", "application/json")
        elif what == "missing":
            self.answer(404, b"no")
        elif what == "packed":
            self.answer(200, gzip.compress(b"unpacked text"), Content_Encoding="gzip")
        elif what == "key":
            self.answer(200, KEY.encode())
        elif what == "a.tar.gz":
            self.answer(200, archive())
        else:
            if what == "slow":
                time.sleep(1.2)
            tls = self.connection if isinstance(self.connection, ssl.SSLSocket) else None
            told = {
                "method": self.command,
                "path": self.path,
                "headers": dict(self.headers),
                "body": body,
                "cipher": tls.cipher() if tls else None,
                "client": str(tls.getpeercert()) if tls else None,
            }
            self.answer(200, json.dumps(told).encode(), "application/json")

    do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_GET  # noqa: N815  # the library's names


class Server(ThreadingHTTPServer):
    """Serves on loopback; clients that go away are no error."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: some clients are meant to turn away."""


class SocketServer(socketserver.ThreadingUnixStreamServer):
    """Serves on a Unix socket."""

    daemon_threads = True


def certificates(directory: Path) -> None:
    """Make `server.pem`, which signs itself, and `client.pem` with `client.crt` and `client.key`, which the server trusts."""
    for name, subject, more in (
        ("server", "/CN=127.0.0.1", ["-addext", "subjectAltName=IP:127.0.0.1"]),
        ("client", "/CN=the-client", []),
    ):
        key, certificate = directory / f"{name}.key", directory / f"{name}.crt"
        words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", subject, *more]
        subprocess.run([*words, "-keyout", key, "-out", certificate], check=True, capture_output=True)
        (directory / f"{name}.pem").write_text(certificate.read_text() + key.read_text())


@contextlib.contextmanager
def serving(server: socketserver.BaseServer) -> Iterator[None]:
    """Run a server in a thread."""
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextlib.contextmanager
def plain_web() -> Iterator[str]:
    """Serve without TLS; gives the address."""
    server = Server(("127.0.0.1", 0), Handler)
    with serving(server):
        yield f"http://127.0.0.1:{server.server_address[1]}"


@contextlib.contextmanager
def web(directory: Path) -> Iterator[dict[str, str]]:
    """Serve; gives what the words of rows mean: `%http`, `%https`, `%socket`, and `%pki` for the certificates."""
    certificates(directory)
    plain, secure = Server(("127.0.0.1", 0), Handler), Server(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(directory / "server.pem")
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    context.verify_mode = ssl.CERT_OPTIONAL
    context.load_verify_locations(directory / "client.crt")
    secure.socket = context.wrap_socket(secure.socket, server_side=True)
    local = SocketServer(str(directory / "socket"), Handler)
    with serving(plain), serving(secure), serving(local):
        yield {
            "%https": f"https://127.0.0.1:{secure.server_address[1]}",
            "%http": f"http://127.0.0.1:{plain.server_address[1]}",
            "%socket": str(directory / "socket"),
            "%pki": str(directory),
        }
