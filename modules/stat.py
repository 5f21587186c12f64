"""Tell what is known of a file: kind, size, owner, permissions, times, checksum."""

import os

from pyplay.remote.module_utils import files, flags
from pyplay.remote.module_utils.status import status_facts

OPTIONS = {
    "options": {
        "path": {"type": "path", "required": True, "aliases": ["dest", "name"], "doc": "The file to look at."},
        "follow": {"type": "bool", "default": False, "doc": "Look at what a link points to, not at the link."},
        "get_checksum": {"type": "bool", "default": True, "doc": "Compute the checksum of a readable file."},
        "checksum_algorithm": {
            "type": "str",
            "default": "sha1",
            "choices": ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"],
            "aliases": ["checksum", "checksum_algo"],
            "doc": "How to compute it.",
        },
        "get_mime": {
            "type": "bool",
            "default": True,
            "aliases": ["mime", "mime_type", "mime-type"],
            "doc": "Ask the program file for kind and character set of the content.",
        },
        "get_attributes": {
            "type": "bool",
            "default": True,
            "aliases": ["attr", "attributes"],
            "doc": "Read the inode flags that lsattr shows.",
        },
        "get_selinux_context": {"type": "bool", "default": False, "doc": "Read the SELinux context."},
    },
    "check_mode": "full",
    "diff": False,
    "identity": ["path"],
    "absent_undoes": False,
    "platforms": "posix",
    "shared": [],
    "returns": {"stat": "The facts; `exists` is false where there is no such file."},
}


def basic_facts(path, status):
    """Give what the status of a file tells."""
    facts = dict(
        status_facts(path, status),
        exists=True,
        blocks=status.st_blocks,
        block_size=status.st_blksize,
        device_type=status.st_rdev,
        disk_usage_bytes=status.st_blocks * 512,
        readable=os.access(path, os.R_OK),
        writeable=os.access(path, os.W_OK),
        executable=os.access(path, os.X_OK),
    )
    for name, find, number in (
        ("pw_name", files.user_name, status.st_uid),
        ("gr_name", files.group_name, status.st_gid),
    ):
        found = find(number)
        if found != str(number):
            facts[name] = found
    return facts


_NO_FILE = (
    ("isdir", "inode/directory"),
    ("islnk", "inode/symlink"),
    ("isfifo", "inode/fifo"),
    ("issock", "inode/socket"),
    ("ischr", "inode/chardevice"),
    ("isblk", "inode/blockdevice"),
)


def mime_facts(path, follow, known):
    """Give mimetype and charset, `unknown` where the program file is not there or cannot tell.

    `known` are the facts that tell what it is: of what has no content file says the same everywhere, and takes 6 ms.
    But for links that lead nowhere: of these it has more to say.
    """
    from pyplay.remote.module_utils import process  # noqa: PLC0415  # not where get_mime is off

    facts = {"mimetype": "unknown", "charset": "unknown"}
    program = process.find("file")
    told = [name for key, name in _NO_FILE if known[key]]
    if program and told and os.path.exists(path):
        facts = {"mimetype": told[0], "charset": "binary"}
    elif program:
        options = ["--mime-type", "--mime-encoding"] + (["-L"] if follow else [])
        rc, out, _ = process.run([program] + options + ["--", path])
        kind, separator, charset = out.rpartition(": ")[2].strip().partition("; charset=")
        if rc == 0 and separator:
            facts = {"mimetype": kind, "charset": charset}
    return facts


def look(args):
    """Give what is asked for about the file. Raises OSError, FileNotFoundError if it is not there (any more)."""
    path = args["path"]
    facts = basic_facts(path, os.stat(path) if args["follow"] else os.lstat(path))
    if facts["islnk"]:
        facts["lnk_source"] = os.path.realpath(path)
        facts["lnk_target"] = os.readlink(path)
    if args["get_checksum"] and facts["isreg"] and facts["readable"]:
        facts["checksum"] = files.checksum(path, args["checksum_algorithm"])
    if args["get_mime"]:
        facts.update(mime_facts(path, args["follow"], facts))
    if args["get_attributes"]:
        found = flags.read_flags(path)
        version = flags.read_version(path)
        facts["version"] = None if version is None else str(version)
        facts["attributes"] = flags.names(found or 0)
        facts["attr_flags"] = flags.letters(found or 0)
    if args["get_selinux_context"]:
        facts["selinux_context"] = files.read_context(path) if files.selinux_enabled() else [None, None, None]
    return facts


def run(module):
    """Look at the file."""
    try:
        return {"stat": look(module.args)}
    except FileNotFoundError:
        return {"stat": {"exists": False}}
    except OSError as error:
        module.fail("cannot look at %s: %s" % (module.args["path"], error.strerror or error))


if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main

    main(run, OPTIONS)
