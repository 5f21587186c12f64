"""From a module's name to what is shipped: its parts, how it is run, what may be imported before it is."""

from __future__ import annotations

import ast
import sys
from contextlib import suppress
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.dataclass import dataclass, replace
from pyplay.diagnostics.errors import PlaybookError
from pyplay.shipping.archive import make_zip
from pyplay.shipping.imports import Import, find_imports
from pyplay.shipping.module_text import OURS, THEIRS, find_options, find_style, named_interpreter
from pyplay.shipping.parts import Part, PartLibrary
from pyplay.shipping.search import ModuleFile, needs_action
from pyplay.source.paths import is_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyplay.shipping.module_text import Style
    from pyplay.shipping.search import ModuleSearch

PROCESS = OURS + ".process"
"""What the Runner imports before it forks a module of ours that starts programs."""


@dataclass(frozen=True)
class BuiltModule:
    """A module ready to be shipped.

    `style` says how it runs: `pyplay` and `python` inside a forked child of the Runner, the others as programs
    whose first argument names a file of arguments (`want_json`, `binary`: JSON; `key_value`: key=value words;
    `json_args`: the source itself holds them).
    All get JSON on standard input. `imports` may be imported before the fork. `finish`: it
    must not be interrupted when the connection is lost. `ours`: its body only defines, it may run before the fork, too.
    `digest` identifies the whole. `package` is what relative imports of its main source start from. `half` is the
    action plugin that should do a part of the work, empty where there is none. `runs_with` is the program that the
    first line of a `want_json`, `json_args` or `key_value` module names, without its directory; empty for none.
    """

    name: str
    style: Style
    main: Part
    parts: tuple[Part, ...]
    imports: tuple[str, ...]
    needs_site: bool
    finish: bool
    digest: str
    ours: bool = False
    options: dict[str, Any] | None = None  # the literal OPTIONS, for Python modules that declare them
    package: str = ""
    half: str = ""
    runs_with: str = ""

    @cached_property
    def alone(self) -> tuple[str, ...] | None:
        """Which options take a process of their own, where other calls may share one; None where none may."""
        declared = (self.options or {}).get("shared") if self.ours else None
        return None if declared is None else tuple(declared)

    @cached_property
    def zip_bytes(self) -> bytes:
        """The module as a zip that runs by hand (`python3 module.pyz < args.json`); the file itself for programs."""
        if self.style not in ("pyplay", "python"):
            return self.main.source
        entries = [(part.path, part.source) for part in self.parts]
        if self.package:  # relative imports work in the module's own place alone
            name = f"{self.package}.{self.main.path.removesuffix('.py')}"
            entries.append((name.replace(".", "/") + ".py", self.main.source))
            start = f"import runpy\nrunpy.run_module('{name}', run_name='__main__', alter_sys=True)\n".encode()
            return make_zip([("__main__.py", start), *entries])
        return make_zip([("__main__.py", self.main.source), *entries])

    @cached_property
    def description(self) -> dict[str, Any]:
        """What a Runner must know of it, as JSON data."""
        table = {part.name: [part.digest, part.path, part.package] for part in self.parts}
        table["__main__"] = [self.main.digest, self.main.path, False]
        return {
            "style": self.style,
            "main": self.main.digest,
            "path": self.main.path,
            "parts": table,
            "imports": self.imports,
            "needs_site": self.needs_site,
            "finish": self.finish,
            "ours": self.ours,
            "package": self.package,
        }


class ModuleBuilder:
    """Builds modules, each once per process. `packages` adds importable packages to those that are ours."""

    def __init__(self, search: ModuleSearch, *, packages: dict[str, Sequence[Path]] | None = None) -> None:
        self.search = search
        remote = Path(__file__).resolve().parent.parent / "remote"
        places = {OURS: [remote / "module_utils"], THEIRS: [remote / "ansible" / "module_utils"]}
        self._library = PartLibrary({**places, **(packages or {})}, search.collections)
        self._libraries: dict[tuple[str, ...], PartLibrary] = {(): self._library}
        self._found: dict[tuple[str, tuple[str, ...], tuple[str, ...]], ModuleFile] = {}
        self._built: dict[ModuleFile, BuiltModule] = {}

    def build(self, name: str, *, roles: Sequence[str] = (), collections: Sequence[str] = ()) -> BuiltModule:
        """Return the module that `name` names, never a file by its path: the name may be a host's word.

        `roles` are directories of roles, innermost first, whose `library` and `module_utils` come first; bare names
        are searched in `collections`. Raises PlaybookError if there is no such module, or only an action plugin.
        """
        key = (name, tuple(roles), tuple(collections))
        file = self._found.get(key)
        if file is None:
            file = self._found[key] = self.search.find(name, roles=roles, collections=collections)
        return self._build(file)

    def build_file(self, path: Path) -> BuiltModule:
        """Return the module in the file at `path`, which somebody typed. Raises PlaybookError, as `build`."""
        if not path.is_file():
            raise PlaybookError.of("unknown-module", f"there is no module file {path}")
        utils = path.resolve().parent.parent / "module_utils"
        return self._build(
            ModuleFile(path.stem, str(path), builtin=False, utils=(str(utils),) if utils.is_dir() else ())
        )

    def _build(self, file: ModuleFile) -> BuiltModule:
        built = self._built.get(file)
        if built is None:
            built = self._built[file] = self._make(file)
        return built

    def _make(self, file: ModuleFile) -> BuiltModule:
        if file.half == file.place:
            raise needs_action(file.name, file.half)
        if file.path.suffix == ".ps1" or is_file(file.path.with_suffix(".ps1")):
            raise PlaybookError.of(
                "windows-module", f"'{file.name}' is a module for Windows, which pyplay does not manage"
            )
        return replace(self._make_any(file), half=file.half)

    def _make_any(self, file: ModuleFile) -> BuiltModule:
        source = file.path.read_bytes()
        style = find_style(file.path, source)
        if style not in ("pyplay", "python"):
            main = Part.of("__main__", file.path.name, source)
            word = named_interpreter(source)
            return _finished(
                BuiltModule(file.name, style, main, (), (), needs_site=False, finish=False, digest="", runs_with=word)
            )
        return _finished(self._make_python(file, source, style))

    def _make_python(self, file: ModuleFile, source: bytes, style: Style) -> BuiltModule:
        try:
            main, imports, options = _read_builtin(file) if file.builtin else _read_foreign(file, source)
        except (SyntaxError, ValueError):
            if file.builtin:
                raise
            # It may be written for another Python: let the host's judge it, without an import table.
            main = Part.of("__main__", _file_name(file), source)
            return BuiltModule(file.name, "python", main, (), (), needs_site=True, finish=False, digest="")
        library = self._library_for(file.utils)
        closure = _Closure(library)
        closure.add(imports)
        package = file.package if b"from ." in source else ""
        if package:
            closure.take(package)
        options = options if style == "pyplay" else None
        declared = (options or {}).get("needs_site")
        needs_site = style == "python" or (bool(declared) if declared is not None else closure.foreign)
        return BuiltModule(
            file.name,
            style,
            main,
            tuple(sorted(closure.parts.values(), key=lambda part: part.path)),
            tuple(closure.early()),
            needs_site=needs_site,
            finish=bool((options or {}).get("finish")),
            digest="",
            ours=file.builtin and style == "pyplay",
            options=options,
            package=package,
        )

    def _library_for(self, utils: tuple[str, ...]) -> PartLibrary:
        library = self._libraries.get(utils)
        if library is None:
            library = self._libraries[utils] = self._library.extended({THEIRS: [Path(folder) for folder in utils]})
        return library


