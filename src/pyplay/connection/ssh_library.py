"""Loading asyncssh without what its import does beside importing.

asyncssh looks for two optional C libraries (liboqs, nettle) with `ctypes.util.find_library`, which runs ldconfig, a
compiler and a linker: some 30 ms. While asyncssh is imported, they are looked for in the directories where the loader
looks, which finds them as well.
"""

from __future__ import annotations

import ctypes.util
import importlib
import os
import sys
from fnmatch import fnmatchcase
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import ModuleType

DIRECTORIES = ("/usr/local/lib", "/lib", "/usr/lib", "/lib64", "/usr/lib64")


def load_ssh() -> ModuleType:
    """Give `pyplay.connection.ssh`, with asyncssh loaded the quick way if it is not loaded yet."""
    if "asyncssh" not in sys.modules and sys.platform == "linux":
        slow = ctypes.util.find_library
        ctypes.util.find_library = find_library
        try:
            importlib.import_module("asyncssh")
        finally:
            ctypes.util.find_library = slow
    return importlib.import_module("pyplay.connection.ssh")


def find_library(name: str, *_: Any) -> str | None:
    """Give the file name of the shared library `name` (`oqs` for liboqs.so.5), None if no loader's directory has it."""
    pattern = f"lib{name}.so*"
    found = [file for directory in _directories() for file in _listed(directory) if fnmatchcase(file, pattern)]
    return min(found, key=len) if found else None


def _directories() -> list[str]:
    multiarch = getattr(sys.implementation, "_multiarch", None)
    near = [f"{directory}/{multiarch}" for directory in DIRECTORIES[:3]] if multiarch else []
    given = [directory for directory in os.environ.get("LD_LIBRARY_PATH", "").split(":") if directory]
    return [*given, *near, *DIRECTORIES]


@cache
def _listed(directory: str) -> tuple[str, ...]:
    try:
        return tuple(os.listdir(directory))  # noqa: PTH208  # names are all that is asked for
    except OSError:
        return ()
