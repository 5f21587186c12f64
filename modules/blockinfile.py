"""Keep a block of lines, between two marker lines, in a text file."""

import re

from pyplay.remote.module_utils import files, textfile

OPTIONS = {
    "options": {
        "path": {"type": "path", "required": True, "aliases": ["dest", "destfile", "name"], "doc": "The file to edit."},
        "block": {"type": "str", "default": "", "aliases": ["content"], "doc": "The lines; empty removes the block."},
        "state": {"type": "str", "default": "present", "choices": ["absent", "present"], "doc": "Shall it be there?"},
        "marker": {
            "type": "str",
            "default": "# {mark} ANSIBLE MANAGED BLOCK",
            "doc": "The marker lines; {mark} becomes marker_begin and marker_end.",
        },
        "marker_begin": {"type": "str", "default": "BEGIN", "doc": "What stands for {mark} before the block."},
        "marker_end": {"type": "str", "default": "END", "doc": "What stands for {mark} after it."},
        "insertafter": {
            "type": "str",
            "doc": "Put a new block after the last line that matches this; EOF: at the end.",
        },
        "insertbefore": {"type": "str", "doc": "Put it before the last line that matches this; BOF: at the beginning."},
        "append_newline": {"type": "bool", "default": False, "doc": "An empty line after the block, if text follows."},
        "prepend_newline": {"type": "bool", "default": False, "doc": "An empty line before it, if text precedes."},
        "create": {"type": "bool", "default": False, "doc": "Make the file where it is missing."},
        "backup": {"type": "bool", "default": False, "doc": "Keep a copy of the file as it was."},
        "validate": {"type": "str", "doc": "Program that judges the new file, %s being its path."},
        "encoding": {"type": "str", "default": "utf-8", "doc": "Character set of the file."},
    },
    "mutually_exclusive": [["insertbefore", "insertafter"]],
    "file_options": True,
    "check_mode": "full",
    "diff": True,
    "identity": ["path", "marker", "marker_begin", "marker_end"],
    "absent_undoes": True,
    "platforms": "posix",
    "shared": ["validate"],
    "returns": {"msg": "What was done.", "backup_file": "The copy of what was there."},
}


def split(text):
    """Give the lines of a text without their ends."""
    lines = text.split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    return lines


def find_run(lines, wanted, start=0):
    """Give the index of the last run of lines equal to `wanted` (carriage returns at line ends aside), -1 for none.

    A marker may be several lines long; each is looked for whole.
    """
    wanted = [line.rstrip("\r") for line in wanted]
    size = len(wanted)
    for index in range(len(lines) - size, start - 1, -1):
        if [line.rstrip("\r") for line in lines[index : index + size]] == wanted:
            return index
    return -1


def take_out(lines, begin, end):
    """Remove the block with its markers; gives where it was and how many lines it had, (-1, 0) where there is none."""
    first = find_run(lines, begin)
    last = find_run(lines, end)
    if first < 0 or last < 0:
        return -1, 0
    if first < last:
        stop = last + len(end)
    else:  # markers in the wrong order: what stands between them goes, as in Ansible
        first, stop = last, first + len(begin)
    removed = stop - first
    del lines[first:stop]
    return first, removed


def place(lines, args):
    """Give the index at which a new block goes in."""
    before, after = args["insertbefore"], args["insertafter"]
    if before == "BOF":
        return 0
    pattern = before if before is not None else after
    if pattern is None or pattern == "EOF":
        return len(lines)
    regex = re.compile(pattern)
    if re.search(r"\\n|\n|\(\?\w*[sm]\w*\)", pattern):  # a pattern over several lines
        whole = "\n".join(lines) + "\n"
        found = None
        for found in regex.finditer(whole):  # noqa: B007  # the last one counts
            pass
        if found is None:
            return len(lines)
        at = found.start() if before is not None else found.end()
        count = whole.count("\n", 0, at)
        return count if before is not None or whole[at - 1 : at] == "\n" else count + 1
    for index in range(len(lines) - 1, -1, -1):
        if regex.search(lines[index]):
            return index if before is not None else index + 1
    return len(lines)


def edit(lines, args):
    """Bring the block into `lines`, or take it out; gives whether the last line is still at the end."""
    begin = split(args["marker"].replace("{mark}", args["marker_begin"]) + "\n")
    end = split(args["marker"].replace("{mark}", args["marker_end"]) + "\n")
    at, _ = take_out(lines, begin, end)
    if args["state"] == "absent" or not args["block"]:
        return at < len(lines)
    if at < 0:
        at = place(lines, args)
    block = begin + split(args["block"]) + end
    if args["prepend_newline"] and at > 0 and lines[at - 1].strip():
        block.insert(0, "")
    if args["append_newline"] and at < len(lines) and lines[at].strip():
        block.append("")
    last = at < len(lines)
    lines[at:at] = block
    return last


def run(module):
    """Edit the file."""
    args = module.args
    path, encoding = args["path"], args["encoding"]
    same = args["marker"].replace("{mark}", args["marker_begin"]) == args["marker"].replace(
        "{mark}", args["marker_end"]
    )
    if same and args["state"] == "present" and args["block"]:
        module.warn("the marker lines before and after the block are the same: without {mark} it comes anew each time")
    try:
        before = files.read_bytes(path)
    except FileNotFoundError:
        before = None
    except IsADirectoryError:
        module.fail("Path %s is a directory, not a file" % path, rc=256)
    except OSError as error:
        module.fail("cannot read %s: %s" % (path, error.strerror or error), rc=256)
    if before is None and not args["create"]:
        module.fail("Path %s does not exist ! create makes it" % path, rc=257)
    try:
        lines = split((before or b"").decode(encoding, "surrogateescape"))
    except (LookupError, UnicodeError) as error:
        module.fail("cannot read %s as %s: %s" % (path, encoding, error))
    old = list(lines)
    try:
        same_end = edit(lines, args)
    except re.error as error:
        module.fail("a pattern is not a regular expression: %s" % error)
    try:
        text = "\n".join(lines).encode(encoding, "surrogateescape")
        newline = "\n".encode(encoding)
    except UnicodeError as error:
        module.fail("cannot write %s as %s: %s" % (path, encoding, error))
    if lines and not (same_end and before and not before.endswith(newline)):
        text += newline
    after = (before or b"") if lines == old else text
    msg = "" if before is not None and before == after else _message(before, old, lines)
    return textfile.finish(module, before, after, msg, {})


def _message(before, old, new):
    if before is None:
        return "file created"
    if len(new) < len(old) and not set(new) - set(old):
        return "block removed"
    return "block inserted" if len(new) > len(old) and not set(old) - set(new) else "block updated"


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
