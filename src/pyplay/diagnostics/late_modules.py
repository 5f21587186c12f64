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
    from collections.abc import Callable, Generator


@contextmanager
def late_modules(*names: str, functions: tuple[str, ...] = ()) -> Generator[None]:
    """Let what is imported meanwhile get stand-ins for the modules `names` that are not loaded yet.

    Only for modules that are imported whole (`import inspect`), and read at run time alone. Of other modules (`from
    hashlib import sha1`) name the `functions`, with their module's name before them: the first call loads the module.
    """
    late = {name: _Late(name) for name in names}
    for function in functions:
        module, _, name = function.rpartition(".")
        late.setdefault(module, _Late(module)).stand_for(name)
    absent = {name: module for name, module in late.items() if name not in sys.modules}
    sys.modules.update(absent)
    try:
        yield
    finally:
        for module in absent.values():
            module.give_way()
        for name in names:
            if name in absent:
                absent[name].join_package()


class _Late(ModuleType):
    """Stands for a module; keeps what was asked for."""

    def stand_for(self, function: str) -> None:
        """Give, for a function of the module, one that calls it."""
        setattr(self, function, _late_function(self.__name__, function))

    def give_way(self) -> None:
        """Let the next import find the module itself."""
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]

    def join_package(self) -> None:
        """Be what the module's package, if it is loaded, has by its name: an import of the module would have put it."""
        package, _, name = self.__name__.rpartition(".")
        if package in sys.modules and not hasattr(sys.modules[package], name):
            setattr(sys.modules[package], name, self)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self.give_way()
        found = getattr(importlib.import_module(self.__name__), name)
        setattr(self, name, found)
        return found


def _late_function(module: str, name: str) -> Callable[..., Any]:
    def late(*args: Any, **options: Any) -> Any:
        if isinstance(known := sys.modules.get(module), _Late):
            known.give_way()
        return getattr(importlib.import_module(module), name)(*args, **options)

    late.__name__ = late.__qualname__ = name
    return late
