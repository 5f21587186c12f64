"""Read a file of the host for the controller, which keeps it.

The content is sent only where it differs from what the controller has.
"""

# This is the host's half of fetch: `_have` is the checksum of what the controller has.

import os

from pyplay.remote.module_utils import channel, files

OPTIONS = {
    "options": {
        "src": {"type": "path", "required": True, "doc": "The file to fetch."},
        "dest": {"type": "str", "required": True, "doc": "Where the controller keeps it."},
        "flat": {"type": "bool", "default": False, "doc": "`dest` is the file itself, without host and path."},
        "fail_on_missing": {"type": "bool", "default": True, "doc": "Fail where the file cannot be read."},
        "validate_checksum": {"type": "bool", "default": True, "doc": "Compare checksums after the transfer."},
        "_have": {"type": "str", "doc": "SHA-1 of what the controller has."},
    },
    "check_mode": "full",
    "diff": True,
    "identity": ["src", "dest"],
    "absent_undoes": False,
    "platforms": "posix",
    "shared": [],
    "returns": {
        "checksum": "SHA-1 of the file.",
        "size": "Its size in bytes.",
        "sent": "Whether its content was sent.",
        "missing": "Whether it is not there, where that is allowed.",
    },
}


def pieces(path):
    """Give a file's content in pieces."""
    with open(path, "rb", buffering=0) as stream:
        for block in iter(lambda: stream.read(channel.PIECE), b""):
            yield block


def run(module):
    """Send the file where the controller has another one."""
    args = module.args
    path = args["src"]
    problem = ""
    if os.path.isdir(path):
        problem = "the remote file is a directory, fetch cannot work on directories: %s" % path
    else:
        try:
            checksum = files.checksum(path)
        except FileNotFoundError:
            problem = "the remote file does not exist: %s" % path
        except OSError as error:
            problem = "cannot read the remote file %s: %s" % (path, error.strerror or error)
    if problem:
        if args["fail_on_missing"]:
            module.fail(problem, file=path)
        result = {"changed": False, "msg": "%s, ignored" % problem, "missing": True}
        return result if os.path.isdir(path) else dict(result, file=path)
    different = checksum != args["_have"]
    result = {"changed": different, "checksum": checksum, "file": path, "src": path, "sent": False, "missing": False}
    result["size"] = os.path.getsize(path)
    if different and not module.check_mode:
        channel.send_stream(pieces(path))
        result["sent"] = True
    return result


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
