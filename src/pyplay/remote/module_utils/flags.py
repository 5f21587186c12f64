"""Inode flags of Linux file systems (what lsattr and chattr show and set), by ioctl. Source: ioctl_iflags(2)."""

import fcntl
import os
import stat
import struct

# in the order in which lsattr prints them
LETTERS = (
    ("s", 0x00000001, "securedeletion"),
    ("u", 0x00000002, "undelete"),
    ("S", 0x00000008, "sync"),
    ("D", 0x00010000, "dirsync"),
    ("i", 0x00000010, "immutable"),
    ("a", 0x00000020, "append"),
    ("d", 0x00000040, "nodump"),
    ("A", 0x00000080, "noatime"),
    ("c", 0x00000004, "compressed"),
    ("E", 0x00000800, "encrypted"),
    ("j", 0x00004000, "journalled"),
    ("I", 0x00001000, "indexed"),
    ("t", 0x00008000, "notailmerging"),
    ("T", 0x00020000, "topdir"),
    ("e", 0x00080000, "extents"),
    ("C", 0x00800000, "nocow"),
    ("x", 0x02000000, "dax"),
    ("F", 0x40000000, "casefolded"),
    ("N", 0x10000000, "inline"),
    ("P", 0x20000000, "project"),
    ("V", 0x00100000, "verity"),
)
_BIT = {letter: bit for letter, bit, _ in LETTERS}


def _number(read: bool, kind: str, index: int) -> int:
    odd = os.uname().machine.startswith(("ppc", "mips", "sparc", "alpha"))  # other direction bits: asm/ioctl.h
    way = (2 if read else 4) << 29 if odd else (2 if read else 1) << 30
    return way | (struct.calcsize("l") << 16) | (ord(kind) << 8) | index


def _open(path: str) -> object:
    """Give a descriptor of a regular file or directory, None for all else and where it may not be read.

    A link is followed only where it is the name of a descriptor (`files.name_of`).
    """
    held = path.startswith("/proc/self/fd/")
    try:
        mode = os.stat(path, follow_symlinks=held).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            return None
        return os.open(path, os.O_RDONLY | os.O_NONBLOCK | (0 if held else os.O_NOFOLLOW))
    except OSError:
        return None


def _get(path: str, number: int) -> object:
    descriptor = _open(path)
    if descriptor is None:
        return None
    try:
        answer = fcntl.ioctl(descriptor, number, struct.pack("L", 0))
    except OSError:
        return None
    finally:
        os.close(descriptor)
    return struct.unpack("I", answer[:4])[0]


def read_flags(path: str) -> object:
    """Give the flags of a file as a number, None where the file system has none."""
    return _get(path, _number(True, "f", 1))


def read_version(path: str) -> object:
    """Give the generation of a file's inode, None where the file system has none."""
    return _get(path, _number(True, "v", 1))


def letters(flags: int) -> str:
    """Give flags as letters, as lsattr prints them."""
    return "".join(letter for letter, bit, _ in LETTERS if flags & bit)


def names(flags: int) -> list:
    """Give flags as words."""
    return [name for _, bit, name in LETTERS if flags & bit]


def wanted_flags(text: str, current: int) -> int:
    """Give what `current` becomes by `text`: +i, -a, =Ai, or letters alone, which mean =. Raises ValueError."""
    operator = text[0] if text[:1] in ("+", "-", "=") else "="
    bits = 0
    for letter in text.lstrip("+-="):
        if letter not in _BIT:
            raise ValueError("%r in %r is no file attribute" % (letter, text))
        bits |= _BIT[letter]
    if operator == "+":
        return current | bits
    if operator == "-":
        return current & ~bits
    return (current & (_BIT["e"] | _BIT["I"] | _BIT["N"] | _BIT["E"] | _BIT["V"])) | bits  # those chattr cannot clear


def write_flags(path: str, value: int) -> None:
    """Set the flags of a file. Raises OSError where the file system has none or this user may not."""
    descriptor = _open(path)
    if descriptor is None:
        raise OSError(95, "%s cannot carry file attributes" % path)
    try:
        fcntl.ioctl(descriptor, _number(False, "f", 2), struct.pack("L", value))
    finally:
        os.close(descriptor)
