"""Fetching from the network: urllib with the options that modules share."""

import base64
import email.message
import email.utils
import http.client
import http.cookiejar as cookiejar
import os
import re
import socket
import ssl
import sys
import tempfile
import traceback
import urllib.error as urllib_error
import urllib.request as urllib_request
from urllib.parse import unquote, urljoin, urlparse, urlunparse

from pyplay.remote.module_utils import forms
from pyplay.remote.module_utils import urls as ours

from .basic import missing_required_lib
from .common.text.converters import to_bytes, to_native, to_text

# What importers expect to find here, too.
_ALSO_HERE = (cookiejar, socket, email.utils, http.client, unquote, urljoin, urlunparse, missing_required_lib, sys)

HAS_SSL = HAS_SSLCONTEXT = HAS_URLPARSE = HAS_CRYPTOGRAPHY = True
HAS_GSSAPI = False
HAS_GZIP = True
HTTPError = urllib_error.HTTPError
URLError = urllib_error.URLError


class ConnectionError(Exception):  # noqa: A001  # the name that importers use
    """The server cannot be reached."""


class ProxyError(ConnectionError):
    """The proxy refused."""


class SSLValidationError(ConnectionError):
    """The server's certificate is not to be trusted."""


class NoSSLError(SSLValidationError):
    """This Python has no TLS."""


class MissingModuleError(Exception):
    """A library of Python is needed and not there."""

    def __init__(self, message, import_traceback, module=None):
        Exception.__init__(self, message)
        self.import_traceback = import_traceback
        self.module = module


class ParseResultDottedDict(dict):
    """The parts of a URL, as keys and as attributes."""

    def __init__(self, *args, **kwargs):
        dict.__init__(self, *args, **kwargs)
        self.__dict__ = self

    def as_list(self):
        """Give the six parts in their order."""
        return [self.get(name) for name in ("scheme", "netloc", "path", "params", "query", "fragment")]


def generic_urlparse(parts):
    """Give the parts that `urlparse` found, with user name, password, host name and port."""
    found = ParseResultDottedDict(parts._asdict())
    for name in ("username", "password", "hostname", "port"):
        found[name] = getattr(parts, name)
    return found


