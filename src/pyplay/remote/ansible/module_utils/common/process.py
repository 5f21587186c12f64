"""Programs of the host."""

import os

from .file import is_executable


def get_bin_path(arg, opt_dirs=None, required=None):  # an older signature has it
    """Give the path of a program, looked for in `opt_dirs`, PATH and the sbin directories. Raises ValueError."""
    paths = [path for path in opt_dirs or () if path is not None and os.path.exists(path)]
    paths += os.environ.get("PATH", "").split(os.pathsep)
    paths += [path for path in ("/sbin", "/usr/sbin", "/usr/local/sbin") if path not in paths and os.path.exists(path)]
    for folder in paths:
        path = os.path.join(folder, arg)
        if folder and os.path.exists(path) and not os.path.isdir(path) and is_executable(path):
            return path
    raise ValueError('Failed to find required executable "%s" in paths: %s' % (arg, os.pathsep.join(paths)))
