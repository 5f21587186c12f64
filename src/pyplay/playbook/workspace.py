"""What the parsers of one run share: settings, files read, numbers given, faults found."""

from __future__ import annotations

import os
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.deprecated import deprecated
from pyplay.diagnostics.errors import AuthorError, PlaybookError
from pyplay.diagnostics.model import Diagnostic, Severity
from pyplay.diagnostics.suggest import nearest
from pyplay.source.collections import Collections

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Mapping, Sequence

    from pyplay.diagnostics.model import Origin
    from pyplay.playbook.model import Play, Role, Task
    from pyplay.source.settings import Settings
    from pyplay.source.vault import VaultSecrets

    Render = Callable[[Any, Mapping[str, Any]], Any]
    FindModule = Callable[[str, Task], bool | str]
    RouteModule = Callable[[str, Sequence[str], Sequence[str]], tuple[str, Sequence[Diagnostic]]]


class Noting:
    """Takes the diagnostics of an AuthorError into `faults`. A class of its own, since each task needs one."""

    __slots__ = ("_faults",)

    def __init__(self, faults: list[Diagnostic]) -> None:
        self._faults = faults

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> bool:
        """Go on behind the block where the error was such a one."""
        if not isinstance(error, AuthorError):
            return False
        self._faults.extend(error.diagnostics)
        return True


class Workspace:
    """Shared by the parsers of one run. `tasks`, `roles`, `plays` hold everything made, by id."""

    def __init__(
        self,
        settings: Settings,
        *,
        extra_vars: Mapping[str, Any],
        render: Render | None,
        vault: VaultSecrets | None,
        on_warning: Callable[[Diagnostic], None] | None,
        find_module: FindModule | None,
        known_modules: Callable[[], Iterable[str]] | None,
        find_lookup: Callable[[str], bool] | None = None,
        known_lookups: Callable[[], Iterable[str]] | None = None,
        route_module: RouteModule | None = None,
        check_group: Callable[[str], object] | None = None,
        collections: Collections | None = None,
    ) -> None:
        self.settings, self.extra_vars = settings, extra_vars
        self.render, self.vault, self.on_warning = render, vault, on_warning
        self.find_module, self.known_modules = find_module, known_modules
        self.find_lookup, self.known_lookups = find_lookup, known_lookups
        self.route_module, self.check_group = route_module, check_group
        self.collections = Collections.of(settings) if collections is None else collections
        self.tasks: dict[int, Task] = {}
        self.roles: dict[int, Role] = {}
        self.plays: dict[int, Play] = {}
        self._ids = count(1)
        self._faults: list[Diagnostic] = []
        self._at_end: list[Callable[[], None]] = []
        self._files: dict[str, Any] = {}
        self._exists: dict[str, str] = {}

    @property
    def takes_old(self) -> bool:
        """Tell whether what ansible-core 2.18 took, or still explained, is taken with a warning."""
        return self.settings.compat == "2.18"

    def new_id(self) -> int:
        """Give the next number; tasks, roles and plays are counted together."""
        return next(self._ids)

    # faults

    @contextmanager
    def collecting(self) -> Generator[None]:
        """Collect faults, and raise all of them as one PlaybookError at the end."""
        outer, self._faults = self._faults, []
        try:
            yield
            for check in self._at_end:
                check()
            found = self._faults
        finally:
            self._faults = outer
            self._at_end.clear()
        if found:
            raise PlaybookError(dict.fromkeys(found))

    def judge_at_end(self, check: Callable[[], None]) -> None:
        """Let `check` note faults when everything is read that is being read now."""
        self._at_end.append(check)

    def fault(
        self, code: str, message: str, origin: Origin | None, *, label: str = "", mend: str = "", length: int = 0,
        notes: Sequence[str] = (),
    ) -> None:  # fmt: skip
        """Note a fault and go on; the surrounding `collecting` raises it."""
        self._faults.append(
            Diagnostic(code, message, origin, label=label, help=mend, length=length, notes=tuple(notes))
        )

    def warn(
        self, code: str, message: str, origin: Origin | None, *, mend: str = "", length: int = 0, label: str = "",
        severity: Severity = Severity.WARNING,
    ) -> None:  # fmt: skip
        """Tell about something that does not stop the run."""
        if self.on_warning:
            self.on_warning(Diagnostic(code, message, origin, help=mend, length=length, label=label, severity=severity))

    def deprecate(self, code: str, origin: Origin | None, *, length: int = 0, **words: str) -> None:
        """Tell about a deprecated spelling; see `diagnostics.deprecated`."""
        if self.on_warning:
            self.on_warning(deprecated(code, words, origin, length))

    def noting(self) -> Noting:
        """Note the faults of an AuthorError raised inside, and go on behind the block."""
        return Noting(self._faults)

    # files

    def read(self, path: str) -> Any:
        """Give the value of the YAML file at `path`, parsed once in a run. Raises PlaybookError."""
        if path not in self._files:
            policy: Any = self.settings.duplicate_dict_key
            from pyplay.source.yaml import load_file  # noqa: PLC0415  # workers want other things of this module

            self._files[path] = load_file(path, vault=self.vault, on_warning=self.on_warning, duplicates=policy)
        return self._files[path]

    def existing(self, path: str) -> str | None:
        """Give `path` if a file is there, normalised. What is not there yet may be made by a task and is asked anew."""
        found = self._exists.get(path)
        if found is None and os.path.isfile(path):  # noqa: PTH113  # hot
            found = self._exists[path] = os.path.normpath(path)
        return found

    def first_existing(self, candidates: Iterable[str]) -> str | None:
        """Give the first of the files that exists."""
        return next((found for path in candidates if (found := self.existing(path))), None)

    def render_name(self, value: Any, variables: Mapping[str, Any]) -> Any:
        """Give `value` with its templates rendered. Raises what the templating engine raises."""
        if self.render is None or not is_template(value):
            return value
        return self.render(value, variables)


def is_template(value: Any) -> bool:
    """Tell whether `value` is text with template syntax in it."""
    return isinstance(value, str) and ("{{" in value or "{%" in value)


def similar_file(path: str) -> str:
    """Give a help text that names a file beside `path` with a similar name, empty where there is none."""
    directory, name = os.path.split(path)
    try:
        names = os.listdir(directory or ".")  # noqa: PTH208  # names alone
    except OSError:
        return ""
    match = nearest(name, names)
    return f"did you mean '{match}'?" if match else ""
