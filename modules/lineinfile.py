"""Make sure that one line is in a text file, or that lines are not."""

import io
import os

from pyplay.remote.module_utils import files, textfile

OPTIONS = {
    "options": {
        "path": {"type": "path", "required": True, "aliases": ["dest", "destfile", "name"], "doc": "The file to edit."},
        "regexp": {
            "type": "str",
            "aliases": ["regex"],
            "doc": "The line to replace (the last one that matches), or the lines to remove.",
        },
        "search_string": {"type": "str", "doc": "As `regexp`, but plain text that the line contains."},
        "line": {
            "type": "str",
            "aliases": ["value"],
            "doc": "The line, put in exactly as it is. Several lines are there where they stand together.",
        },
        "state": {"type": "str", "default": "present", "choices": ["absent", "present"], "doc": "Shall it be there?"},
        "backrefs": {
            "type": "bool",
            "default": False,
            "doc": "Replace \\1, \\g<name> in `line` by the groups of `regexp`; without a match nothing is changed.",
        },
        "insertafter": {"type": "str", "doc": "Insert after the last line that matches this; EOF: at the end."},
        "insertbefore": {"type": "str", "doc": "Insert before the last line that matches this; BOF: at the beginning."},
        "firstmatch": {"type": "bool", "default": False, "doc": "The first match counts, not the last."},
        "create": {"type": "bool", "default": False, "doc": "Make the file where it is missing."},
        "backup": {"type": "bool", "default": False, "doc": "Keep a copy of the file as it was."},
        "validate": {"type": "str", "doc": "Program that judges the new file, %s being its path."},
        "encoding": {"type": "str", "default": "utf-8", "doc": "Character set of the file."},
    },
    "mutually_exclusive": [["insertbefore", "insertafter"], ["regexp", "search_string"], ["backrefs", "search_string"]],
    "required_if": [["state", "present", ["line"]]],
    "file_options": True,
    "check_mode": "full",
    "diff": True,
    "identity": ["path", "regexp", "search_string", "line"],
    "absent_undoes": True,
    "platforms": "posix",
    "shared": ["validate"],
    "returns": {
        "msg": "What was done.",
        "backup": "Path of the copy, empty if none was made.",
        "found": "How many lines were removed.",
    },
}


class PatternError(ValueError):
    """A pattern is not a regular expression."""


def compiled(pattern):
    """Give a pattern, compiled. Raises PatternError."""
    import re  # noqa: PLC0415  # it takes a host 4 ms to load

    try:
        return re.compile(pattern)
    except re.error as error:
        raise PatternError(str(error)) from error


class Matcher:
    """Which lines the task is about: by pattern, by contained text, or by the whole line."""

    def __init__(self, args):
        """Compile the pattern. A newline at the end of `line` (YAML's `|`) is the one that every line has."""
        self.pattern = None if args["regexp"] is None else compiled(args["regexp"])
        self.text = args["search_string"]
        self.line = args["line"][:-1] if args["line"] and args["line"].endswith("\n") else args["line"]
        self.bare = (self.line or "").rstrip("\r\n")

    def __call__(self, line):
        """Give something true where `line` (with its end) is meant."""
        if self.pattern is not None:
            return self.pattern.search(line)
        if self.text is not None:
            return self.text in line
        return line.rstrip("\r\n") == self.bare


def last_or_first(lines, test, first):
    """Give index and answer of the last (or first) line for which `test` is true; (-1, None) for none."""
    found = (-1, None)
    for index, line in enumerate(lines):
        answer = test(line)
        if answer:
            found = (index, answer)
            if first:
                break
    return found


def ended(line):
    """Give a line with a newline at its end."""
    return line if line.endswith("\n") else line + "\n"


def find_all(lines, text):
    """Give where the lines of `text`, one or more, stand one after another in `lines`, as indexes of the first."""
    wanted = [line.rstrip("\r") for line in text.split("\n")]
    bare = [line.rstrip("\r\n") for line in lines]
    last = len(bare) - len(wanted)
    return [at for at in range(last + 1) if bare[at] == wanted[0] and bare[at : at + len(wanted)] == wanted]


