"""Reading small files of the system."""

import fcntl
import os

from pyplay.remote.module_utils.usage import usage


def get_file_content(path, default=None, strip=True):
    """Give a file's text, `default` where it cannot be read or is empty."""
    if not os.path.exists(path) or not os.access(path, os.R_OK):
        return default
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as stream:
            flags = fcntl.fcntl(stream.fileno(), fcntl.F_GETFL)
            fcntl.fcntl(stream.fileno(), fcntl.F_SETFL, flags | os.O_NONBLOCK)  # some files of /sys never answer
            text = stream.read()
    except OSError:
        return default
    return (text.strip() if strip else text) or default


def get_file_lines(path, strip=True, line_sep=None):
    """Give a file's lines, none where it cannot be read."""
    text = get_file_content(path, strip=strip)
    if not text:
        return []
    if line_sep is None:
        return text.splitlines()
    return text.rstrip(line_sep).split(line_sep) if len(line_sep) == 1 else text.split(line_sep)


def get_mount_size(mountpoint):
    """Give sizes and free room of what is mounted at a place; {} where it cannot be asked."""
    return usage(mountpoint)
