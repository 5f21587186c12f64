"""Make a temporary file or directory on the host and tell its path."""

import os
import tempfile

from pyplay.remote.module_utils import files

OPTIONS = {
    "options": {
        "state": {"type": "str", "default": "file", "choices": ["file", "directory"], "doc": "What to make."},
        "path": {"type": "path", "doc": "Directory to make it in; the system's for temporary files if not given."},
        "prefix": {"type": "str", "default": "ansible.", "doc": "How its name begins."},
        "suffix": {"type": "str", "default": "", "doc": "How its name ends."},
    },
    "check_mode": "none",
    "diff": False,
    "identity": [],
    "absent_undoes": False,
    "platforms": "posix",
    "returns": {"path": "Where it is."},
}


def run(module):
    """Make it, readable by its owner alone."""
    args = module.args
    try:
        if args["state"] == "directory":
            path = tempfile.mkdtemp(args["suffix"], args["prefix"], args["path"])
        else:
            handle, path = tempfile.mkstemp(args["suffix"], args["prefix"], args["path"])
            os.close(handle)
    except OSError as error:
        module.fail("cannot make a temporary %s: %s" % (args["state"], error.strerror or error))
    return dict(files.describe(path), changed=True, path=path)


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
