"""Put a file in place: its content from the controller, or from another file of the host.

Only what differs is sent and written. A directory is copied with all that is in it; with a `/` at the end of `src`,
only what is in it.
"""

# The controller's half of copy and template calls this with `checksum` (SHA-1 of the content), `_size`, `_name` (what a
# directory as `dest` shall have it as) and offers the content under the name `src`; it is asked for only where the file
# differs. Run by hand it takes `content`, or `src` as a file of this host.

import os
import stat

from pyplay.remote.module_utils import channel, files

OPTIONS = {
    "options": {
        "src": {
            "type": "path",
            "blank_unset": True,
            "doc": "The file to copy, on the controller, or on the host with `remote_src`.",
        },
        "content": {"type": "str", "hidden": True, "doc": "The content itself, in place of `src`."},
        "dest": {"type": "path", "required": True, "doc": "Where to put it; a trailing / means into that directory."},
        "remote_src": {"type": "bool", "default": False, "doc": "`src` is a file or directory of the host."},
        "backup": {"type": "bool", "default": False, "doc": "Keep a copy of a file that is replaced."},
        "force": {"type": "bool", "default": True, "doc": "Replace a file that differs; if false, only make new ones."},
        "validate": {"type": "str", "doc": "Program that judges the new file, %s being its path."},
        "directory_mode": {"type": "raw", "doc": "Mode of directories that are made on the way."},
        "follow": {"type": "bool", "default": False, "doc": "Where `dest` is a link, replace what it leads to."},
        "local_follow": {
            "type": "bool",
            "doc": "Copy what links in `src` lead to; if unset, true from the controller, false on the host.",
        },
        "checksum": {"type": "str", "doc": "SHA-1 that the content must have."},
        "decrypt": {"type": "bool", "default": True, "doc": "The controller decrypts a vault file as `src`."},
        "_name": {"type": "str", "doc": "Name of the file where `dest` is a directory."},
        "_size": {"type": "int", "doc": "Size of the content in bytes."},
        "_diff_limit": {"type": "int", "doc": "Contents of more bytes are not shown in a diff; none: all are."},
        "_source": {"type": "str", "doc": "What a diff shall call the source."},
    },
    "mutually_exclusive": [["src", "content"]],
    "file_options": True,
    "check_mode": "full",
    "diff": True,
    "identity": ["dest"],
    "absent_undoes": False,
    "platforms": "posix",
    "shared": ["validate"],
    "returns": {
        "dest": "The file that was written.",
        "src": "Where the content came from.",
        "checksum": "SHA-1 of the content.",
        "md5sum": "MD5 of the content, where the host allows it.",
        "backup_file": "The copy of what was there.",
    },
}


class Source:
    """Where the content comes from: `pieces()` gives it, `checksum` and `size` say what it is (None: not known)."""

    def __init__(self, args):
        """Choose between the text in the arguments, a file of this host, and the controller."""
        self.text = None if args["content"] is None else args["content"].encode("utf-8", "surrogateescape")
        self.path = None
        if self.text is None and (args["remote_src"] or not channel.connected()):
            self.path = args["src"]
        self.expected = args["checksum"]
        self.checksum = args["checksum"]
        self.size = args["_size"]
        if self.text is not None:
            self.checksum, self.size = files.digest_of(self.text), len(self.text)
        elif self.path is not None:
            self.checksum, self.size = files.checksum(self.path), os.path.getsize(self.path)

    def pieces(self):
        """Give the content in pieces. Raises KeyError where the controller has none, OSError."""
        if self.text is not None:
            return [self.text]
        if self.path is not None:
            return self._read()
        return channel.request_blob("src")

    def _read(self):
        with open(self.path, "rb", buffering=0) as stream:
            for block in iter(lambda: stream.read(files.CHUNK), b""):
                yield block


def side(prefix, data, header, limit):
    """Give one side of a content diff; what cannot be shown is told by a key that reporters know."""
    if data is None:
        return {prefix[0] + "_larger": limit}
    if b"\0" in data:
        return {prefix[0] + "_binary": 1}
    return {prefix[1]: data.decode("utf-8", "backslashreplace"), prefix[1] + "_header": header}


def content_diff(module, source, path, target, exists):
    """Give the diff between the file that is there (`path`, called `target`) and the new content."""
    old, limit = b"", module.args["_diff_limit"]
    if exists:
        old = files.read_bytes(path) if not limit or os.path.getsize(path) <= limit else None
    new = None
    if not limit or source.size is None or source.size <= limit:
        new = b"".join(source.pieces())
    diff = side(("dst", "before"), old, target if exists else "", limit)
    if not exists:
        diff.pop("before_header", None)
    diff.update(side(("src", "after"), new, module.args["_source"] or target, limit))
    return diff


