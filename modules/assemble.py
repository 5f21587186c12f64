"""Put a file together from the fragments in a directory of the host."""

import os
import re

from pyplay.remote.module_utils import files, textfile

OPTIONS = {
    "options": {
        "src": {"type": "path", "required": True, "doc": "Directory of the fragments, which are joined by name."},
        "dest": {"type": "path", "required": True, "doc": "The file to write."},
        "remote_src": {"type": "bool", "default": True, "doc": "`src` is on the host; if false, on the controller."},
        "delimiter": {"type": "str", "doc": "What to put between fragments; \\n and the like are understood."},
        "regexp": {"type": "str", "doc": "Take only fragments whose name matches."},
        "ignore_hidden": {"type": "bool", "default": False, "doc": "Leave out names that begin with a dot."},
        "backup": {"type": "bool", "default": False, "doc": "Keep a copy of the file as it was."},
        "validate": {"type": "str", "doc": "Program that judges the new file, %s being its path."},
        "decrypt": {"type": "bool", "default": True, "doc": "The controller decrypts vault files as fragments."},
    },
    "file_options": True,
    "check_mode": "full",
    "diff": True,
    "identity": ["dest"],
    "absent_undoes": False,
    "platforms": "posix",
    "shared": ["validate"],
    "returns": {"checksum": "SHA-1 of the file.", "backup_file": "The copy of what was there."},
}


def join(module, directory):
    """Give the fragments joined: each ends its line, the delimiter between them too."""
    args = module.args
    delimiter = None
    if args["delimiter"] is not None:
        delimiter = args["delimiter"].encode("utf-8").decode("unicode_escape").encode("latin-1")
    try:
        wanted = re.compile(args["regexp"]) if args["regexp"] else None
    except re.error as error:
        module.fail("Invalid Regexp: %s" % error)
    data = b""
    for name in sorted(os.listdir(directory)):
        path = os.path.join(directory, name)
        if (wanted and not wanted.search(name)) or (args["ignore_hidden"] and name.startswith(".")):
            continue
        if not os.path.isfile(path):
            continue
        if data and not data.endswith(b"\n"):
            data += b"\n"
        if data and delimiter is not None:
            data += delimiter if delimiter.endswith(b"\n") else delimiter + b"\n"
        data += files.read_bytes(path)
    return data


def run(module):
    """Join the fragments and write the file where it differs."""
    args = module.args
    if not os.path.isdir(args["src"]):
        there = os.path.exists(args["src"])
        module.fail("Source (%s) %s" % (args["src"], "is not a directory" if there else "does not exist"))
    try:
        data = join(module, args["src"])
        before = files.read_bytes(args["dest"]) if os.path.exists(args["dest"]) else None
    except OSError as error:
        module.fail("cannot read %s: %s" % (error.filename or args["src"], error.strerror or error))
    above = os.path.dirname(os.path.realpath(args["dest"]))
    if not module.check_mode and not os.path.isdir(above):  # in check mode an earlier task may be what would make it
        module.fail("Destination directory %s does not exist" % above)
    args["path"] = args["dest"]
    result = textfile.finish(module, before, data, "OK", {"src": args["src"], "dest": args["dest"]}, validation=True)
    del args["path"]
    if os.path.exists(args["dest"]):
        result.update(files.describe(args["dest"]))
    return dict(result, checksum=files.digest_of(data), md5sum=files.md5_of(data))


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
