"""Loads plugin files, answering their imports of `ansible.*` from the shims.

A plugin's module gets builtins of its own whose `__import__` is ours. Python looks `import` up there, in the module's
top level and in its functions alike, so the shims are seen by plugins and by nothing else, whether or not ansible is
installed beside us. Source: the language reference, "The import statement" and `__builtins__` of a code's globals.
"""

# ruff: noqa: PTH112, PTH113, PTH118, PTH119  # names as users wrote them

from __future__ import annotations

import builtins
import importlib.util
import os
import threading
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from pyplay.source.collections import HOME

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pyplay.source.collections import Collections

ROOTS = ("ansible", HOME)
_SHIPPED = str(Path(__file__).parents[2] / "remote" / "ansible" / "module_utils")
_MEMBERS = ("__version__", "__author__")
_UTILS = "ansible.module_utils."


class Importer:
    """One world of plugin modules.

    `provided` gives, for the name of a module, a function that makes its contents. `module_utils` are directories with
    the user's own `ansible.module_utils`, before those that we ship to hosts; `collections` are the installed ones.
    """

    def __init__(
        self,
        provided: Mapping[str, Callable[[], Mapping[str, Any]]],
        *,
        module_utils: Sequence[str] = (),
        collections: Collections | None = None,
    ) -> None:
        self.provided = provided
        self.module_utils = list(module_utils)
        self.collections = collections
        self._modules: dict[str, ModuleType] = {}
        self._lock = threading.RLock()
        self._packages = {name[:end] for name in provided for end in range(len(name)) if name[end] == "."}
        self._builtins = {**vars(builtins), "__import__": self._import}

    def load(self, path: str, name: str, package: str = "") -> ModuleType:
        """Run the plugin file at `path` as a module called `name`. Raises whatever its code raises."""
        module = ModuleType(name)
        module.__file__ = path
        module.__package__ = package
        with open(path, "rb") as stream:  # noqa: PTH123
            code = compile(stream.read(), path, "exec", dont_inherit=True)
        self._run(module, code)
        return module

    def _run(self, module: ModuleType, code: Any) -> None:
        module.__dict__["__builtins__"] = self._builtins
        with self._lock:
            exec(code, module.__dict__)  # noqa: S102  # that is what loading a plugin is

    def _import(
        self,
        name: str,
        globals: Mapping[str, Any] | None = None,  # noqa: A002  # Python's names
        locals: Mapping[str, Any] | None = None,  # noqa: A002
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> Any:
        """Do what the import statement does; called by plugin code only."""
        package = str((globals or {}).get("__package__") or "")
        full = importlib.util.resolve_name("." * level + name, package) if level and package else name
        root = full.partition(".")[0]
        if root not in ROOTS:
            return builtins.__import__(name, globals, locals, fromlist or (), level)
        with self._lock:
            module = self.module(full)
            if not fromlist:
                return self.module(root)
            for wanted in fromlist:
                if wanted != "*" and not hasattr(module, wanted):
                    self._submodule(full, wanted)
        return module

    def module(self, name: str) -> ModuleType:
        """Give the module called `name`, `ansible.` or `ansible_collections.` first. Raises ImportError."""
        found = self._modules.get(name)
        if found is not None:
            return found
        parent, _, last = name.rpartition(".")
        owner = self.module(parent) if parent else None
        module = self._make(name)
        self._modules[name] = module
        try:
            self._fill(name, module)
        except BaseException:
            del self._modules[name]
            raise
        if owner is not None:
            setattr(owner, last, module)
        return module

    def _submodule(self, package: str, name: str) -> None:
        """Load `package.name` if there is one; else the import statement itself says what is missing."""
        try:
            self.module(f"{package}.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"{package}.{name}":
                raise

    @staticmethod
    def _make(name: str) -> ModuleType:
        module = ModuleType(name)
        module.__path__ = []  # it may be a package
        module.__package__ = name
        return module

    def _fill(self, name: str, module: ModuleType) -> None:
        contents = self.provided.get(name)
        if contents is not None:
            module.__dict__.update(
                {key: value for key, value in contents().items() if key in _MEMBERS or not key.startswith("__")}
            )
            hook = contents().get("__getattr__") or self._shipped_members(name)
            if hook is not None:
                module.__dict__["__getattr__"] = hook
            return
        path = self._file(name)
        if path is not None:
            if os.path.basename(path) != "__init__.py":
                module.__package__ = name.rpartition(".")[0]
            module.__file__ = path
            with open(path, "rb") as stream:  # noqa: PTH123
                self._run(module, compile(stream.read(), path, "exec", dont_inherit=True))
            return
        if name in self._packages or name in ROOTS or self._directory(name):
            return
        known = ", ".join(sorted(each for each in self.provided if each.startswith(name.rpartition(".")[0] + ".")))
        message = f"pyplay gives plugins no module {name}"
        raise ModuleNotFoundError(f"{message}; there are {known}" if known else message, name=name)

    def _shipped_members(self, name: str) -> Callable[[str], Any] | None:
        """Give what finds further members of a module of `ansible.module_utils` in what we ship to hosts."""
        stem = os.path.join(_SHIPPED, name.removeprefix(_UTILS).replace(".", os.sep))
        path = next((each for each in (f"{stem}.py", os.path.join(stem, "__init__.py")) if os.path.isfile(each)), None)
        if path is None or not name.startswith(_UTILS):
            return None
        loaded: list[ModuleType] = []

        def find(member: str) -> Any:
            if member.startswith("__"):
                raise AttributeError(member)
            if not loaded:
                is_package = path.endswith("__init__.py")
                loaded.append(self.load(path, name, name if is_package else name.rpartition(".")[0]))
            return getattr(loaded[0], member)

        return find

    def _file(self, name: str) -> str | None:
        """Give the user's own file for a module, None if there is none."""
        for base in self._bases(name):
            for path in (f"{base}.py", os.path.join(base, "__init__.py")):
                if os.path.isfile(path):
                    return path
        return None

    def _directory(self, name: str) -> bool:
        return any(os.path.isdir(base) for base in self._bases(name))

    def _bases(self, name: str) -> list[str]:
        if name.startswith(_UTILS):
            rest = name.removeprefix(_UTILS).replace(".", os.sep)
            return [os.path.join(directory, rest) for directory in (*self.module_utils, _SHIPPED)]
        words = name.split(".")
        if words[0] != HOME or self.collections is None:
            return []
        if len(words) < 3:
            return [os.path.join(root, *words[1:]) for root in self.collections.roots]
        collection = self.collections.find(".".join(words[1:3]))
        return [os.path.join(collection.path, *words[3:])] if collection is not None else []