class Request:
    """Makes requests, with the options that it was made with where a call gives none."""

    def __init__(
        self,
        headers=None,
        use_proxy=True,
        force=False,
        timeout=10,
        validate_certs=True,
        url_username=None,
        url_password=None,
        http_agent=None,
        force_basic_auth=False,
        follow_redirects="urllib2",
        client_cert=None,
        client_key=None,
        cookies=None,
        unix_socket=None,
        ca_path=None,
        unredirected_headers=None,
        decompress=True,
        ciphers=None,
        use_netrc=True,
        context=None,
    ):
        self.headers = dict(headers or {})
        if not isinstance(headers or {}, dict):
            raise ValueError("headers must be a mapping")
        self.defaults = {
            "use_proxy": use_proxy,
            "force": force,
            "timeout": timeout,
            "validate_certs": validate_certs,
            "url_username": url_username,
            "url_password": url_password,
            "http_agent": http_agent,
            "force_basic_auth": force_basic_auth,
            "follow_redirects": follow_redirects,
            "client_cert": client_cert,
            "client_key": client_key,
            "unix_socket": unix_socket,
            "ca_path": ca_path,
            "unredirected_headers": unredirected_headers,
            "decompress": decompress,
            "ciphers": ciphers,
            "use_netrc": use_netrc,
        }
        self.cookies = cookies if cookies is not None else cookiejar.CookieJar()
        self.context = context

    def __getattr__(self, name):
        defaults = self.__dict__.get("defaults", {})
        if name in defaults:
            return defaults[name]
        raise AttributeError("%r has no attribute %r" % (type(self).__name__, name))

    def open(self, method, url, data=None, headers=None, last_mod_time=None, use_gssapi=False, cookies=None, **given):
        """Give the answer, a stream with `headers` and `code`.

        Raises urllib's HTTPError and URLError, SSLValidationError, ConnectionError, ValueError.
        """
        options = dict(self.defaults)
        options.update({name: value for name, value in given.items() if value is not None})
        sent = dict(self.headers)
        sent.update(headers or {})
        if use_gssapi:
            raise MissingModuleError(missing_required_lib("gssapi"), None, module="gssapi")
        if options["force"]:
            sent.setdefault("cache-control", "no-cache")
        elif last_mod_time is not None:
            sent.setdefault("If-Modified-Since", email.utils.format_datetime(last_mod_time, usegmt=True))
        request = ours.Request(
            url,
            method=method.upper(),
            data=to_bytes(data, nonstring="passthru"),
            headers=sent,
            timeout=options["timeout"],
            username=options["url_username"],
            password=options["url_password"],
            force_basic=options["force_basic_auth"],
            validate_certs=options["validate_certs"],
            use_proxy=options["use_proxy"],
            use_netrc=options["use_netrc"],
            agent=options["http_agent"] or "ansible-httpget",
            client_cert=options["client_cert"],
            client_key=options["client_key"],
            ca_path=options["ca_path"],
            ciphers=options["ciphers"],
            follow=options["follow_redirects"],
            unix_socket=options["unix_socket"],
            unredirected=tuple(options["unredirected_headers"] or ()),
            decompress=options["decompress"],
            handlers=(urllib_request.HTTPCookieProcessor(self.cookies if cookies is None else cookies),),
            context=self.context,
        )
        return _answer(request)

    def get(self, url, **kwargs):
        """Ask for a URL."""
        return self.open("GET", url, **kwargs)

    def options(self, url, **kwargs):
        """Ask what may be done."""
        return self.open("OPTIONS", url, **kwargs)

    def head(self, url, **kwargs):
        """Ask for the headers alone."""
        return self.open("HEAD", url, **kwargs)

    def post(self, url, data=None, **kwargs):
        """Send data."""
        return self.open("POST", url, data=data, **kwargs)

    def put(self, url, data=None, **kwargs):
        """Send data that is to stand there."""
        return self.open("PUT", url, data=data, **kwargs)

    def patch(self, url, data=None, **kwargs):
        """Send a change."""
        return self.open("PATCH", url, data=data, **kwargs)

    def delete(self, url, **kwargs):
        """Have something removed."""
        return self.open("DELETE", url, **kwargs)


def _answer(request):
    """Give the answer to a request; what went wrong is raised as importers expect it."""
    try:
        answer = ours.open_url(request)
    except ours.RequestFailed as failed:
        cause = failed.__cause__
        if isinstance(cause, HTTPError):
            raise cause from None
        reason = getattr(cause, "reason", cause)
        if isinstance(reason, ssl.SSLError) and "CERTIFICATE_VERIFY_FAILED" in str(reason):
            raise SSLValidationError("the certificate of %s is not trusted: %s" % (request.host, reason)) from cause
        if isinstance(cause, URLError):
            raise cause from None
        if isinstance(cause, ValueError):
            raise ValueError(str(cause)) from None
        raise URLError(reason if reason is not None else str(failed)) from None
    packed = request.decompress and (answer.headers.get("Content-Encoding") or "").lower() == "gzip"
    return _Unpacked(answer) if packed else answer


class _Unpacked:
    """An answer whose content came packed: all of it is the answer's, but the content."""

    def __init__(self, answer):
        self._answer = answer
        self._stream = ours.body(answer)
        del answer.headers["Content-Encoding"]
        del answer.headers["Content-Length"]

    def __getattr__(self, name):
        return getattr(self._answer, name)

    def __enter__(self):
        return self

    def __exit__(self, *about):
        self.close()

    def __iter__(self):
        return iter(self._stream)

    def read(self, size=-1):
        """Give content."""
        return self._stream.read(size)

    def readline(self, size=-1):
        """Give a line."""
        return self._stream.readline(size)

    def close(self):
        """Close the connection."""
        self._answer.close()


