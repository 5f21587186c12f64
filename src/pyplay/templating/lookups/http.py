"""Fetching a URL with the standard library: proxies, certificates, passwords, redirects, Unix sockets."""

from __future__ import annotations

import base64
import http.client
import netrc
import socket
import ssl
import urllib.error
import urllib.request
from dataclasses import field
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit, urlunsplit

from pyplay.diagnostics.dataclass import dataclass
from pyplay.templating.lookups.base import LookupFailed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from http.client import HTTPMessage

REDIRECTS = {"all": "all", "yes": "all", "none": "none", "no": "none", "safe": "safe", "urllib2": "urllib2"}


@dataclass(frozen=True, slots=True)
class Request:
    """How to fetch. `timeout` in seconds."""

    validate_certs: bool = True
    ca_path: str | None = None
    ciphers: Sequence[str] = ()
    use_proxy: bool = True
    username: str | None = None
    password: str | None = None
    force_basic_auth: bool = False
    use_netrc: bool = True
    use_gssapi: bool = False
    headers: Mapping[str, Any] = field(default_factory=dict[str, Any])
    unredirected_headers: Sequence[str] = ()
    http_agent: str = "ansible-httpget"
    force: bool = False
    timeout: float = 10.0
    follow_redirects: str = "urllib2"
    unix_socket: str | None = None


def fetch(url: str, how: Request) -> bytes:
    """Give what stands at `url`. Raises LookupFailed with the status, or why there was no answer."""
    bare, user, password = _credentials(url, how)
    request = _headed(bare, user, password, how)
    try:
        with _opener(bare, user, password, how).open(request, timeout=how.timeout) as answer:
            return answer.read()
    except urllib.error.HTTPError as error:
        with error:
            raise LookupFailed(f"lookup 'url': {bare} answered {error.code} {error.reason}") from error
    except urllib.error.URLError as error:
        raise LookupFailed(f"lookup 'url': {bare}: {error.reason}", help=_certificate_help(error.reason)) from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise LookupFailed(f"lookup 'url': {bare}: {error}") from error


def _certificate_help(reason: object) -> str:
    return "ca_path= names the authority to trust" if isinstance(reason, ssl.SSLCertVerificationError) else ""


def _credentials(url: str, how: Request) -> tuple[str, str | None, str]:
    """Give the URL without user and password, and these: from the options, the URL, or the netrc file."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError as error:
        raise LookupFailed(f"lookup 'url': {url!r} is no URL: {error}") from error
    if not parts.scheme:
        raise LookupFailed(f"lookup 'url': {url!r} is no URL", help="it starts with https://")
    bare = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
    if how.username:
        return bare, how.username, how.password or ""
    if parts.username is not None:
        return bare, unquote(parts.username), unquote(parts.password or "")
    known = _from_netrc(host) if how.use_netrc and host else None
    return (bare, known[0], known[1]) if known else (bare, None, "")


def _from_netrc(host: str) -> tuple[str, str] | None:
    try:
        found = netrc.netrc().authenticators(host)
    except (OSError, netrc.NetrcParseError):
        return None
    return (found[0], found[2] or "") if found else None


def _headed(url: str, user: str | None, password: str, how: Request) -> urllib.request.Request:
    request = urllib.request.Request(url)  # noqa: S310  # any scheme that urllib knows, as documented
    unredirected = {name.lower() for name in how.unredirected_headers}
    headers = {"User-agent": how.http_agent}
    if how.force:
        headers["Cache-control"] = "no-cache"
    if user is not None and how.force_basic_auth:
        headers["Authorization"] = "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()
    headers |= {str(name): str(value) for name, value in how.headers.items()}
    for name, value in headers.items():
        add = request.add_unredirected_header if name.lower() in unredirected else request.add_header
        add(name, value)
    return request


def _opener(url: str, user: str | None, password: str, how: Request) -> urllib.request.OpenerDirector:
    handlers: list[Any] = [_Redirects(how.follow_redirects), urllib.request.HTTPSHandler(context=_context(how))]
    if not how.use_proxy:
        handlers.append(urllib.request.ProxyHandler({}))
    if how.unix_socket:
        handlers.append(_UnixHandler(how.unix_socket))
    if user is not None and not how.force_basic_auth:
        manager = urllib.request.HTTPPasswordMgrWithDefaultRealm()
        manager.add_password(None, url, user, password)
        handlers += [urllib.request.HTTPBasicAuthHandler(manager), urllib.request.HTTPDigestAuthHandler(manager)]
    return urllib.request.build_opener(*handlers)


def _context(how: Request) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(cafile=how.ca_path)
        if how.ciphers:
            context.set_ciphers(":".join(how.ciphers))
    except (OSError, ssl.SSLError) as error:
        raise LookupFailed(
            f"lookup 'url': TLS cannot be set up: {error}", help="look at ca_path and ciphers"
        ) from error
    if not how.validate_certs:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects of the kind wanted; the method stays GET, since nothing is ever sent."""

    def __init__(self, follow: str) -> None:
        if follow not in REDIRECTS:
            raise LookupFailed(
                f"lookup 'url': unknown follow_redirects {follow!r}", help=f"one of {', '.join(REDIRECTS)}"
            )
        self.follow = REDIRECTS[follow]

    def redirect_request(  # noqa: PLR0917  # urllib's signature
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> urllib.request.Request | None:
        """Give the request to go on with; none makes the redirect the answer, which is an error."""
        if self.follow == "none":
            return None
        return super().redirect_request(req, fp, code, msg, headers, newurl)


class _UnixConnection(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, host: str, *, path: str, timeout: float) -> None:
        super().__init__(host, timeout=timeout)
        self.path = path

    def connect(self) -> None:
        """Connect to the socket instead of the host."""
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class _UnixHandler(urllib.request.HTTPHandler):
    """Opens http: URLs over a Unix socket."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        """Send the request over the socket."""

        def connect(host: str, *, timeout: float = 10.0, **_: Any) -> _UnixConnection:
            return _UnixConnection(host, path=self.path, timeout=timeout)

        return self.do_open(connect, req)
