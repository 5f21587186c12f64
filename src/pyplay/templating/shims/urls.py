"""`ansible.module_utils.urls`: fetching, for lookups that ask a service."""

from __future__ import annotations

import base64
import ssl
import urllib.error
import urllib.request
from typing import Any

HTTPError = urllib.error.HTTPError
URLError = urllib.error.URLError
urllib_error = urllib.error
ParseResultDottedDict = dict


class ConnectionError(Exception):  # noqa: A001  # the name that plugins know
    """No connection."""


class SSLValidationError(ConnectionError):
    """A certificate is not trusted."""


class NoSSLError(SSLValidationError):
    """There is no TLS."""


def open_url(  # noqa: PLR0917  # the signature that plugins know
    url: str,
    data: Any = None,
    headers: dict[str, str] | None = None,
    method: str | None = None,
    use_proxy: bool = True,  # noqa: FBT001, FBT002
    force: bool = False,  # noqa: FBT001, FBT002
    last_mod_time: Any = None,
    timeout: float = 10,
    validate_certs: bool = True,  # noqa: FBT001, FBT002
    url_username: str | None = None,
    url_password: str | None = None,
    http_agent: str | None = None,
    force_basic_auth: bool = False,  # noqa: FBT001, FBT002
    follow_redirects: str = "urllib2",
    client_cert: str | None = None,
    client_key: str | None = None,
    cookies: Any = None,
    use_gssapi: bool = False,  # noqa: FBT001, FBT002
    unix_socket: str | None = None,
    ca_path: str | None = None,
    **options: Any,
) -> Any:  # fmt: skip
    """Give the open answer of a URL. Raises HTTPError, URLError; ValueError for options not available here."""
    wanted = {
        "follow_redirects": follow_redirects not in {"urllib2", "all", "safe", "yes"},
        "use_gssapi": use_gssapi,
        "unix_socket": unix_socket,
    }
    refused = [
        name for name, value in {**wanted, **options}.items() if value and name not in {"use_netrc", "decompress"}
    ]
    if refused:
        raise ValueError(f"open_url: {refused[0]} is not available to plugins here")
    body = data.encode() if isinstance(data, str) else data
    request = urllib.request.Request(url, body, headers or {}, method=method)  # noqa: S310  # any scheme, as there
    if http_agent:
        request.add_header("User-agent", http_agent)
    if force:
        request.add_header("Cache-control", "no-cache")
    if last_mod_time is not None:
        request.add_header("If-modified-since", last_mod_time.strftime("%a, %d %b %Y %H:%M:%S GMT"))
    handlers: list[Any] = [
        urllib.request.HTTPSHandler(context=_context(validate_certs, ca_path, client_cert, client_key))
    ]
    if not use_proxy:
        handlers.append(urllib.request.ProxyHandler({}))
    if cookies is not None:
        handlers.append(urllib.request.HTTPCookieProcessor(cookies))
    if url_username and force_basic_auth:
        token = base64.b64encode(f"{url_username}:{url_password or ''}".encode()).decode()
        request.add_header("Authorization", f"Basic {token}")
    elif url_username:
        manager = urllib.request.HTTPPasswordMgrWithDefaultRealm()
        manager.add_password(None, url, url_username, url_password or "")
        handlers += [urllib.request.HTTPBasicAuthHandler(manager), urllib.request.HTTPDigestAuthHandler(manager)]
    return urllib.request.build_opener(*handlers).open(request, timeout=timeout)


def _context(validate: bool, ca_path: str | None, cert: str | None, key: str | None) -> ssl.SSLContext:  # noqa: FBT001
    context = ssl.create_default_context(cafile=ca_path)
    if not validate:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    if cert:
        context.load_cert_chain(cert, key)
    return context