def open_url(url, data=None, headers=None, method=None, **kwargs):
    """Give the answer to one request; see Request.open."""
    return Request().open(method or ("POST" if data else "GET"), url, data=data, headers=headers, **kwargs)


def prepare_multipart(fields):
    """Give (content type, content) of a form. Raises TypeError for fields that are none, ValueError."""
    if not isinstance(fields, dict):
        raise TypeError("the fields of a form are a mapping, not %r" % type(fields))
    for name, field in fields.items():
        if not isinstance(field, (str, bytes, dict)):
            raise TypeError("the field %s must be text or a mapping, not %r" % (name, type(field)))
    return forms.multipart({name: to_text(field, nonstring="passthru") for name, field in fields.items()})


def basic_auth_header(username, password):
    """Give the value of an Authorization header."""
    pair = "%s:%s" % ("" if username is None else username, "" if password is None else password)
    return b"Basic " + base64.b64encode(to_bytes(pair))


def url_argument_spec():
    """Give the options of modules that fetch."""
    return {
        "url": {"type": "str"},
        "force": {"type": "bool", "default": False},
        "http_agent": {"type": "str", "default": "ansible-httpget"},
        "use_proxy": {"type": "bool", "default": True},
        "validate_certs": {"type": "bool", "default": True},
        "url_username": {"type": "str"},
        "url_password": {"type": "str", "no_log": True},
        "force_basic_auth": {"type": "bool", "default": False},
        "client_cert": {"type": "path"},
        "client_key": {"type": "path"},
        "use_gssapi": {"type": "bool", "default": False},
    }


def fetch_url(
    module,
    url,
    data=None,
    headers=None,
    method=None,
    use_proxy=None,
    force=False,
    last_mod_time=None,
    timeout=10,
    use_gssapi=False,
    unix_socket=None,
    ca_path=None,
    cookies=None,
    unredirected_headers=None,
    decompress=True,
    ciphers=None,
    use_netrc=True,
):
    """Fetch with the module's URL options; gives (answer or None, what is known of it).

    `info`: `url`, `status` (-1 where there was no answer), `msg`, the headers in lower case, `cookies`,
    `cookies_string`, for an error's answer its `body`.
    """
    params = module.params
    jar = cookies if cookies is not None else cookiejar.LWPCookieJar()
    info = {"url": url, "status": -1}
    if use_proxy is None:
        use_proxy = params.get("use_proxy", True)
    follow = params.get("follow_redirects", "urllib2")
    try:
        answer = open_url(
            url,
            data=data,
            headers=headers,
            method=method,
            use_proxy=use_proxy,
            force=force,
            last_mod_time=last_mod_time,
            timeout=timeout,
            validate_certs=params.get("validate_certs", True),
            url_username=params.get("url_username", ""),
            url_password=params.get("url_password", "") or None,
            http_agent=params.get("http_agent", "ansible-httpget"),
            force_basic_auth=params.get("force_basic_auth", ""),
            follow_redirects=follow,
            client_cert=params.get("client_cert"),
            client_key=params.get("client_key"),
            cookies=jar,
            use_gssapi=params.get("use_gssapi", use_gssapi),
            unix_socket=unix_socket,
            ca_path=ca_path,
            unredirected_headers=unredirected_headers,
            decompress=decompress,
            ciphers=ciphers,
            use_netrc=use_netrc,
        )
    except NoSSLError as error:
        module.fail_json(msg=to_native(error), **info)
    except (ConnectionError, ValueError) as error:
        module.fail_json(msg=to_native(error), **info)
    except MissingModuleError as error:
        module.fail_json(msg=to_text(error), exception=error.import_traceback)
    except HTTPError as error:
        return error, _error_info(error, info)
    except URLError as error:
        code = int(getattr(error, "code", -1))
        info.update(msg="Request failed: %s" % to_native(error), status=code)
    except OSError as error:
        info.update(msg="Connection failure: %s" % to_native(error), status=-1)
    except http.client.BadStatusLine as error:
        info.update(msg="the server closed the connection: %s" % to_native(error.line), status=-1)
    except Exception as error:
        info.update(msg="the request failed: %s" % to_native(error), exception=traceback.format_exc(), status=-1)
    else:
        _fill(info, answer)
        pairs = ["%s=%s" % (cookie.name, cookie.value) for cookie in jar]
        info.update(cookies={cookie.name: cookie.value for cookie in jar}, cookies_string="; ".join(pairs))
        size = answer.headers.get("Content-Length", "unknown")
        info.update(msg="OK (%s bytes)" % size, url=answer.geturl(), status=answer.code)
        return answer, info
    return None, info


