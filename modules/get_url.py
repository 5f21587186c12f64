"""Fetch a file from the network."""

import email.utils
import os
import re
import time
import urllib.parse

from pyplay.remote.module_utils import files, urls

OPTIONS = {
    "options": {
        "url": {"type": "str", "required": True, "doc": "What to fetch: http, https, ftp or file."},
        "dest": {"type": "path", "required": True, "doc": "Where to put it; in a directory it keeps its name."},
        "checksum": {
            "type": "str",
            "default": "",
            "doc": "algorithm:digest, or algorithm:URL of a file with digests; a file that fits is not fetched again.",
        },
        "force": {"type": "bool", "default": False, "doc": "Fetch it even if it is there."},
        "backup": {"type": "bool", "default": False, "doc": "Keep a copy of a file that is replaced."},
        "timeout": {"type": "int", "default": 10, "doc": "Seconds to wait for the server."},
        "headers": {"type": "dict", "doc": "Further headers of the request."},
        "url_username": {"type": "str", "aliases": ["username"], "doc": "User for HTTP authentication."},
        "url_password": {"type": "str", "aliases": ["password"], "no_log": True, "doc": "Password for it."},
        "force_basic_auth": {"type": "bool", "default": False, "doc": "Send them at once, not only when asked."},
        "validate_certs": {"type": "bool", "default": True, "doc": "Check the server's certificate."},
        "client_cert": {"type": "path", "doc": "Certificate to present, PEM; may hold the key."},
        "client_key": {"type": "path", "doc": "Its key, PEM."},
        "ciphers": {"type": "list", "elements": "str", "doc": "TLS ciphers, as OpenSSL names them."},
        "decompress": {"type": "bool", "default": True, "doc": "Unpack an answer that came gzip-compressed."},
        "http_agent": {"type": "str", "default": "ansible-httpget", "doc": "The User-Agent header."},
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
        "tmp_dest": {"type": "path", "doc": "Directory for the file while it is fetched."},
    },
    "file_options": True,
    "check_mode": "partial",
    "diff": False,
    "identity": ["dest"],
    "absent_undoes": False,
    "platforms": "posix",
    "returns": {
        "dest": "The file.",
        "url": "What was fetched.",
        "checksum_src": "SHA-1 of what was fetched.",
        "checksum_dest": "SHA-1 of what was there before.",
        "status_code": "HTTP's status.",
        "backup_file": "The copy of what was there.",
        "elapsed": "Seconds that it took.",
    },
}


def request(args, url=None, headers=None):
    """Give the request that the options describe."""
    return urls.request_of(args, url, dict(args["headers"] or {}, **(headers or {})))


def expected_checksum(module, result):
    """Give (algorithm, digest) of the option checksum, ("", "") where it is not given."""
    text = module.args["checksum"].strip()
    if not text:
        return "", ""
    algorithm, colon, digest = (part.strip() for part in text.partition(":"))
    if not colon:
        module.fail("checksum must be algorithm:digest or algorithm:URL, not %r" % text, **result)
    if "://" in digest or digest.startswith("file:"):
        digest = listed_checksum(module, digest)
    digest = re.sub(r"\W+", "", digest).lower()
    if not re.match(r"[0-9a-f]+$", digest):
        module.fail("%r is no digest in hexadecimal" % digest, **result)
    return algorithm.lower(), digest


def listed_checksum(module, url):
    """Find the digest of our file in a file of digests, as sha256sum and its like write them."""
    try:
        text = urls.content(request(module.args, url)).decode("utf-8", "replace")
    except (urls.RequestFailed, OSError) as error:
        module.fail("cannot fetch the checksums %s: %s" % (url, error))
    name = os.path.basename(urllib.parse.unquote(urllib.parse.urlsplit(module.args["url"]).path))
    alone = []
    for line in text.splitlines():
        tagged = re.match(r"[\w-]+ ?\((.+)\) ?= ?([0-9a-fA-F]+)$", line.strip())
        if tagged and os.path.basename(tagged.group(1)) == name:
            return tagged.group(2)
        words = line.split()
        if len(words) == 1:
            alone.append(words[0])
        elif len(words) > 1 and os.path.basename(words[-1].lstrip("*")) == name:
            return words[0]
    if len(alone) == 1:
        return alone[0]
    return module.fail("there is no checksum of %s in %s" % (name, url))


def file_name(url, headers):
    """Give the name for a file that goes into a directory: the server's, else the URL's."""
    disposition = headers.get("Content-Disposition") if headers is not None else None
    if disposition:
        found = re.search(r'filename="?([^";]+)"?', disposition)
        if found:
            return os.path.basename(found.group(1).strip())
    name = os.path.basename(urllib.parse.unquote(urllib.parse.urlsplit(url).path))
    return name or "index.html"


def settle(module, result, dest):
    """Apply owner, mode and the like to the file that is there; gives the result."""
    changes = files.apply(os.path.realpath(dest), files.Wanted.from_args(module.args), module.check_mode, dest)
    result.update(files.describe(dest), changed=result["changed"] or bool(changes))
    return result


