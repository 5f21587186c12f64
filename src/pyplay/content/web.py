"""Asking servers of roles and collections: JSON documents and archives, with patience, and without telling tokens."""

from __future__ import annotations

import hashlib
import http.client
import json
import socket
import ssl
import time
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, Any, Protocol, TypeVar
from urllib.parse import urlsplit

from pyplay.content.faults import ContentError, NotThereError
from pyplay.diagnostics.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

_T = TypeVar("_T")
ATTEMPTS = 5
MAX_JSON = 256 << 20
_CHUNK = 1 << 18
_LONGEST_WAIT = 60.0
_AGAIN = frozenset({408, 429, 500, 502, 503, 504})
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class Web(Protocol):
    """What is asked of servers."""

    def json(self, url: str, *, headers: Mapping[str, str] | None = None) -> tuple[Any, str]:
        """Return the JSON document at `url`, and its URL after redirects."""
        ...

    def download(self, url: str, target: Path, *, headers: Mapping[str, str] | None = None) -> str:
        """Write what is at `url` to `target`; return its SHA-256 in hexadecimal digits."""
        ...


@dataclass(frozen=True, slots=True)
class HttpWeb:
    """HTTP by the standard library. `verify` switches the check of certificates, `sleep` waits between attempts."""

    timeout: float = 60
    verify: bool = True
    sleep: Callable[[float], None] = time.sleep

    def json(self, url: str, *, headers: Mapping[str, str] | None = None) -> tuple[Any, str]:
        """Return the JSON document at `url`, and its URL after redirects. Raise NotThereError for 404."""
        return self._patiently(url, lambda: self._json(url, headers or {}))

    def download(self, url: str, target: Path, *, headers: Mapping[str, str] | None = None) -> str:
        """Write what is at `url` to `target`; return its SHA-256. A cut download begins again."""
        return self._patiently(url, lambda: self._download(url, target, headers or {}))

    def _json(self, url: str, headers: Mapping[str, str]) -> tuple[Any, str]:
        with self._open(url, {"Accept": "application/json", **headers}) as answer:
            body = answer.read(MAX_JSON + 1)
            where = str(answer.url)
        if len(body) > MAX_JSON:
            raise ContentError.of("bad-answer", f"{url} answers with more than {MAX_JSON >> 20} MB of JSON")
        try:
            return json.loads(body), where
        except ValueError as error:
            shown = body[:60].decode(errors="replace")
            message = f"{url} answers with what is no JSON: {shown!r}"
            raise ContentError.of("bad-answer", message, help="is this the address of a Galaxy server?") from error

    def _download(self, url: str, target: Path, headers: Mapping[str, str]) -> str:
        digest, size = hashlib.sha256(), 0
        with self._open(url, headers) as answer, target.open("wb") as stream:
            while chunk := answer.read(_CHUNK):
                digest.update(chunk)
                stream.write(chunk)
                size += len(chunk)
            expected = answer.headers.get("Content-Length")
        if expected is not None and expected.isdecimal() and int(expected) != size:
            raise http.client.IncompleteRead(b"", int(expected) - size)
        return digest.hexdigest()

    def _open(self, url: str, headers: Mapping[str, str]) -> Any:
        if urlsplit(url).scheme not in {"http", "https"}:
            raise ContentError.of("bad-url", f"{url!r} is neither https nor http", help="write a URL with https://")
        context = ssl.create_default_context()
        if not self.verify:
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        opener = urllib.request.build_opener(_Redirects(), urllib.request.HTTPSHandler(context=context))
        words = {"User-Agent": "pyplay", "Accept-Encoding": "identity", **headers}
        if "Authorization" in words and not _may_tell(url):
            raise ContentError.of(
                "clear-token", f"the token for {url} would be sent in clear", help="write https:// in the server's url"
            )
        return opener.open(urllib.request.Request(url, headers=words), timeout=self.timeout)  # noqa: S310  # as checked

    def _patiently(self, url: str, ask: Callable[[], _T]) -> _T:
        """Return what `ask` returns; ask again where that helps. Raise ContentError that says what went wrong."""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return ask()
            except urllib.error.HTTPError as error:
                error.close()
                if error.code not in _AGAIN or attempt == ATTEMPTS:
                    raise _refused(url, error.code) from error
                wait = _wait(error.headers.get("Retry-After"), attempt)
            except (OSError, http.client.HTTPException) as error:
                if not _helps(error) or attempt == ATTEMPTS:
                    raise _unreachable(url, error) from error
                wait = _wait(None, attempt)
            self.sleep(wait)
        raise AssertionError("the last attempt returns or raises")


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects, but none from https to http; headers with secrets do not go to another host."""

    max_redirections = 5

    def redirect_request(  # noqa: PLR0917  # the standard library's
        self, req: urllib.request.Request, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        old, new = urlsplit(req.full_url), urlsplit(newurl)
        if old.scheme == "https" and new.scheme != "https":
            raise ContentError.of(
                "insecure-redirect", f"{req.full_url} leads from https to {newurl}", help="tell who keeps the server"
            )
        request = super().redirect_request(req, fp, code, msg, headers, newurl)
        if request is not None and (old.scheme, old.netloc) != (new.scheme, new.netloc):
            request.remove_header("Authorization")
        return request


def _helps(error: Exception) -> bool:
    """Whether asking again may help: not with certificates, unknown names, closed ports, nor with a full disk here."""
    reason = getattr(error, "reason", error)
    if isinstance(reason, (ssl.SSLError, ConnectionRefusedError)):
        return False
    if isinstance(reason, socket.gaierror) and reason.errno != socket.EAI_AGAIN:
        return False
    return isinstance(error, (urllib.error.URLError, http.client.HTTPException, TimeoutError, ConnectionError))


def _unreachable(url: str, error: Exception) -> ContentError:
    reason = getattr(error, "reason", error)
    if isinstance(reason, ssl.SSLCertVerificationError):
        message = f"the certificate of {urlsplit(url).netloc} is not trusted: {reason.verify_message}"
        return ContentError.of("tls", message, help="name its CA's file in SSL_CERT_FILE")
    text = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
    if isinstance(error, http.client.IncompleteRead):
        text = "the connection was cut before the end"
    message = f"{url} cannot be had: {text}"
    return ContentError.of("unreachable", message, help="see whether the address is right and the server runs")


def _refused(url: str, code: int) -> ContentError:
    message = f"{url} answers {code} {http.client.responses.get(code, '')}".rstrip()
    if code == 404:
        return NotThereError.of("not-found", message, help="see whether name and server are right")
    if code in {401, 403}:
        return ContentError.of("refused", message, help="give this server a valid token")
    return ContentError.of("server", message, help="try again later, or ask who keeps the server")


def _wait(retry_after: str | None, attempt: int) -> float:
    asked = float(retry_after) if retry_after and retry_after.isdecimal() else 0.5 * 2**attempt
    return min(asked, _LONGEST_WAIT)


def _may_tell(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme == "https" or parts.hostname in _LOOPBACK