def destination(module, name):
    """Give the path of the file to write; makes the directories that a trailing / asks for."""
    dest = module.args["dest"]
    if dest.endswith("/") or os.path.isdir(dest):
        if not name:
            module.fail("dest %s is a directory, and the content has no name there" % dest)
        if not os.path.isdir(dest):
            if os.path.lexists(dest.rstrip("/")):
                module.fail("%s is there already and is not a directory" % dest)
            if not module.check_mode:
                make_parents(module, dest)
            return os.path.join(dest, name)
        return os.path.join(dest, name)
    parent = os.path.dirname(dest)
    if parent and not os.path.isdir(parent) and not module.check_mode:
        module.fail("the destination directory %s is not there" % parent, checksum=module.args["checksum"])
    return dest


def make_parents(module, path, mode=None):
    """Make a directory, with `directory_mode` or else `mode`, and its parents; all with the wanted owner."""
    wanted = files.Wanted.from_args(module.args).but(mode=module.args["directory_mode"])
    try:
        made = files.make_directories(path.rstrip("/"))
        for directory in made:
            last = directory == made[-1] and not wanted.mode
            files.apply(directory, wanted.but(mode=mode) if last else wanted, False)
    except OSError as error:
        module.fail("cannot make the directory %s: %s" % (path, error.strerror or error))


def put(module, source, path, wanted):
    """Write the content to `path` where it differs; gives the result for this file."""
    args = module.args
    told = path
    if args["follow"] and os.path.exists(path):  # a link that leads nowhere is replaced
        path = os.path.realpath(path)
    link, exists, regular = os.path.islink(path), os.path.lexists(path), os.path.isfile(path)
    if os.path.isdir(path):
        module.fail("cannot replace the directory %s by a file" % path)
    result = {"dest": path, "changed": False}
    if args["src"] or source.path:
        result["src"] = args["src"] or source.path
    if exists and not args["force"]:
        return dict(result, msg="there is a file already, and force is off") if source.path else result
    result["checksum"] = source.checksum
    if regular and not link and _checksum(module, path) == source.checksum:
        return _attributes_alone(module, source, path, wanted, result)
    result["changed"] = True
    if module.diff:
        result["diff"] = [content_diff(module, source, path, told, regular)]
    if module.check_mode:
        changes = _predict(path, wanted)
        if regular:
            result.update(files.describe(path))
            _add_attributes(result, changes, path)
        if source.path:
            result["md5sum"] = files.md5_or_none(source.path)
        return result
    if regular and args["backup"]:
        result["backup_file"] = files.backup(path)
    changes = _write(module, source, path, wanted, link)
    if regular:
        _add_attributes(result, changes, path)
    result.update(files.describe(path), md5sum=files.md5_or_none(path))
    return result


def _add_attributes(result, changes, path):
    """Put into the diff of a file's content what changes of its attributes, too."""
    if changes and "diff" in result:
        result["diff"].append({"before": dict(changes.before, path=path), "after": dict(changes.after, path=path)})


def _attributes_alone(module, source, path, wanted, result):
    """Set the attributes of a file that has the content already; gives the result."""
    changes = files.apply(path, wanted, module.check_mode)
    result.update(files.describe(path), changed=bool(changes))
    if source.path:
        result["md5sum"] = files.md5_or_none(path)
    else:
        result.pop("src", None)
        result["path"] = path
    if changes or not source.path:
        result["diff"] = {"before": dict(changes.before, path=path), "after": dict(changes.after, path=path)}
    return result


def _checksum(module, path):
    try:
        return files.checksum(path)
    except OSError as error:
        return module.fail("cannot read %s: %s" % (path, error.strerror or error), path=path)


def _predict(path, wanted):
    """Find out in check mode whether the attributes could be set, and what would change."""
    target = os.path.realpath(path)
    if os.path.exists(target):
        return files.apply(target, wanted, True, path)
    mode = stat.S_IFREG | 0o666 & ~files.current_umask()
    return files.predict(os.stat_result((mode, 0, 0, 1, os.geteuid(), os.getegid(), 0, 0, 0, 0)), wanted, path)


