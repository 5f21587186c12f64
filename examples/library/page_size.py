"""Tell how large a file is: a user's module in Python, in its shortest form."""

import os

from pyplay.remote.module_utils.module import main

OPTIONS = {
    "options": {"path": {"type": "path", "required": True, "doc": "The file to measure."}},
    "check_mode": "full",
}


def run(module):
    path = module.args["path"]
    if not os.path.exists(path):
        module.fail("there is no file %s" % path)
    return {"changed": False, "size": os.path.getsize(path)}


if __name__ == "__main__":
    main(run, OPTIONS)