def _fill(info, answer):
    """Add the headers of an answer, those of one name joined by commas."""
    for name, value in answer.headers.items():
        key = name.lower()
        info[key] = "%s, %s" % (info[key], value) if key in info and key != "url" else value


def _error_info(error, info):
    try:
        body = error.read() if error.fp is not None else b""
    except (AttributeError, OSError):
        body = b""
    _fill(info, error)
    info.update(msg=to_native(error), body=body, status=error.code)
    return info


def _suffixed_name(url):
    parts = os.path.basename(urlparse(url).path).rsplit(".", 1)
    return parts[0], "." + parts[1] if len(parts) > 1 else ""


def fetch_file(
    module,
    url,
    data=None,
    headers=None,
    method=None,
    use_proxy=True,
    force=False,
    last_mod_time=None,
    timeout=10,
    unredirected_headers=None,
    decompress=True,
    ciphers=None,
):
    """Fetch into a file that is removed when the module ends; gives its path."""
    stem, suffix = _suffixed_name(url)
    file = tempfile.NamedTemporaryFile(dir=module.tmpdir, prefix=stem, suffix=suffix, delete=False)  # noqa: SIM115  # below
    module.add_cleanup_file(file.name)
    with file:
        answer, info = fetch_url(
            module, url, data, headers, method, use_proxy, force, last_mod_time, timeout,
            unredirected_headers=unredirected_headers, decompress=decompress, ciphers=ciphers,
        )  # fmt: skip
        if answer is None or info["status"] >= 400:
            module.fail_json(msg="cannot fetch %s: %s" % (url, info["msg"]))
        for block in iter(lambda: answer.read(65536), b""):
            file.write(block)
    return file.name


def get_response_filename(response):
    """Give the name that an answer has for its content: the header's, else the URL's; None for neither."""
    header = response.headers.get("Content-Disposition")
    if header:
        message = email.message.Message()
        message["Content-Disposition"] = header
        name = message.get_filename()
        if name:
            return os.path.basename(name)
    return os.path.basename(unquote(urlparse(response.geturl()).path)) or None


def parse_content_type(response):
    """Give (type, main type, sub-type, character set) of an answer."""
    message = response.headers
    kind = message.get_content_type()
    main, _, sub = kind.partition("/")
    return kind, main, sub, message.get_param("charset") or "utf-8"


def rfc2822_date_string(timetuple, zone="-0000"):
    """Give a time as mail and HTTP write it."""
    return "%s %s" % (email.utils.format_datetime(_moment(timetuple)).rsplit(" ", 1)[0], zone)


def _moment(timetuple):
    import datetime  # noqa: PLC0415  # rarely needed

    return datetime.datetime(*timetuple[:6])  # noqa: DTZ001  # the zone is the caller's


def extract_pem_certs(data):
    """Give the certificates in text, each with its first and last line."""
    pattern = r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----"
    return (match.group() for match in re.finditer(pattern, to_text(data), re.DOTALL))


def make_context(cafile=None, cadata=None, capath=None, ciphers=None, validate_certs=True, **files):
    """Give a TLS context."""
    context = ssl.create_default_context(cafile=cafile, cadata=cadata, capath=capath)
    if not validate_certs:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    if files.get("client_cert"):
        context.load_cert_chain(files["client_cert"], files.get("client_key"))
    if ciphers:
        context.set_ciphers(":".join(ciphers))
    return context
