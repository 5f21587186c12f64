"""Talk to a web service: send a request, check the answer, give its content."""

import http.cookiejar
import json
import os
import time
import urllib.parse
import urllib.request
from email.utils import formatdate

from pyplay.remote.module_utils import channel, files, forms, urls

OLD_FOLLOWS = {"yes": "all", "no": "none"}
OPTIONS = {
    "options": {
        "url": {"type": "str", "required": True, "doc": "The address."},
        "method": {"type": "str", "default": "GET", "doc": "The request's method."},
        "body": {"type": "raw", "doc": "The content to send."},
        "body_format": {
            "type": "str",
            "default": "raw",
            "choices": ["form-urlencoded", "json", "raw", "form-multipart"],
            "doc": "How to write it.",
        },
        "src": {"type": "path", "doc": "A file to send, of the controller or, with remote_src, of the host."},
        "remote_src": {"type": "bool", "default": False, "doc": "`src` is on the host."},
        "headers": {"type": "dict", "default": {}, "doc": "Further headers."},
        "status_code": {"type": "list", "elements": "int", "default": [200], "doc": "The statuses that are success."},
        "return_content": {"type": "bool", "default": False, "doc": "Give the content even if it is not JSON."},
        "dest": {"type": "path", "doc": "File or directory to store the content in."},
        "creates": {"type": "path", "doc": "Do nothing where this exists."},
        "removes": {"type": "path", "doc": "Do nothing where this does not exist."},
        "follow_redirects": {
            "type": "str",
            "default": "safe",
            "choices": ["all", "no", "none", "safe", "urllib2", "yes"],
            "doc": "Which redirects to follow: all, those of GET and HEAD (safe), or none.",
        },
        "timeout": {"type": "int", "default": 30, "doc": "Seconds to wait for the server."},
        "force": {"type": "bool", "default": False, "doc": "Ask caches on the way for a fresh answer."},
        "url_username": {"type": "str", "aliases": ["user"], "doc": "User for HTTP authentication."},
        "url_password": {"type": "str", "aliases": ["password"], "no_log": True, "doc": "Password for it."},
        "force_basic_auth": {"type": "bool", "default": False, "doc": "Send them at once, not only when asked."},
        "validate_certs": {"type": "bool", "default": True, "doc": "Check the server's certificate."},
        "ca_path": {"type": "path", "doc": "Certificates to trust, PEM."},
        "client_cert": {"type": "path", "doc": "Certificate to present, PEM; may hold the key."},
        "client_key": {"type": "path", "doc": "Its key, PEM."},
        "ciphers": {"type": "list", "elements": "str", "doc": "TLS ciphers, as OpenSSL names them."},
        "decompress": {"type": "bool", "default": True, "doc": "Unpack an answer that came gzip-compressed."},
        "http_agent": {"type": "str", "default": "ansible-httpget", "doc": "The User-Agent header."},
        "unix_socket": {"type": "path", "doc": "Connect to this socket, whatever host the address names."},
        "use_proxy": {"type": "bool", "default": True, "doc": "Use the proxy that the environment names."},
        "use_netrc": {"type": "bool", "default": True, "doc": "Look up credentials in ~/.netrc."},
        "use_gssapi": {
            "type": "bool",
            "default": False,
            "doc": "Authenticate with Kerberos (needs the gssapi package).",
        },
        "unredirected_headers": {
            "type": "list",
            "elements": "str",
            "default": [],
            "doc": "Headers that are not sent to where a redirect leads.",
        },
    },
    "mutually_exclusive": [["body", "src"]],
    "file_options": True,
    "check_mode": "none",
    "diff": False,
    "identity": [],
    "absent_undoes": False,
    "platforms": "posix",
    "returns": {
        "status": "HTTP's status.",
        "url": "Where the answer came from.",
        "content": "The content, with return_content.",
        "json": "The content, where it is JSON.",
        "msg": "The status in words.",
        "redirected": "Whether a redirect was followed.",
        "path": "The file that was stored.",
        "elapsed": "Seconds that it took.",
    },
}


NOT_MODIFIED = 304
_OURS = {
    "changed",
    "failed",
    "skipped",
    "rc",
    "msg",
    "json",
    "content",
    "ansible_facts",
    "warnings",
    "exception",
    "diff",
}
_OURS |= {"invocation", "results", "deprecations", "redirected", "elapsed", "status", "url", "path"}


def outgoing(module, headers):
    """Give the content to send; adds its type to `headers`."""
    args = module.args
    if args["src"] is not None:
        return source(module)
    body = args["body"]
    if body is None:
        return None
    kind = args["body_format"]
    named = {name.lower() for name in headers}
    if kind == "json":
        text = body if isinstance(body, str) else json.dumps(body)
        headers.update({} if "content-type" in named else {"Content-Type": "application/json"})
        return text.encode("utf-8")
    if kind == "form-urlencoded":
        headers.update({} if "content-type" in named else {"Content-Type": "application/x-www-form-urlencoded"})
        return form(body).encode("utf-8")
    if kind == "form-multipart":
        try:
            headers["Content-Type"], data = forms.multipart(body)
        except (TypeError, ValueError, OSError) as error:
            module.fail("cannot write the body as a form: %s" % error)
        return data
    return body.encode("utf-8") if isinstance(body, str) else json.dumps(body).encode("utf-8")