def _write(module, source, path, wanted, link):
    with files.Replacement(path, wanted, follow=not link) as new:
        try:
            for piece in source.pieces():
                new.write(piece)
        except KeyError:
            module.fail("there is no content for %s: give src or content" % path)
        except OSError as error:
            module.fail("cannot write %s: %s" % (path, error.strerror or error))
        if source.expected and new.checksum != source.expected:
            module.fail(
                "the content of %s has the checksum %s, not %s" % (path, new.checksum, source.expected),
                checksum=new.checksum,
            )
        new.validate(module.args["validate"])
        return new.commit()


def copy_tree(module, source, target):
    """Bring a directory of the host to another place; gives whether anything changed (there)."""
    wanted = files.Wanted.from_args(module.args)
    below = wanted.but(mode=module.args["directory_mode"] or None)
    follow = bool(module.args["local_follow"])
    changed = False
    for base, directories, names in os.walk(source, followlinks=follow):
        directories.sort()
        inside = os.path.normpath(os.path.join(target, os.path.relpath(base, source)))
        if not os.path.isdir(inside):
            changed = True
            if not module.check_mode:
                make_parents(module, inside, stat.S_IMODE(os.stat(base).st_mode))
        elif inside != target:
            changed = bool(files.apply(inside, below, module.check_mode)) or changed
        links = [] if follow else [name for name in directories if os.path.islink(os.path.join(base, name))]
        for name in sorted(names) + links:
            changed = (
                _copy_entry(module, os.path.join(base, name), os.path.join(inside, name), wanted, follow) or changed
            )
    return changed


def _copy_entry(module, source, target, wanted, follow):
    if os.path.islink(source) and not follow:
        text = os.readlink(source)
        if os.path.islink(target) and os.readlink(target) == text:
            return False
        if not module.check_mode:
            if os.path.lexists(target):
                os.unlink(target)
            os.symlink(text, target)
        return True
    if not os.path.isfile(source):
        return False
    args = dict(module.args, content=None, remote_src=True, src=source, checksum=None)
    if wanted.mode == "preserve" or (wanted.mode is None and not os.path.exists(target)):
        wanted = wanted.but(mode=stat.S_IMODE(os.stat(source).st_mode))
    return put(module, Source(args), target, wanted)["changed"]


def remote_source(module):
    """Copy a file or directory of the host."""
    args = module.args
    src = args["src"]
    if src is None:
        module.fail("remote_src needs src")
    if not os.path.exists(src):
        module.fail("there is no %s on the host to copy from" % src)
    if not os.access(src, os.R_OK):
        module.fail("%s cannot be read" % src)
    if os.path.isdir(src):
        dest = args["dest"]
        if os.path.lexists(dest) and not os.path.isdir(dest):
            module.fail("cannot copy the directory %s over the file %s" % (src, dest))
        target = dest.rstrip("/") or "/"
        if not os.path.isdir(os.path.dirname(target)) and not dest.endswith("/"):
            module.fail("the destination directory %s is not there" % os.path.dirname(target))
        if not src.endswith("/"):
            target = os.path.join(target, os.path.basename(src))
        real, inside = os.path.realpath(src), os.path.realpath(target)
        if (inside + "/").startswith(real + "/"):
            module.fail("cannot copy the directory %s into itself" % src)
        told = target if os.path.isdir(dest) and not src.endswith("/") else dest
        changed = copy_tree(module, src, target)
        return dict(files.describe(told), src=src, dest=told, changed=changed, checksum=None, md5sum=None)
    path = destination(module, os.path.basename(src))
    wanted = files.Wanted.from_args(args)
    if wanted.mode == "preserve":
        wanted = wanted.but(mode=stat.S_IMODE(os.stat(src).st_mode))
    source = Source(args)
    if source.expected and source.checksum != args["checksum"]:
        module.fail(
            "%s has the checksum %s, not %s" % (src, source.checksum, args["checksum"]), checksum=source.checksum
        )
    return put(module, source, path, wanted)


def run(module):
    """Put the file in place."""
    args = module.args
    if args["remote_src"] and args["content"] is None:
        try:
            return remote_source(module)
        except OSError as error:
            module.fail("cannot copy %s: %s" % (args["src"], error))
    if args["src"] is None and args["content"] is None and args["checksum"] is None:
        module.fail("one of src and content is required")
    path = destination(module, args["_name"] or os.path.basename(args["src"] or ""))
    try:
        source = Source(args)
    except OSError as error:
        module.fail("cannot read %s: %s" % (args["src"], error.strerror or error))
    return put(module, source, path, files.Wanted.from_args(args))


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
