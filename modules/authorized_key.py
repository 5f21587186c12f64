"""Keep the SSH keys that may log in as a user."""

import os
import pwd
import re

from pyplay.remote.module_utils import files

OPTIONS = {
    "options": {
        "user": {"type": "str", "required": True, "doc": "Whose file it is."},
        "key": {"type": "str", "required": True, "doc": "Public keys, one a line, or a URL of such a text."},
        "state": {"type": "str", "default": "present", "choices": ["absent", "present"], "doc": "Shall they be there?"},
        "path": {"type": "path", "doc": "The file; ~/.ssh/authorized_keys of the user if unset."},
        "manage_dir": {"type": "bool", "default": True, "doc": "Make the directory, and set its owner and mode."},
        "key_options": {"type": "str", "doc": "Options to put before the key."},
        "exclusive": {"type": "bool", "default": False, "doc": "Remove all other keys."},
        "comment": {"type": "str", "doc": "Comment for the key, in place of its own."},
        "validate_certs": {"type": "bool", "default": True, "doc": "Check the server's certificate, for a URL."},
        "follow": {"type": "bool", "default": False, "doc": "Follow a link as path, not replace it."},
    },
    "check_mode": "full",
    "diff": True,
    "identity": ["user", "path", "key"],
    "absent_undoes": True,
    "platforms": "posix",
    "returns": {"keyfile": "The file.", "key": "The keys.", "exclusive": "As the option."},
}

_KINDS = re.compile(r"(ssh-|ecdsa-|sk-)[\w@.-]+$")


class Key:
    """One line of an authorized_keys file: options, kind, data, comment."""

    __slots__ = ("comment", "data", "kind", "options")

    def __init__(self, options, kind, data, comment):
        """Take the four parts; options and comment may be empty."""
        self.options, self.kind, self.data, self.comment = options, kind, data, comment

    def line(self):
        """Give the line."""
        return " ".join(part for part in (self.options, self.kind, self.data, self.comment) if part)


def words_of(line):
    """Split a line at blanks that stand outside of quotes."""
    return re.findall(r'(?:[^\s"\\]|\\.|"(?:\\.|[^"\\])*")+', line)


def parse(line):
    """Read a line; gives None for comments, empty lines and what is no key. Source: sshd(8)."""
    if not line.strip() or line.lstrip().startswith("#"):
        return None
    words = words_of(line)
    for index, word in enumerate(words[:-1]):
        if _KINDS.match(word):
            rest = line.split(words[index + 1], 1)[1].strip()
            return Key(" ".join(words[:index]), word, words[index + 1], rest)
    return None


def location(module):
    """Give the file, and the user's entry."""
    args = module.args
    try:
        entry = pwd.getpwnam(args["user"])
    except KeyError:
        if module.check_mode and args["path"] is not None:
            return args["path"], None
        module.fail("there is no user %s" % args["user"])
    path = args["path"] or os.path.join(entry.pw_dir, ".ssh", "authorized_keys")
    return (os.path.realpath(path) if args["follow"] else path), entry


def asked_keys(module):
    """Give the keys of the option, fetched where it is a URL."""
    args = module.args
    text = args["key"]
    if text.startswith(("http://", "https://", "ftp://", "file://")):
        from pyplay.remote.module_utils import urls  # noqa: PLC0415  # most keys are given

        try:
            request = urls.Request(text, validate_certs=args["validate_certs"])
            text = urls.content(request).decode("utf-8", "replace")
        except (urls.RequestFailed, OSError) as error:
            module.fail("cannot fetch %s: %s" % (args["key"], error))
    found = []
    for line in text.splitlines():
        key = parse(line)
        if key is None:
            if line.strip() and not line.lstrip().startswith("#"):
                module.fail("this is no public key: %s" % line)
            continue
        if args["key_options"] is not None:
            key.options = args["key_options"]
        if args["comment"] is not None:
            key.comment = args["comment"]
        found.append(key)
    return found


def edit(lines, asked, args):
    """Give the new lines of the file."""
    have = [(line, parse(line)) for line in lines]
    wanted = {(key.kind, key.data): key for key in asked}
    result, seen = [], set()
    for line, key in have:
        identity = (key.kind, key.data) if key is not None else None
        if key is None:
            result.append(line)
        elif identity in wanted:
            if args["state"] == "absent" or identity in seen:
                continue
            seen.add(identity)
            new = wanted[identity]
            same = new.options == key.options or (args["key_options"] is None and not new.options)
            same = same and (args["comment"] is None or new.comment == key.comment)
            result.append(line if same else new.line())
        elif not args["exclusive"] or args["state"] == "absent":
            result.append(line)
    if args["state"] == "present":
        result += [key.line() for identity, key in wanted.items() if identity not in seen]
    return result


def prepare_directory(module, path, entry):
    """Make the directory of the file, with its owner and mode; tells whether that changes anything."""
    directory = os.path.dirname(path)
    attributes = files.Wanted(owner=entry.pw_uid, group=entry.pw_gid, mode=0o700)
    if not os.path.isdir(directory):
        if not module.check_mode:
            for made in files.make_directories(directory, 0o700):
                files.apply(made, attributes, False)
        return True
    return bool(files.apply(directory, attributes, module.check_mode))


def run(module):
    """Bring the keys into the wanted state."""
    args = module.args
    path, entry = location(module)
    asked = asked_keys(module)
    try:
        before = files.read_bytes(path).decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        before = ""
    except OSError as error:
        module.fail("cannot read %s: %s" % (path, error.strerror or error))
    lines = edit(before.splitlines(), asked, args)
    after = "".join(line + "\n" for line in lines)
    changed = lines != before.splitlines()
    if entry is not None and args["manage_dir"] and args["state"] == "present":
        changed = prepare_directory(module, path, entry) or changed
    attributes = files.Wanted(mode=0o600)
    if entry is not None:
        attributes = files.Wanted(owner=entry.pw_uid, group=entry.pw_gid, mode=0o600)
    if lines != before.splitlines() and not module.check_mode:
        data = after.encode("utf-8", "surrogateescape")
        with files.Replacement(path, attributes, follow=args["follow"]) as new:
            new.write(data)
            new.commit()
    elif os.path.exists(path) and args["state"] == "present":
        changed = bool(files.apply(os.path.realpath(path), attributes, module.check_mode, path)) or changed
    result = dict(args, changed=changed, keyfile=path)
    if args["path"] and os.path.exists(args["path"]):
        result.update(files.describe(args["path"]))
    if module.diff and after != before:
        result["diff"] = {"before": before, "after": after, "before_header": path, "after_header": path}
    return result


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