def form(body):
    """Give a mapping or pairs as a form's text; text stays."""
    if isinstance(body, str):
        return body
    pairs = body.items() if isinstance(body, dict) else body
    flat = []
    for name, value in pairs:
        flat += [(name, item) for item in (value if isinstance(value, (list, tuple)) else [value])]
    return urllib.parse.urlencode(flat)


def source(module):
    """Give the content of the file to send."""
    path = module.args["src"]
    if not module.args["remote_src"] and channel.connected():
        try:
            return b"".join(channel.request_blob("src"))
        except KeyError:
            module.fail("there is no file %s to send" % path)
    try:
        return files.read_bytes(path)
    except OSError as error:
        return module.fail("cannot read %s: %s" % (path, error.strerror or error))


def store(module, data, response, status):
    """Store the content where it differs from what is there; gives path and whether it did."""
    args = module.args
    path = args["dest"]
    if os.path.isdir(path):
        name = os.path.basename(urllib.parse.unquote(urllib.parse.urlsplit(response.geturl()).path))
        path = os.path.join(path, name or "index.html")
    wanted = files.Wanted.from_args(args)
    if os.path.exists(path) and (status == NOT_MODIFIED or files.checksum(path) == files.digest_of(data)):
        return path, bool(files.apply(os.path.realpath(path), wanted, False, path))
    files.replace_content(path, data, wanted)
    return path, True


def answer(module, response, status, result):
    """Give the result for an answer."""
    args = module.args
    data = urls.body(response, args["decompress"]).read()
    if "Location" in response.headers:
        result["location"] = urllib.parse.urljoin(response.geturl(), response.headers["Location"])
    for name, value in response.headers.items():
        key = name.lower().replace("-", "_")
        if key not in _OURS:  # a server shall not speak for the module
            result.setdefault(key, value)
    result.update(status=status, url=response.geturl())
    kind = response.headers.get_content_type()
    charset = response.headers.get_content_charset() or "utf-8"
    try:
        text = data.decode(charset, "replace")
    except LookupError:
        text = data.decode("utf-8", "replace")
    accepted = status in args["status_code"]
    if args["return_content"] or not accepted:
        result["content"] = text
    if kind.endswith(("/json", "+json", "/javascript")) and text:
        try:
            result["json"] = json.loads(text)
        except ValueError:
            pass
    if status >= 300:
        result["body"] = text
    if args["dest"] and accepted:
        result["path"], result["changed"] = store(module, data, response, status)
        result.update(files.describe(result["path"]))
    return accepted


def run(module):
    """Send the request and judge the answer."""
    args = module.args
    for name, there in (("creates", True), ("removes", False)):
        if args[name] and os.path.exists(args[name]) == there:
            word = "exists" if there else "does not exist"
            return {"changed": False, "skipped": True, "stdout": "skipped, since %s %s" % (args[name], word)}
    if args["use_gssapi"]:
        module.fail("use_gssapi needs the Python package gssapi on the host, which modules here do without")
    headers = {str(name): str(value) for name, value in args["headers"].items()}
    if args["force"]:
        headers["Cache-Control"] = "no-cache"
    if args["follow_redirects"] in OLD_FOLLOWS:
        instead = OLD_FOLLOWS[args["follow_redirects"]]
        text = "'%s' as follow_redirects is deprecated; write %s" % (args["follow_redirects"], instead)
        module.deprecate(text, version="2.22", collection="ansible.builtin")
    if args["dest"] and os.path.isfile(args["dest"]) and not args["force"]:
        headers.setdefault("If-Modified-Since", formatdate(os.path.getmtime(args["dest"]), usegmt=True))
    data = outgoing(module, headers)
    jar = http.cookiejar.CookieJar()
    request = urls.request_of(
        args,
        headers=headers,
        method=args["method"].upper(),
        data=data,
        ca_path=args["ca_path"],
        follow=args["follow_redirects"],
        unix_socket=args["unix_socket"],
        handlers=(urllib.request.HTTPCookieProcessor(jar),),
    )
    start = time.monotonic()
    result = {"changed": False, "redirected": False, "elapsed": 0}
    try:
        response = urls.open_url(request)
        status, msg = response.status, "OK (%s bytes)" % response.headers.get("Content-Length", "unknown")
    except urls.RequestFailed as error:
        result["elapsed"] = int(time.monotonic() - start)
        if error.answer is None:
            module.fail("cannot reach %s: %s" % (args["url"], error), status=-1, url=args["url"], **result)
        response, status, msg = error.answer, error.status, str(error)
    with response:
        accepted = answer(module, response, status, result)
    result.update(elapsed=int(time.monotonic() - start), msg=msg)
    if status < 300:
        result["cookies"] = {cookie.name: cookie.value for cookie in jar}
        result["cookies_string"] = "; ".join("%s=%s" % (cookie.name, cookie.value) for cookie in jar)
    result["redirected"] = result["url"] != request.url
    if not accepted:
        expected = ", ".join(str(code) for code in args["status_code"])
        module.fail("the server answered with status %d, not %s: %s" % (status, expected, msg), **_without_msg(result))
    return result


def _without_msg(result):
    return {key: value for key, value in result.items() if key != "msg"}


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
