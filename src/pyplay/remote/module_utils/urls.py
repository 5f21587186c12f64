"""Fetching from the network for modules: urllib with the options that they share."""

import base64
import gzip
import os
import socket
import ssl
import tempfile
import urllib.error
import urllib.parse
import urllib.request


class RequestFailed(Exception):
    """No answer, or one that is an error. `status` is HTTP's number or -1, `answer` the Response if there is one."""

    def __init__(self, message: str, status: int = -1, answer: object = None) -> None:
        """Take the reason, the status and the answer."""
        Exception.__init__(self, message)
        self.status = status
        self.answer = answer


class Request:
    """One request and how to make it."""

    def __init__(
        self,
        url: str,
        method: object = None,
        data: object = None,
        headers: object = None,
        timeout: float = 10,
        username: object = None,
        password: object = None,
        force_basic: bool = False,
        validate_certs: bool = True,
        use_proxy: bool = True,
        use_netrc: bool = True,
        agent: str = "ansible-httpget",
        client_cert: object = None,
        client_key: object = None,
        ca_path: object = None,
        ciphers: object = None,
        follow: str = "urllib2",
        unix_socket: object = None,
        unredirected: tuple = (),
        decompress: bool = True,
        handlers: tuple = (),
        context: object = None,
    ) -> None:
        """Take the URL and the options of get_url and uri; `follow` is all, safe, none, urllib2 (as safe) or yes/no.

        `handlers` are further ones of urllib, `context` is a TLS context to be used as it is.
        """
        parts = urllib.parse.urlsplit(url)
        if parts.username is not None and username is None:
            username, password = urllib.parse.unquote(parts.username), urllib.parse.unquote(parts.password or "")
        if "@" in parts.netloc:
            parts = parts._replace(netloc=parts.netloc.rpartition("@")[2])
        self.url = urllib.parse.urlunsplit(parts)
        self.host = parts.hostname or ""
        self.method = method
        self.data = data
        self.headers = dict(headers or {})
        self.timeout = timeout
        self.username = username
        self.password = password
        self.force_basic = force_basic
        self.validate_certs = validate_certs
        self.use_proxy = use_proxy
        self.use_netrc = use_netrc
        self.agent = agent
        self.client_cert = client_cert
        self.client_key = client_key
        self.ca_path = ca_path
        self.ciphers = ciphers
        self.follow = str(follow).lower()
        self.unix_socket = unix_socket
        self.unredirected = {name.lower() for name in unredirected}
        self.decompress = decompress
        self.handlers = handlers
        self.context = context


