"""Replace every match of a regular expression in a text file."""

import re

from pyplay.remote.module_utils import files, textfile

OPTIONS = {
    "options": {
        "path": {"type": "path", "required": True, "aliases": ["dest", "destfile", "name"], "doc": "The file to edit."},
        "regexp": {"type": "str", "required": True, "doc": "What to replace; ^ and $ match at every line."},
        "replace": {"type": "str", "default": "", "doc": "What to put there; \\1 and \\g<name> stand for groups."},
        "after": {"type": "str", "doc": "Only what follows the first match of this; . matches line ends too."},
        "before": {"type": "str", "doc": "Only what precedes the first match of this; . matches line ends too."},
        "backup": {"type": "bool", "default": False, "doc": "Keep a copy of the file as it was."},
        "validate": {"type": "str", "doc": "Program that judges the new file, %s being its path."},
        "encoding": {"type": "str", "default": "utf-8", "doc": "Character set of the file."},
    },
    "file_options": True,
    "check_mode": "full",
    "diff": True,
    "identity": ["path", "regexp"],
    "absent_undoes": False,
    "platforms": "posix",
    "shared": ["validate"],
    "returns": {"msg": "What was done.", "backup_file": "The copy of what was there."},
}


def section(text, after, before):
    """Give start and end of the part between the patterns, None where they are not found."""
    if after is None and before is None:
        return 0, len(text)
    pattern = "(?P<part>.*)"
    if after is not None:
        pattern = after + (pattern if before is None else "(?P<part>.*?)")
    if before is not None:
        pattern = (pattern if after is not None else "(?P<part>.*)") + before
    found = re.search(pattern, text, re.DOTALL)
    return found.span("part") if found else None


def run(module):
    """Edit the file."""
    args = module.args
    path = args["path"]
    try:
        before = files.read_bytes(path)
    except FileNotFoundError:
        module.fail("Path %s does not exist !" % path, rc=257)
    except IsADirectoryError:
        module.fail("Path %s is a directory, not a file" % path, rc=256)
    except OSError as error:
        module.fail("cannot read %s: %s" % (path, error.strerror or error), rc=256)
    try:
        text = before.decode(args["encoding"], "surrogateescape")
    except (LookupError, UnicodeError) as error:
        module.fail("cannot read %s as %s: %s" % (path, args["encoding"], error))
    try:
        span = section(text, args["after"], args["before"])
        if span is None:
            return {
                "changed": False,
                "rc": 0,
                "msg": "before/after found nothing: %s" % (args["after"] or args["before"]),
            }
        part, count = re.subn(args["regexp"], args["replace"], text[span[0] : span[1]], flags=re.MULTILINE)
    except (re.error, IndexError) as error:
        module.fail("a pattern is not a regular expression: %s" % error)
    text = text[: span[0]] + part + text[span[1] :]
    try:
        after = text.encode(args["encoding"], "surrogateescape")
    except UnicodeError as error:
        module.fail("cannot write %s as %s: %s" % (path, args["encoding"], error))
    msg = "%d replacements made" % count if count and after != before else ""
    result = textfile.finish(module, before, after, msg, {"rc": 0})
    content = result.pop("diff")[0]
    if module.diff and after != before:
        result["diff"] = dict(content, before_header=args["path"], after_header=args["path"])
    return result


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
