"""Putting what was unpacked where it is looked for: each directory is there in whole, the old one or the new one.

Source: renameat2(2), RENAME_EXCHANGE.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pyplay.content.faults import ContentError

if TYPE_CHECKING:
    from collections.abc import Generator

_STAGE, _LOCK = ".pyplay-install-", ".pyplay-install.lock"
_AT_FDCWD, _EXCHANGE = -100, 2


@contextmanager
def stage(root: Path) -> Generator[Path]:
    """Yield an empty directory on the file system of `root`, alone there with the right to install.

    Who comes second waits. What an installation that was killed left is removed.
    """
    try:
        root.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(root / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        message = f"cannot install below {root}: {error.strerror}"
        raise ContentError.of("unwritable", message, help="name a directory that you may write to with -p") from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        for old in root.glob(_STAGE + "*/"):
            shutil.rmtree(old, ignore_errors=True)
        directory = Path(tempfile.mkdtemp(prefix=_STAGE, dir=root))
        try:
            yield directory
        except OSError as error:
            if error.errno not in {errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EROFS, errno.EFBIG}:
                raise
            message = f"cannot install below {root}: {error.strerror}"
            raise ContentError.of("unwritable", message, help="make room, or name another directory with -p") from error
        finally:
            shutil.rmtree(directory, ignore_errors=True)
    finally:
        os.close(descriptor)


def publish(fresh: Path, target: Path) -> None:
    """Put the directory `fresh` at `target` in one step; what was there is at `fresh` afterwards, to be removed."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if not os.path.lexists(target):
        fresh.rename(target)
    elif target.is_symlink():
        raise ContentError.of("linked", f"{target} is a link", help="remove it, or install elsewhere with -p")
    elif not _exchanged(fresh, target):
        aside = fresh.with_name(fresh.name + ".old")
        target.rename(aside)
        fresh.rename(target)


def _exchanged(one: Path, other: Path) -> bool:
    """Exchange two directories; whether the system can."""
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError):
        return False
    return rename(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _EXCHANGE) == 0
