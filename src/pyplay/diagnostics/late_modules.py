"""Modules that are loaded when something of them is first asked for, for libraries that name more than they use.

click and the standard library's `dataclasses` import `inspect`, which brings `ast`, `dis` and `tokenize`, some 5 ms,
for what no run needs. The standard library's own `LazyLoader` loads with the `import` statement before Python 3.14.
"""

from __future__ import annotations

import importlib
import sys
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Generator


@contextmanager
def late_modules(*names: str) -> Generator[None]:
    """Let what is imported meanwhile get stand-ins for the modules `names` that are not loaded yet.

    Only for modules that are imported whole (`import inspect`), and read at run time alone.
    """
    absent = {name: _Late(name) for name in names if name not in sys.modules}
    sys.modules.update(absent)
    try:
        yield
    finally:
        for late in absent.values():
            late.give_way()


class _Late(ModuleType):
    """Stands for a module; keeps what was asked for."""

    def give_way(self) -> None:
        """Let the next import find the module itself."""
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self.give_way()
        found = getattr(importlib.import_module(self.__name__), name)
        setattr(self, name, found)
        return found
