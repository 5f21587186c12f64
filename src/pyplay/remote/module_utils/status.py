"""What the status of a file tells, as the results of stat and find show it."""

import stat

from pyplay.remote.module_utils import modes

KINDS = (
    ("isdir", stat.S_ISDIR),
    ("ischr", stat.S_ISCHR),
    ("isblk", stat.S_ISBLK),
    ("isreg", stat.S_ISREG),
    ("isfifo", stat.S_ISFIFO),
    ("islnk", stat.S_ISLNK),
    ("issock", stat.S_ISSOCK),
)
PERMISSIONS = (
    ("wusr", stat.S_IWUSR),
    ("rusr", stat.S_IRUSR),
    ("xusr", stat.S_IXUSR),
    ("wgrp", stat.S_IWGRP),
    ("rgrp", stat.S_IRGRP),
    ("xgrp", stat.S_IXGRP),
    ("woth", stat.S_IWOTH),
    ("roth", stat.S_IROTH),
    ("xoth", stat.S_IXOTH),
    ("isuid", stat.S_ISUID),
    ("isgid", stat.S_ISGID),
)


def status_facts(path: str, status: object) -> dict:
    """Give path, mode, kind, owner's numbers, size, times (seconds) and single permissions; `status` is os.stat's."""
    mode = status.st_mode
    facts = {
        "path": path,
        "mode": modes.spell_mode(mode),
        "uid": status.st_uid,
        "gid": status.st_gid,
        "size": status.st_size,
        "inode": status.st_ino,
        "dev": status.st_dev,
        "nlink": status.st_nlink,
        "atime": status.st_atime,
        "mtime": status.st_mtime,
        "ctime": status.st_ctime,
    }
    facts.update((name, test(mode)) for name, test in KINDS)
    facts.update((name, bool(mode & bit)) for name, bit in PERMISSIONS)
    return facts
