"""What a lookup gets from its caller, and what it may raise.

A lookup is a function `run(terms, call, **options) -> list`. `terms` is what stands behind the lookup's name in
`lookup('name', …)`, or the whole value of `with_name:`; it and the options are resolved. What a lookup gives is data:
the engine never evaluates it as a template. How a failure is met (`errors='ignore'|'warn'`) and what becomes of the
list (`wantlist`, joining with commas) is the engine's part.
"""

from __future__ import annotations

import os
from dataclasses import field
from typing import TYPE_CHECKING, Any, Protocol

from pyplay.diagnostics.dataclass import dataclass
from pyplay.diagnostics.deprecated import deprecated
from pyplay.templating.filters.errors import PluginError
from pyplay.templating.lookups.search import find_beside_tasks, find_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pyplay.diagnostics.model import Diagnostic
    from pyplay.templating.scope import Scope


class LookupFailed(PluginError):  # noqa: N818  # the field's word
    """A lookup could not find or make what it was asked for."""


class TemplarLike(Protocol):
    """The part of a Templar that lookups need. See `templating.templar.Templar`."""

    @property
    def search_path(self) -> Sequence[str]:
        """Directories to search, nearest first: of the task's role, its parents, the playbook."""
        ...

    @property
    def basedir(self) -> str:
        """Give the playbook's directory."""
        ...

    @property
    def scope(self) -> Scope:
        """The raw variables."""
        ...

    def resolve(self, value: Any) -> Any:
        """Render `value` deeply."""
        ...

    def evaluate(self, expression: str) -> Any:
        """Give the value of a bare expression."""
        ...

    def render_text(self, text: str, **options: Any) -> str:
        """Render the text of a template file."""
        ...

    def render_native(self, text: str, **options: Any) -> Any:
        """Render the text of a template file; an expression alone gives its value."""
        ...

    def with_vars(self, extra: Mapping[str, Any]) -> TemplarLike:
        """Give a templar that sees `extra` before all else."""
        ...


def _no_inventory(pattern: str) -> list[str]:
    raise LookupFailed(f"host pattern {pattern!r}: there is no inventory here")


def _silent(_: Diagnostic) -> None:
    """Take a warning that nobody wants."""


class SettingsLike(Protocol):
    """Settings, read by attribute."""

    def __getattr__(self, name: str) -> Any: ...


@dataclass(frozen=True, slots=True)
class LookupCall:
    """One call of a lookup: what it may see.

    `variables` gives resolved values by name, lazily. `settings` is `source.settings.Settings`; `read_bytes` gives the
    contents of a file, decrypted if it is a vault file; `inventory_hostnames` the names of the hosts of a pattern;
    `subdir` is where `first_found` looks: what the task's module takes its files from.
    """

    templar: TemplarLike
    variables: Mapping[str, Any] = field(default_factory=dict[str, Any])
    settings: SettingsLike | None = None
    inventory_hostnames: Callable[[str], list[str]] = _no_inventory
    read_bytes: Callable[[str], bytes] | None = None
    on_warning: Callable[[Diagnostic], None] = _silent
    wantlist: bool = False
    subdir: str = "files"

    def deprecate(self, code: str, **words: str) -> None:
        """Note that the lookup is called with the deprecated spelling `code`; see `diagnostics.deprecated`."""
        self.on_warning(deprecated(code, words))

    def find_file(self, subdir: str, name: str) -> str | None:
        """Give the absolute path of the file `name`, searched in `subdir` of the search path; None if there is none."""
        path = find_file(self.templar.search_path, self.templar.basedir, subdir, name)
        return path or find_beside_tasks(self.templar.search_path, self.templar.basedir, name)

    def read_file(self, path: str) -> bytes:
        """Give the contents of the file at `path`, decrypted if it is a vault file. Raises LookupFailed."""
        try:
            if self.read_bytes is not None:
                return self.read_bytes(path)
            with open(path, "rb") as stream:  # noqa: PTH123  # paths are text here
                return stream.read()
        except OSError as error:
            raise LookupFailed(f"cannot read {path}: {error.strerror or error}") from error

    def require_file(self, subdir: str, name: str, lookup: str) -> str:
        """Give the path of the file `name` as `find_file` does. Raises LookupFailed if there is none."""
        path = self.find_file(subdir, name)
        if path is None:
            places = ", ".join(dict.fromkeys([*self.templar.search_path, self.templar.basedir or os.curdir]))
            raise LookupFailed(
                f"lookup {lookup}: there is no file {name}", help=f"searched, each with {subdir}/: {places}"
            )
        return path


class Lookup(Protocol):
    """A lookup: from terms to a list of results."""

    def __call__(self, terms: Any, call: LookupCall, **options: Any) -> list[Any]:
        """Give the results."""
        ...
