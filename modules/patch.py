"""Apply a patch file with GNU patch."""

import os

from pyplay.remote.module_utils import channel

OPTIONS = {
    "options": {
        "src": {"type": "path", "required": True, "aliases": ["patchfile"], "doc": "The patch file."},
        "dest": {"type": "path", "aliases": ["originalfile"], "doc": "The file to patch, if the patch names none."},
        "basedir": {"type": "path", "doc": "Directory in which names in the patch begin."},
        "state": {"type": "str", "default": "present", "choices": ["absent", "present"], "doc": "Apply or take back."},
        "remote_src": {"type": "bool", "default": False, "doc": "The patch file is on the host already."},
        "strip": {"type": "int", "default": 0, "doc": "Leading directories to take off names in the patch."},
        "backup": {"type": "bool", "default": False, "doc": "Have patch keep what it changes."},
        "binary": {"type": "bool", "default": False, "doc": "Leave ends of lines as they are."},
        "ignore_whitespace": {"type": "bool", "default": False, "doc": "Do not mind changed blanks."},
        "_content": {"type": "str", "doc": "Name of the content that the controller sends."},
    },
    "required_one_of": [["dest", "basedir"]],
    "check_mode": "full",
    "diff": False,
    "identity": ["src", "dest", "basedir"],
    "absent_undoes": True,
    "platforms": "posix",
    "returns": {"changed": "Whether files were changed."},
}


def words(module, patch, source, reverse, rehearse):
    """Give the words for patch."""
    args = module.args
    found = [patch, "--quiet", "--forward", "--batch", "--reject-file=-", "--strip=%d" % args["strip"]]
    found.append("--input=%s" % source)
    if args["basedir"] is not None:
        found.append("--directory=%s" % args["basedir"])
    if rehearse:
        found.append("--dry-run")
    for name, word in (("binary", "--binary"), ("ignore_whitespace", "--ignore-whitespace")):
        if args[name]:
            found.append(word)
    if args["backup"] and not rehearse:
        found += ["--backup", "--version-control=numbered"]
    if reverse:  # --batch would turn a patch that does not fit around
        found = [word for word in found if word not in ("--forward", "--batch")] + ["--force", "--reverse"]
    if args["dest"] is not None:
        found += ["--", args["dest"]]
    return found


def applied(module, patch, source, reverse):
    """Tell whether the patch could be applied the other way, which means that it is applied this way."""
    return module.run_command(words(module, patch, source, not reverse, True))[0] == 0


def received(module):
    """Give the path of a temporary file with the patch that the controller sends."""
    import tempfile  # noqa: PLC0415  # only for patches of the controller

    handle, path = tempfile.mkstemp(prefix=".pyplay-patch-")
    with os.fdopen(handle, "wb") as stream:
        for piece in channel.request_blob(module.args["_content"]):
            stream.write(piece)
    return path


def apply(module, source):
    """Apply or take back the patch in `source`; gives whether that changes anything."""
    patch = module.find_program("patch", required=True)
    reverse = module.args["state"] == "absent"
    if applied(module, patch, source, reverse):
        return False
    rc, out, err = module.run_command(words(module, patch, source, reverse, module.check_mode))
    if rc != 0:
        module.fail((err or out).strip() or "patch ended with status %d" % rc, rc=rc, stdout=out, stderr=err)
    return True


def run(module):
    """Apply the patch where it is not applied yet."""
    args = module.args
    if args["_content"] is not None:
        source = received(module)
        try:
            return {"changed": apply(module, source)}
        finally:
            os.unlink(source)
    if not os.access(args["src"], os.R_OK):
        module.fail("cannot read the patch file %s" % args["src"])
    return {"changed": apply(module, os.path.abspath(args["src"]))}


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