class _Closure:
    """The parts that a source needs, transitively, and what it imports at once."""

    def __init__(self, library: PartLibrary) -> None:
        self._library = library
        self.parts: dict[str, Part] = {}
        self.foreign = False
        self._eager: list[str] = []
        self._needs: dict[str, set[str]] = {}  # part → the parts that it imports when it is run
        self._outside: set[str] = set()  # parts that import, when run, what is neither part nor standard

    def add(self, imports: Sequence[Import], owner: str = "") -> None:
        """Take in the imports of one source: of the part `owner`, or of the main source."""
        for entry in imports:
            names = [name for name in self._names(entry.name, entry.member) if self.take(name)]
            standard = entry.name.split(".")[0] in sys.stdlib_module_names
            if not names and not standard:
                self.foreign = True
            if not entry.eager:
                continue
            if not owner:
                wanted = names or ([entry.name] if standard else [])
                self._eager += [name for name in wanted if name not in self._eager and name != "__future__"]
            elif names:
                self._needs[owner].update(names)
            elif not standard:
                self._outside.add(owner)

    def early(self) -> list[str]:
        """Give what the Runner may import before it forks: what the main source imports at once.

        Parts that look for other libraries are left to the child, which alone has site-packages on its path: they
        would note for all times that there is no such library.
        """
        outside, ahead = self._outside, True
        while outside and ahead:
            more = {name for name, needs in self._needs.items() if name not in outside and needs & outside}
            outside, ahead = outside | more, bool(more)
        return [name for name in self._eager if name not in outside]

    def _names(self, name: str, member: str) -> list[str]:
        """Give the modules that `from name import member` may mean: the member if it is one, and its package."""
        inner = f"{name}.{member}" if member and name else member or name
        if member and self._library.find(inner) is not None:
            return [inner]
        return [name] if name else []

    def take(self, name: str) -> bool:
        """Add the part of this name, the packages above it and all that it imports; False if it is no part."""
        part = self._library.find(name)
        if part is None:
            return False
        if name in self.parts:
            return True
        self.parts[name] = part
        above = name.rpartition(".")[0]
        self._needs[name] = {above} if above else set()
        if above:
            self.take(above)
        with suppress(SyntaxError, ValueError):  # it may be written for another Python, whose host will judge it
            self.add(self._library.imports(part), name)
        return True


def _file_name(file: ModuleFile) -> str:
    return file.name.rpartition(".")[2] + ".py"


def _read_foreign(file: ModuleFile, source: bytes) -> tuple[Part, list[Import], dict[str, Any] | None]:
    """Give the main part, the imports and the OPTIONS of a module of others. Raises SyntaxError, ValueError."""
    tree = ast.parse(source)
    return Part.of("__main__", _file_name(file), source), find_imports(tree, file.package), find_options(tree)


def _read_builtin(file: ModuleFile) -> tuple[Part, list[Import], dict[str, Any] | None]:
    """Give the main part, the imports and the OPTIONS of a module of ours."""
    main = Part.ours("__main__", _file_name(file), file.place)
    ready = main.ready
    assert ready is not None  # noqa: S101  # of ours
    more = [Import(PROCESS, "", eager=True)] if ready.starts_programs else []
    return main, ready.imports + more, ready.options


def _finished(module: BuiltModule) -> BuiltModule:
    """Give the module with the digest of all that it is made of."""
    words = [
        module.style,
        module.name,
        module.main.digest,
        str(module.needs_site),
        str(module.finish),
        str(module.ours),
        module.package,
    ]
    words += [f"{part.name}={part.digest}" for part in module.parts]
    words += module.imports
    return replace(module, digest=sha256("\n".join(words).encode()).hexdigest()[:32])