def request_of(args: dict, url: object = None, headers: object = None, **more: object) -> Request:
    """Give the request that a module's options describe (get_url, uri); `more` goes to Request as it is."""
    return Request(
        url or args["url"],
        headers=headers,
        timeout=args["timeout"],
        username=args["url_username"],
        password=args["url_password"],
        force_basic=args["force_basic_auth"],
        validate_certs=args["validate_certs"],
        use_proxy=args["use_proxy"],
        use_netrc=args["use_netrc"],
        agent=args["http_agent"],
        client_cert=args["client_cert"],
        client_key=args["client_key"],
        ciphers=args["ciphers"],
        unredirected=tuple(args["unredirected_headers"]),
        decompress=args["decompress"],
        **more,
    )


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows where it is allowed, keeping the method of 307 and 308."""

    def __init__(self, follow: str) -> None:
        self.follow = follow

    def redirect_request(self, request, fp, code, message, headers, url):  # urllib's
        method = request.get_method()
        if self.follow in ("none", "no", "false") or (
            self.follow in ("safe", "urllib2") and method not in ("GET", "HEAD") and self.follow == "safe"
        ):
            raise urllib.error.HTTPError(request.full_url, code, message, headers, fp)
        keep = code in (307, 308)
        if not keep and self.follow == "urllib2" and method not in ("GET", "HEAD", "POST"):
            raise urllib.error.HTTPError(request.full_url, code, message, headers, fp)
        if not keep and method != "HEAD":
            method = "GET"
        kept = {
            name: value
            for name, value in request.headers.items()
            if keep or name.lower() not in ("content-length", "content-type", "transfer-encoding")
        }
        data = request.data if keep else None
        origin = request.origin_req_host
        new = urllib.request.Request(
            url.replace(" ", "%20"), data=data, headers=kept, origin_req_host=origin, unverifiable=True, method=method
        )
        if urllib.parse.urlsplit(url).hostname != urllib.parse.urlsplit(request.full_url).hostname:
            new.remove_header("Authorization")
        return new

    http_error_308 = urllib.request.HTTPRedirectHandler.http_error_302


def _context(request: Request) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=request.ca_path or None)
    if not request.validate_certs:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    if request.client_cert:
        context.load_cert_chain(request.client_cert, request.client_key or None)
    if request.ciphers:
        context.set_ciphers(":".join(request.ciphers))
    return context


def _unix_handler(path: str) -> object:
    import http.client  # noqa: PLC0415  # rarely needed

    class Connection(http.client.HTTPConnection):
        def connect(self) -> None:
            self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self.sock.settimeout(self.timeout)
            self.sock.connect(path)

    class Handler(urllib.request.HTTPHandler):
        def http_open(self, request: object) -> object:
            return self.do_open(Connection, request)

    return Handler()


def _credentials(request: Request) -> tuple:
    if request.username is not None:
        return request.username, request.password or ""
    if request.use_netrc and request.host:
        import netrc  # noqa: PLC0415  # only without given credentials

        try:
            found = netrc.netrc(os.environ.get("NETRC")).authenticators(request.host)
        except (OSError, netrc.NetrcParseError):
            return ()
        if found:
            return found[0] or "", found[2] or ""
    return ()


def open_url(request: Request) -> object:
    """Send the request and give urllib's response: a stream with `headers` and `status`.

    Raises RequestFailed.
    """
    handlers = [_Redirects(request.follow), *request.handlers]
    if not request.use_proxy:
        handlers.append(urllib.request.ProxyHandler({}))
    try:
        if request.url.startswith("https"):
            handlers.append(urllib.request.HTTPSHandler(context=request.context or _context(request)))
    except (OSError, ValueError) as error:
        raise RequestFailed("cannot prepare TLS: %s" % error) from error
    if request.unix_socket:
        handlers.append(_unix_handler(request.unix_socket))
    headers = {"User-Agent": request.agent}
    headers.update(request.headers)
    sent = urllib.request.Request(request.url, data=request.data, method=request.method)
    credentials = _credentials(request)
    if credentials:
        if request.force_basic or request.username is None:
            pair = ("%s:%s" % credentials).encode("utf-8")
            headers.setdefault("Authorization", "Basic " + base64.b64encode(pair).decode("ascii"))
        else:
            manager = urllib.request.HTTPPasswordMgrWithDefaultRealm()
            manager.add_password(None, request.url, *credentials)
            handlers.append(urllib.request.HTTPBasicAuthHandler(manager))
            handlers.append(urllib.request.HTTPDigestAuthHandler(manager))
    for name, value in headers.items():
        if name.lower() in request.unredirected:
            sent.add_unredirected_header(name, str(value))
        else:
            sent.add_header(name, str(value))
    opener = urllib.request.build_opener(*handlers)
    try:
        return opener.open(sent, timeout=request.timeout)
    except urllib.error.HTTPError as error:
        raise RequestFailed("HTTP Error %d: %s" % (error.code, error.reason), error.code, error) from error
    except urllib.error.URLError as error:
        raise RequestFailed("the request failed: %s" % (error.reason,)) from error
    except (OSError, ValueError) as error:
        raise RequestFailed("the request failed: %s" % error) from error
    except Exception as error:  # http.client's protocol errors are of many kinds
        raise RequestFailed("the request failed: %s: %s" % (type(error).__name__, error)) from error


def body(response: object, decompress: bool = True) -> object:
    """Give the stream of an answer's content, unpacked where it came packed."""
    if decompress and (response.headers.get("Content-Encoding") or "").lower() == "gzip":
        return gzip.GzipFile(fileobj=response)
    return response


def content(request: Request) -> bytes:
    """Give the whole content that the request is answered with, unpacked. Raises RequestFailed, OSError."""
    with open_url(request) as response:
        return body(response).read()


class Download:
    """A URL's content in a temporary file; a context manager. Raises RequestFailed, OSError."""

    def __init__(self, url: str, suffix: str = "", directory: object = None, request: object = None) -> None:
        """Fetch `url` at once, with the options of `request` if given."""
        self.response = open_url(request or Request(url))
        handle, self.path = tempfile.mkstemp(suffix, ".pyplay-", directory)
        try:
            with os.fdopen(handle, "wb") as stream:
                source = body(self.response, True if request is None else request.decompress)
                for block in iter(lambda: source.read(1 << 18), b""):
                    stream.write(block)
        except BaseException:
            self.close()
            raise
        finally:
            self.response.close()

    def __enter__(self) -> "Download":
        return self

    def __exit__(self, *about: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove the file."""
        if os.path.exists(self.path):
            os.unlink(self.path)
