"""Files: kinds, permissions, flags."""

import os
import re
import stat

FILE_ATTRIBUTES = {
    "A": "noatime",
    "a": "append",
    "c": "compressed",
    "C": "nocow",
    "d": "nodump",
    "D": "dirsync",
    "e": "extents",
    "E": "encrypted",
    "h": "blocksize",
    "i": "immutable",
    "I": "indexed",
    "j": "journalled",
    "N": "inline",
    "s": "zero",
    "S": "synchronous",
    "t": "notail",
    "T": "blockroot",
    "u": "undelete",
    "X": "compressedraw",
    "Z": "compresseddirty",
}
USERS_RE = re.compile(r"[^ugo]")
PERMS_RE = re.compile(r"[^rwxXstugo]")
S_IRANU = 0o0111
_PERM_BITS = 0o7777
_DEFAULT_PERM = 0o0666
_EXEC_PERM_BITS = 0o0111


def is_executable(path):
    """Tell whether the file may be executed by somebody, as its permissions say. Raises OSError."""
    return bool((stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH) & os.stat(path)[stat.ST_MODE])


def format_attributes(attributes):
    """Give the words for lsattr's letters."""
    return [FILE_ATTRIBUTES[letter] for letter in attributes if letter in FILE_ATTRIBUTES]


def get_flags_from_attributes(attributes):
    """Give lsattr's letters for these words."""
    return "".join(letter for letter, word in FILE_ATTRIBUTES.items() if word in attributes)


def get_file_arg_spec():
    """Give the options that files have in common, those that take a value from the task alone."""
    names = ("owner", "group", "seuser", "serole", "setype", "selevel", "attributes")
    return {name: {"type": "str"} for name in names}


class LockTimeout(Exception):
    """A lock was not to be had in time."""
