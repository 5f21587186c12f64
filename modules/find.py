"""Find files by name, kind, age, size, mode and content."""

import fnmatch
import grp
import locale
import os
import pwd
import re
import stat
import time

from pyplay.remote.module_utils import files, modes
from pyplay.remote.module_utils.status import status_facts

OPTIONS = {
    "options": {
        "paths": {
            "type": "list",
            "elements": "path",
            "required": True,
            "aliases": ["name", "path"],
            "doc": "Directories to look in.",
        },
        "patterns": {
            "type": "list",
            "elements": "str",
            "default": [],
            "aliases": ["pattern"],
            "doc": "Shell patterns (or regular expressions) that the name must fit; all names if empty.",
        },
        "excludes": {
            "type": "list",
            "elements": "str",
            "aliases": ["exclude"],
            "doc": "Patterns that the name must not fit; directories that do are entered all the same.",
        },
        "use_regex": {"type": "bool", "default": False, "doc": "The patterns are regular expressions."},
        "file_type": {
            "type": "str",
            "default": "file",
            "choices": ["any", "directory", "file", "link"],
            "doc": "What to look for.",
        },
        "recurse": {"type": "bool", "default": False, "doc": "Look in the directories below too."},
        "depth": {"type": "int", "doc": "How many levels down; 1 is the directory itself."},
        "follow": {"type": "bool", "default": False, "doc": "Enter links to directories."},
        "hidden": {
            "type": "bool",
            "default": False,
            "doc": "Find names that begin with a dot too; such directories are entered in any case.",
        },
        "age": {"type": "str", "doc": "At least this old (2d, 1w, 30m), or with - at most."},
        "age_stamp": {
            "type": "str",
            "default": "mtime",
            "choices": ["atime", "ctime", "mtime"],
            "doc": "The time that counts.",
        },
        "size": {"type": "str", "doc": "At least this big (10k, 1m), or with - at most; counts for files alone."},
        "mode": {"type": "raw", "doc": "Permissions that the file must have."},
        "exact_mode": {"type": "bool", "default": True, "doc": "Exactly these, else at least."},
        "contains": {
            "type": "str",
            "doc": "Regular expression that a line (from its start) must match; with `file_type: file` alone.",
        },
        "read_whole_file": {"type": "bool", "default": False, "doc": "Search the whole content, not lines."},
        "encoding": {"type": "str", "doc": "Character set of the files for `contains`."},
        "get_checksum": {"type": "bool", "default": False, "doc": "Compute checksums of the files found."},
        "checksum_algorithm": {
            "type": "str",
            "default": "sha1",
            "choices": ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"],
            "aliases": ["checksum", "checksum_algo"],
            "doc": "How.",
        },
        "limit": {"type": "int", "doc": "Stop after so many."},
    },
    "check_mode": "full",
    "diff": False,
    "identity": [],
    "absent_undoes": False,
    "platforms": "posix",
    "returns": {
        "files": "What was found, with the facts of stat.",
        "matched": "How many that are.",
        "examined": "How many were looked at.",
        "skipped_paths": "Directories that could not be looked in, with reasons.",
    },
}

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
_BYTES = {"b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


def amount(module, option, text, units):
    """Read an amount with a unit; gives the number, negative for "at most", None where the option is not given."""
    if text is None:
        return None
    found = re.match(r"(-?\d+)([a-zA-Z]?)\w*$", text.strip())
    unit = found.group(2).lower() if found else ""
    if not found or (unit and unit not in units):
        known = ", ".join(sorted(units))
        module.fail(
            "failed to process %s: %s is no amount with one of the units %s" % (option, text, known), **{option: text}
        )
    return int(found.group(1)) * (units[unit] if unit else 1)


class Filter:
    """What a file must be like."""

    def __init__(self, module):
        """Compile what the options ask for."""
        args = self.args = module.args
        self.now = time.time()
        self.age = amount(module, "age", args["age"], _SECONDS)
        self.size = amount(module, "size", args["size"], _BYTES)
        try:
            self.patterns = self._compile(args["patterns"])
            self.excludes = self._compile(args["excludes"] or ())
            self.contains = None if args["contains"] is None else re.compile(args["contains"])
        except re.error as error:
            module.fail("a pattern is not a regular expression: %s" % error)

    def _compile(self, patterns):
        texts = patterns if self.args["use_regex"] else [fnmatch.translate(pattern) for pattern in patterns]
        return [re.compile(text) for text in texts]

    def name(self, name):
        """Tell whether a name fits."""
        if not self.args["hidden"] and name.startswith("."):
            return False
        if self.patterns and not any(pattern.match(name) for pattern in self.patterns):
            return False
        return not any(pattern.match(name) for pattern in self.excludes)

    def status(self, status):
        """Tell whether kind, age, size and mode fit."""
        args = self.args
        kinds = {"file": stat.S_ISREG, "directory": stat.S_ISDIR, "link": stat.S_ISLNK}
        if args["file_type"] != "any" and not kinds[args["file_type"]](status.st_mode):
            return False
        age = self.now - getattr(status, "st_" + args["age_stamp"])
        if self.age is not None and not (age >= self.age if self.age >= 0 else age <= -self.age):
            return False
        big = self.size is None or (status.st_size >= self.size if self.size >= 0 else status.st_size <= -self.size)
        if stat.S_ISREG(status.st_mode) and not big:
            return False
        if args["mode"] is None:
            return True
        have = stat.S_IMODE(status.st_mode)
        wanted = modes.parse_mode(args["mode"], 0, stat.S_ISDIR(status.st_mode), 0)
        return have == wanted if args["exact_mode"] else have & wanted == wanted

    def content(self, path):
        """Tell whether the content fits. Raises LookupError, UnicodeError where it is not of the encoding."""
        if self.contains is None or self.args["file_type"] != "file":
            return True
        try:
            with open(path, encoding=self.args["encoding"]) as stream:
                if self.args["read_whole_file"]:
                    return bool(self.contains.search(stream.read()))
                return any(self.contains.match(line) for line in stream)
        except OSError:
            return False


def facts(path, status, args):
    """Give what the result says of a file."""
    found = status_facts(path, status)
    for key, look, number in (("pw_name", _user, status.st_uid), ("gr_name", _group, status.st_gid)):
        found[key] = look(number)
    found.update(blocks=status.st_blocks, disk_usage_bytes=status.st_blocks * 512)
    if args["get_checksum"] and found["isreg"]:
        try:
            found["checksum"] = files.checksum(path, args["checksum_algorithm"])
        except OSError:
            found["checksum"] = None
    return found


def decoding_fault(path, encoding, error):
    """Say why the content of `path` is no text of `encoding`."""
    if isinstance(error, LookupError):
        return "unknown encoding: %s" % encoding
    told = encoding or "%s (Python default)" % locale.getpreferredencoding(do_setlocale=False)
    return "Failed to decode the file '%s' with encoding: %s" % (path, told)


def _user(number):
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return ""


def _group(number):
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return ""


class Search:
    """One walk: what was found, how much was looked at, what could not be."""

    def __init__(self, args, wanted):
        """Take the options and the filter."""
        self.args = args
        self.wanted = wanted
        self.found = []
        self.examined = 0
        self.skipped = {}
        self.top = ""

    def full(self):
        """Tell whether the limit is reached."""
        return self.args["limit"] is not None and len(self.found) >= self.args["limit"]

    def walk(self, top):
        """Look in one directory and, with recurse, below."""
        self.top = top
        if not os.path.isdir(top):
            self.skipped[top] = "'%s' is not a directory" % top
            return

        def failed(error):
            text = os.strerror(error.errno) if error.errno else str(error)
            self.skipped[error.filename] = "cannot be looked in: %s" % text

        for base, directories, names in os.walk(top, onerror=failed, followlinks=self.args["follow"]):
            self.examined += len(directories) + len(names)
            if self.deep(base):
                directories[:] = []
                continue
            for name in sorted(names) + sorted(directories):
                self.look(base, name)
                if self.full():
                    return
            directories[:] = sorted(directories) if self.args["recurse"] else []

    def deep(self, base):
        """Tell whether a directory is below `depth`: what is in it counts as examined (as in Ansible), no more."""
        depth = self.args["depth"]
        level = base.rstrip("/").count("/") - self.top.rstrip("/").count("/") + 1
        return self.args["recurse"] and depth and level > depth

    def look(self, base, name):
        """Look at one entry."""
        if not self.wanted.name(name):
            return
        path = os.path.normpath(os.path.join(base, name))
        try:
            status = os.lstat(path)
        except FileNotFoundError:
            return
        except OSError as error:
            self.skipped[path] = os.strerror(error.errno)
            return
        try:
            fits = self.wanted.status(status) and self.wanted.content(path)
        except (LookupError, UnicodeError) as error:
            self.skipped[self.top] = decoding_fault(path, self.args["encoding"], error)
            return
        if fits:
            self.found.append(facts(path, status, self.args))


def run(module):
    """Look."""
    args = module.args
    try:
        search = Search(args, Filter(module))
        for path in args["paths"]:
            if not search.full():
                search.walk(path)
    except modes.ModeError as error:
        module.fail(str(error))
    for path, reason in search.skipped.items():
        module.warn("%s was left out: %s" % (path, reason))
    msg = "Limit of matches reached" if search.full() else "All paths examined"
    if search.skipped:
        msg = "Not all paths examined, check warnings for details"
    return {
        "changed": False,
        "files": search.found,
        "matched": len(search.found),
        "examined": search.examined,
        "skipped_paths": search.skipped,
        "msg": msg,
    }


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