def run(module):
    """Fetch the file where it is not there, is newer there, or has another checksum."""
    args = module.args
    start = time.monotonic()
    if args["use_gssapi"]:
        module.fail("use_gssapi needs the Python package gssapi on the host, which modules here do without")
    dest = args["dest"]
    into = os.path.isdir(dest)
    result = {"changed": False, "url": args["url"], "dest": dest, "checksum_dest": None, "checksum_src": None}
    result["elapsed"] = 0
    algorithm, digest = expected_checksum(module, result)
    try:
        if not into and os.path.exists(dest):
            same = bool(digest) and files.checksum(dest, algorithm) == digest
            if not args["force"] and (same or (not digest and not _may_be_newer(args))):
                result["msg"] = "the file is there already"
                return settle(module, result, dest)
    except ValueError:
        module.fail("the host knows no checksum %r" % algorithm)
    headers = {}
    if not into and os.path.exists(dest) and not args["force"] and not digest:
        headers["If-Modified-Since"] = email.utils.formatdate(os.stat(dest).st_mtime, usegmt=True)
    if args["force"]:
        headers["Cache-Control"] = "no-cache"
    return fetch(module, result, request(args, None, headers), (algorithm, digest), start)


def _may_be_newer(args):
    """Tell whether the server can be asked if it has a newer file."""
    return args["url"].lower().startswith(("http:", "https:", "file:", "ftp:"))


def fetch(module, result, asked, expected, start):
    """Fetch, check and put in place."""
    args = module.args
    dest = args["dest"]
    try:
        response = urls.open_url(asked)
    except urls.RequestFailed as error:
        result.update(elapsed=int(time.monotonic() - start), status_code=error.status)
        if error.status == 304:
            result["msg"] = "the server has no newer file"
            return settle(module, result, dest)
        module.fail("cannot fetch %s: %s" % (args["url"], error), **result)
    with response:
        status = getattr(response, "status", None)
        result["status_code"] = status
        if os.path.isdir(dest):
            dest = os.path.join(dest, file_name(response.geturl(), response.headers))
            result["dest"] = dest
            if os.path.exists(dest) and not args["force"] and expected[1] and _fits(module, dest, expected):
                result["msg"] = "the file is there already"
                return settle(module, result, dest)
        if os.path.isdir(dest):
            module.fail("%s is a directory" % dest, **result)
        if os.path.exists(dest):
            result["checksum_dest"] = files.checksum(dest)
        store(module, result, response, dest, expected)
    result["elapsed"] = int(time.monotonic() - start)
    size = result.pop("_size")
    result["msg"] = "%s (%s bytes)" % (
        getattr(response, "reason", None) or "OK",
        response.headers.get("Content-Length", size),
    )
    return settle(module, result, dest)


def _fits(module, path, expected):
    try:
        return files.checksum(path, expected[0]) == expected[1]
    except ValueError:
        return module.fail("the host knows no checksum %r" % expected[0])


class Measure:
    """Stands in a replacement's place in check mode: tells checksum and size of what comes, and writes nothing."""

    def __init__(self):
        """Begin with nothing."""
        import hashlib  # noqa: PLC0415  # used by files already

        self._hash = hashlib.sha1()
        self.size = 0

    def __enter__(self):
        """Give itself."""
        return self

    def __exit__(self, *raised):
        """Nothing is to be put away."""

    @property
    def checksum(self):
        """The SHA-1 of what has come."""
        return self._hash.hexdigest()

    def write(self, block):
        """Take the next bytes."""
        self._hash.update(block)
        self.size += len(block)


def store(module, result, response, dest, expected):
    """Write an answer beside its destination, compare, and put it in place where it differs."""
    import hashlib  # noqa: PLC0415  # used by files already

    args = module.args
    try:
        digest = hashlib.new(expected[0]) if expected[1] else None
    except ValueError:
        module.fail("the host knows no checksum %r" % expected[0])
    holder = os.path.join(args["tmp_dest"], os.path.basename(dest)) if args["tmp_dest"] else dest
    if args["tmp_dest"] and not os.path.isdir(args["tmp_dest"]):
        module.fail("tmp_dest %s is not a directory" % args["tmp_dest"])
    above = os.path.isdir(os.path.dirname(dest) or ".")
    measured = module.check_mode or not above
    with Measure() if measured else files.Replacement(holder, files.Wanted.from_args(args)) as new:
        source = urls.body(response, args["decompress"])
        try:
            for block in iter(lambda: source.read(files.CHUNK), b""):
                new.write(block)
                if digest:
                    digest.update(block)
        except (OSError, EOFError) as error:
            module.fail("cannot fetch %s: %s" % (args["url"], error), **result)
        result["checksum_src"] = new.checksum
        result["_size"] = new.size
        if not above:
            module.fail("the directory of %s is not there" % dest, **_plain(result))
        if digest and digest.hexdigest() != expected[1]:
            module.fail(
                "%s has the checksum %s, not %s" % (args["url"], digest.hexdigest(), expected[1]), **_plain(result)
            )
        if result["checksum_dest"] == new.checksum:
            result["md5sum"] = files.md5_or_none(dest)
            return
        result["changed"] = True
        if module.check_mode:
            return
        if args["backup"] and os.path.exists(dest):
            result["backup_file"] = files.backup(dest)
        if holder == dest:
            new.commit()
        else:
            with files.Replacement(dest, files.Wanted.from_args(args)) as final:
                files.copy_into(new.temporary, final)
                final.commit()
        result["md5sum"] = files.md5_or_none(dest)


def _plain(result):
    return {key: value for key, value in result.items() if not key.startswith("_")}


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
