"""Keep the keys of SSH servers in a known_hosts file."""

import base64
import hashlib
import hmac
import os
import re

from pyplay.remote.module_utils import files

OPTIONS = {
    "options": {
        "name": {
            "type": "str",
            "required": True,
            "aliases": ["host"],
            "doc": "The server, as [name]:port where it has one.",
        },
        "key": {"type": "str", "doc": "Its line: names, kind and key, as ssh-keyscan prints it."},
        "path": {"type": "path", "default": "~/.ssh/known_hosts", "doc": "The file."},
        "hash_host": {"type": "bool", "default": False, "doc": "Write the name hashed."},
        "state": {"type": "str", "default": "present", "choices": ["absent", "present"], "doc": "Shall it be there?"},
    },
    "required_if": [["state", "present", ["key"]]],
    "check_mode": "full",
    "diff": True,
    "identity": ["name", "path"],
    "absent_undoes": True,
    "platforms": "posix",
    "returns": {"name": "The server.", "key": "The key.", "path": "The file."},
}

_KINDS = re.compile(r"(ssh-|ecdsa-|sk-)[\w@.-]+$")


def fits(pattern, name):
    """Tell whether the first field of a line means the server: a list of names, or one that is hashed.

    Source: sshd(8), SSH_KNOWN_HOSTS FILE FORMAT: |1|salt|HMAC-SHA1 of the name|.
    """
    if pattern.startswith("|1|"):
        try:
            salt, digest = (base64.b64decode(part) for part in pattern[3:].split("|")[:2])
        except ValueError:
            return False
        return hmac.compare_digest(hmac.new(salt, name.encode(), hashlib.sha1).digest(), digest)
    return name.lower() in pattern.lower().split(",")


def hashed(name):
    """Give a server's name hashed with a new salt."""
    salt = os.urandom(20)
    digest = hmac.new(salt, name.encode(), hashlib.sha1).digest()
    return "|1|%s|%s" % (base64.b64encode(salt).decode(), base64.b64encode(digest).decode())


def parse(line):
    """Split a line into marker, names, kind, key; None for comments and what is no key."""
    words = line.split()
    if not words or words[0].startswith("#"):
        return None
    marker = words.pop(0) if words[0].startswith("@") else ""
    if len(words) < 3 or not _KINDS.match(words[1]):
        return None
    return marker, words[0], words[1], words[2]


def asked(module):
    """Give (line, kind, key) of the option key; fails where it is not a line for this server."""
    name, text = module.args["name"], module.args["key"].strip()
    found = parse(text)
    if found is None:
        module.fail("key must be a line of a known_hosts file: names, kind and key", rc=1)
    if not fits(found[1], name):
        module.fail("the key is for %s, not for %s" % (found[1], name), rc=1)
    words = text.split(None, 2 if found[0] else 1)
    if module.args["hash_host"] and not found[1].startswith("|1|"):
        text = " ".join(([found[0]] if found[0] else []) + [hashed(name), words[-1]])
    return text, found[2], found[3]


def edit(module, lines):
    """Give the new lines of the file."""
    args = module.args
    if args["state"] == "absent":
        kind = key = None
        if args["key"]:
            _, kind, key = asked(module)
        return [line for line in lines if not _is(line, args["name"], kind, key)]
    text, kind, key = asked(module)
    result, done = [], False
    for line in lines:
        if not _is(line, args["name"], kind, None):
            result.append(line)
            continue
        parts = parse(line)
        right = parts[3] == key and parts[1].startswith("|1|") == args["hash_host"]
        if right and not done:
            result.append(line)
            done = True
    return result if done else result + [text]


def _is(line, name, kind, key):
    parts = parse(line)
    if parts is None or not fits(parts[1], name):
        return False
    return (kind is None or parts[2] == kind) and (key is None or parts[3] == key)


def run(module):
    """Bring the key into the wanted state."""
    args = module.args
    path = args["path"]
    there = True
    try:
        before = files.read_bytes(path).decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        before, there = "", False
    except OSError as error:
        module.fail("cannot read %s: %s" % (path, error.strerror or error))
    lines = before.splitlines()
    new = edit(module, lines)
    changed = new != lines
    after = "".join(line + "\n" for line in new)
    if changed and not module.check_mode:
        files.make_directories(os.path.dirname(os.path.abspath(path)), 0o700)
        files.replace_content(path, after.encode("utf-8", "surrogateescape"))
    result = {"changed": changed, "name": args["name"], "key": args["key"], "path": path, "state": args["state"]}
    result["hash_host"] = args["hash_host"]
    if module.diff:
        header = path if there else "/dev/null"
        result["diff"] = {"before": before, "after": after, "before_header": header, "after_header": path}
    if os.path.exists(path):
        result.update(files.describe(path))
    return result


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
