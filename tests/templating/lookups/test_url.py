"""The url lookup against a real server on loopback."""

from __future__ import annotations

import base64
import json
import socketserver
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from pyplay.templating.lookups.base import LookupCall, LookupFailed
from pyplay.templating.lookups.url import url

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LOGIN = "Basic " + base64.b64encode(b"me:secret").decode()


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/moved":
            self.send_response(302)
            self.send_header("Location", "/plain")
            self.end_headers()
        elif self.path == "/private" and self.headers.get("Authorization") != LOGIN:
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="x"')
            self.end_headers()
        elif self.path == "/missing":
            self.send_error(404)
        else:
            self.send_response(200)
            self.end_headers()
            headers = {name.lower(): value for name, value in self.headers.items()}
            self.wfile.write(json.dumps(headers).encode() if self.path == "/headers" else b"one\ntwo\n")

    def log_message(self, *_: Any) -> None:
        pass


class UnixServer(socketserver.UnixStreamServer):
    def get_request(self) -> tuple[Any, Any]:
        request, _ = super().get_request()
        return request, ("unix", 0)


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("no_proxy", "*")


def running(server: Any) -> Iterator[Any]:
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def server() -> Iterator[str]:
    for each in running(HTTPServer(("127.0.0.1", 0), Handler)):
        yield f"127.0.0.1:{each.server_port}"


def make_call(settings: Any = None, **variables: Any) -> LookupCall:
    return LookupCall(SimpleNamespace(search_path=[], basedir=""), variables, settings)  # type: ignore[arg-type]


def headers(server: str, call: LookupCall | None = None, **options: Any) -> dict[str, str]:
    return json.loads(url([f"http://{server}/headers"], call or make_call(), split_lines=False, **options)[0])


def test_lines_or_the_whole(server: str) -> None:
    assert url([f"http://{server}/plain"], make_call()) == ["one", "two"]
    assert url([f"http://{server}/plain"], make_call(), split_lines="no") == ["one\ntwo\n"]


def test_status_is_the_failure(server: str) -> None:
    with pytest.raises(LookupFailed, match="404"):
        url([f"http://{server}/missing"], make_call())


@pytest.mark.parametrize("follow", ["urllib2", "all", "safe", "yes"])
def test_redirects_are_followed(server: str, follow: str) -> None:
    assert url([f"http://{server}/moved"], make_call(), follow_redirects=follow) == ["one", "two"]


def test_redirects_are_not_followed_if_so_wished(server: str) -> None:
    with pytest.raises(LookupFailed, match="302"):
        url([f"http://{server}/moved"], make_call(), follow_redirects="none")
    with pytest.raises(LookupFailed, match="follow_redirects"):
        url([f"http://{server}/moved"], make_call(), follow_redirects="maybe")


def test_passwords(server: str, tmp_path: Path) -> None:
    with pytest.raises(LookupFailed, match="401"):
        url([f"http://{server}/private"], make_call())
    assert url([f"http://{server}/private"], make_call(), username="me", password="secret")
    assert url([f"http://{server}/private"], make_call(), username="me", password="secret", force_basic_auth=True)
    assert url([f"http://me:secret@{server}/private"], make_call())
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login me password secret\n")
    (tmp_path / ".netrc").chmod(0o600)
    assert url([f"http://{server}/private"], make_call())
    with pytest.raises(LookupFailed, match="401"):
        url([f"http://{server}/private"], make_call(), use_netrc=False)


def test_a_password_is_not_in_the_message(server: str) -> None:
    with pytest.raises(LookupFailed) as caught:
        url([f"http://me:hidden@{server}/missing"], make_call())
    assert "hidden" not in str(caught.value)


def test_headers_and_agent(server: str) -> None:
    sent = headers(server, headers={"X-A": 1}, http_agent="me/1", force=True, unredirected_headers=["X-A"])
    assert (sent["x-a"], sent["user-agent"], sent["cache-control"]) == ("1", "me/1", "no-cache")
    assert headers(server)["user-agent"] == "ansible-httpget"


def test_options_from_variables_environment_and_ini(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "ansible.cfg"
    config.write_text("[url_lookup]\nagent = ini\n")
    settings = SimpleNamespace(config_file=str(config))
    assert headers(server, make_call(settings))["user-agent"] == "ini"
    monkeypatch.setenv("ANSIBLE_LOOKUP_URL_AGENT", "environment")
    assert headers(server, make_call(settings))["user-agent"] == "environment"
    assert headers(server, make_call(settings, ansible_lookup_url_agent="variable"))["user-agent"] == "variable"
    assert (
        headers(server, make_call(settings, ansible_lookup_url_agent="variable"), http_agent="own")["user-agent"]
        == "own"
    )


def test_unix_sockets(tmp_path: Path) -> None:
    path = tmp_path / "s"
    for _ in running(UnixServer(str(path), Handler)):
        assert url(["http://anything/plain"], make_call(), unix_socket=str(path)) == ["one", "two"]


@pytest.mark.parametrize(("term", "options", "message"), [
    ("no-scheme", {}, "no URL"),
    ("http://127.0.0.1:9/", {}, "refused"),
    ("http://127.0.0.1:9/", {"use_gssapi": True}, "use_gssapi"),
    ("http://127.0.0.1:9/", {"headers": ["x"]}, "mapping"),
    ("http://127.0.0.1:9/", {"timeout": "long"}, "number"),
    ("https://127.0.0.1:9/", {"ca_path": "/nowhere"}, "TLS"),
    ("https://127.0.0.1:9/", {"ciphers": "NOPE"}, "TLS"),
    (42, {}, "text"),
])  # fmt: skip
def test_what_is_refused(term: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(LookupFailed, match=message):
        url([term], make_call(), **options)
