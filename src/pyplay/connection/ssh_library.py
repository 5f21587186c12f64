"""Loading asyncssh without what its import does beside importing: some 80 of 170 ms.

- asyncssh looks for two optional C libraries (liboqs, nettle) with `ctypes.util.find_library`, which runs ldconfig, a
  compiler and a linker. While asyncssh is imported, they are looked for in the directories where the loader looks,
  which finds them as well; and there only if ldconfig's list, where there is one, has such a name.
- It takes `Self` from typing_extensions, a large module, and finds it in `typing`, which has the same one.
- It has Python make some 1,500 types of its annotations (`diagnostics.plain_annotations`).
- It does without X.509 certificates where cryptography has none, and here it has none: OpenSSH knows no such keys, and
  connections are made with `x509_trusted_certs=None`.
"""

from __future__ import annotations

import importlib
import os
import sys
from contextlib import contextmanager, suppress
from functools import cache
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.plain_annotations import plain_annotations

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping
    from types import ModuleType

DIRECTORIES = ("/usr/local/lib", "/lib", "/usr/lib", "/lib64", "/usr/lib64")
LIST = "/etc/ld.so.cache"


def load_ssh() -> ModuleType:
    """Give `pyplay.connection.ssh`, with asyncssh loaded the quick way if it is not loaded yet."""
    if "asyncssh" not in sys.modules:
        with (
            _own_search(),
            plain_annotations() as plain,
            _stand_ins({"asyncssh.crypto.x509": None, "typing_extensions": plain}),
            suppress(ImportError, TypeError, AttributeError),
        ):
            importlib.import_module("asyncssh")
    return importlib.import_module("pyplay.connection.ssh")  # imports it as usual if it wants more than the above


@contextmanager
def _own_search() -> Generator[None]:
    """Let libraries be found without running programs. On other systems than Linux Python runs none."""
    import ctypes.util  # noqa: PLC0415  # only where asyncssh is loaded; its module is not light either

    slow = ctypes.util.find_library
    if sys.platform == "linux":
        ctypes.util.find_library = find_library
    try:
        yield
    finally:
        ctypes.util.find_library = slow


@contextmanager
def _stand_ins(modules: Mapping[str, ModuleType | None]) -> Generator[None]:
    """Let other modules stand for those that are not loaded yet; None: there is no such module."""
    names = [name for name in modules if name not in sys.modules]
    table: Any = sys.modules
    table.update((name, modules[name]) for name in names)
    try:
        yield
    finally:
        for name in names:
            sys.modules.pop(name, None)


def find_library(name: str, *_: Any) -> str | None:
    """Give the file name of the shared library `name` (`oqs` for liboqs.so.5), None if no loader's directory has it."""
    start = f"lib{name}.so"
    found = [file for directory in _directories(start) for file in _listed(directory) if file.startswith(start)]
    return min(found, key=len) if found else None


def _directories(start: str) -> list[str]:
    """Give where a library whose file's name begins with `start` may be."""
    given = [directory for directory in os.environ.get("LD_LIBRARY_PATH", "").split(":") if directory]
    if not _may_be_listed(start.encode()):
        return given
    multiarch = getattr(sys.implementation, "_multiarch", None)
    near = [f"{directory}/{multiarch}" for directory in DIRECTORIES[:3]] if multiarch else []
    return [*given, *near, *DIRECTORIES]


def _may_be_listed(start: bytes) -> bool:
    """Tell whether ldconfig's list may hold such a name: listing the directories takes ten times as long."""
    try:
        with open(LIST, "rb") as file:  # noqa: PTH123  # plain text
            return start in file.read()
    except OSError:  # other C libraries have none
        return True


@cache
def _listed(directory: str) -> tuple[str, ...]:
    try:
        return tuple(os.listdir(directory))  # noqa: PTH208  # names are all that is asked for
    except OSError:
        return ()
