"""Read a file of the host into the result, Base64-encoded."""

import base64

OPTIONS = {
    "options": {
        "src": {"type": "path", "required": True, "aliases": ["path"], "doc": "The file to read."},
        "armor": {"type": "bool", "default": True, "doc": "Encode the content as Base64; false gives UTF-8 text."},
    },
    "check_mode": "full",
    "diff": False,
    "identity": ["src"],
    "absent_undoes": False,
    "platforms": "posix",
    "shared": [],
    "returns": {
        "content": "The content, encoded.",
        "encoding": "How it is encoded: base64 or utf-8.",
        "source": "The file that was read.",
    },
}


def run(module):
    """Read the file."""
    path = module.args["src"]
    try:
        with open(path, "rb") as stream:
            data = stream.read()
    except FileNotFoundError:
        module.fail("File not found: %s" % path)
    except IsADirectoryError:
        module.fail("Source is a directory and must be a file: %s" % path)
    except PermissionError:
        module.fail("File is not readable: %s: Permission denied" % path)
    except OSError as error:
        module.fail("Unable to slurp file %s: %s" % (path, error.strerror or error))
    if not module.args["armor"]:
        try:
            return {"content": data.decode("utf-8"), "source": path, "encoding": "utf-8"}
        except UnicodeDecodeError as error:
            module.fail("%s is not UTF-8 text (%s): it can only be read with armor" % (path, error))
    return {"content": base64.b64encode(data).decode("ascii"), "source": path, "encoding": "base64"}


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