def insert(lines, line, before, after, first):
    """Put `line` at its place; gives the message."""
    if before == "BOF":
        lines.insert(0, ended(line))
        return "line added"
    pattern = before if before is not None else after
    place = -1
    if pattern is not None and pattern != "EOF":
        place = last_or_first(lines, compiled(pattern).search, first)[0]
    if place < 0:
        if lines:
            lines[-1] = ended(lines[-1])
        lines.append(ended(line))
        return "line added"
    if before is None:
        place += 1
        if place == len(lines):
            lines[-1] = ended(lines[-1])
    lines.insert(place, ended(line))
    return "line added"


def present(lines, args):
    """Edit `lines` so that the line is there; gives the message, "" where nothing is to be done."""
    matcher = Matcher(args)
    index, match = last_or_first(lines, matcher, args["firstmatch"])
    line = matcher.line
    if index >= 0:
        if args["backrefs"] and matcher.pattern is not None:
            line = match.expand(line)
        if matcher.pattern is None and matcher.text is None:
            line = lines[index]  # the very line is there; only its end may be missing
        if lines[index] == ended(line):
            return ""
        if "\n" in line.rstrip("\n") and any(at <= index <= at + line.count("\n") for at in find_all(lines, line)):
            return ""  # several lines, all there: the pattern matches one of them
        lines[index] = ended(line)
        return "line replaced"
    if args["backrefs"]:
        return ""
    if find_all(lines, line):
        return ""
    return insert(lines, line, args["insertbefore"], args["insertafter"], args["firstmatch"])


def absent(lines, args):
    """Remove the lines that are meant; gives how many."""
    matcher = Matcher(args)
    if matcher.pattern is None and matcher.text is None and "\n" in matcher.line:
        size = matcher.line.count("\n") + 1
        gone = {at + n for at in find_all(lines, matcher.line) for n in range(size)}
        kept = [line for number, line in enumerate(lines) if number not in gone]
    else:
        kept = [line for line in lines if not matcher(line)]
    removed = len(lines) - len(kept)
    lines[:] = kept
    return removed


def read_lines(module, path, encoding):
    """Give the file's lines as text with their ends, None where there is no file; bytes that are no text survive."""
    try:
        text = files.read_bytes(path).decode(encoding, "surrogateescape")
    except FileNotFoundError:
        return None
    except OSError as error:
        return module.fail("cannot read %s: %s" % (path, error.strerror or error), path=path)
    except (LookupError, UnicodeError) as error:
        return module.fail("cannot read %s as %s: %s" % (path, encoding, error), path=path)
    return io.StringIO(text, newline="\n").readlines()


def check_options(module):
    """Fail where options do not go together."""
    args = module.args
    if os.path.isdir(args["path"]):
        module.fail("Path %s is a directory, not a file" % args["path"], rc=256)
    if args["state"] == "present":
        if args["backrefs"] and args["regexp"] is None:
            module.fail("regexp is required with backrefs")
        for name, label in (("regexp", "regular expression"), ("search_string", "search string")):
            if args[name] == "":
                module.warn("the %s is an empty string, which matches every line: the last one is replaced" % label)
    elif all(args[name] is None for name in ("regexp", "search_string", "line")):
        module.fail("one of line, search_string, regexp is required with state=absent")


def run(module):
    """Edit the file."""
    args = module.args
    check_options(module)
    encoding = args["encoding"]
    lines = read_lines(module, args["path"], encoding)
    if lines is None and args["state"] == "absent":
        return {"changed": False, "msg": "there is no such file"}
    if lines is None and not args["create"]:
        module.fail("Destination %s does not exist ! create makes it" % args["path"], rc=257)
    new = list(lines or ())
    result = {"backup": ""}
    try:
        if args["state"] == "present":
            msg = present(new, args)
        else:
            result["found"] = absent(new, args)
            msg = "%d line(s) removed" % result["found"] if result["found"] else ""
    except PatternError as error:
        module.fail("a pattern is not a regular expression: %s" % error)
    try:
        before, after = (
            None if text is None else "".join(text).encode(encoding, "surrogateescape") for text in (lines, new)
        )
    except (LookupError, UnicodeError) as error:
        module.fail("cannot write %s as %s: %s" % (args["path"], encoding, error), path=args["path"])
    return textfile.finish(module, before, after, msg, result, backup="backup")


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
