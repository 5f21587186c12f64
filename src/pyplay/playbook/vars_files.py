"""vars_files of a play: where their files are, and what of them is known without any host.

An entry is a file, or a list of which the first that exists counts. Files are searched in `vars` beside the playbook,
then beside it. Source: the Ansible documentation, "Using variables", and what ansible-core 2.21 was seen to do.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.errors import AuthorError
from pyplay.source.shapes import is_list, is_map

if TYPE_CHECKING:
    from pyplay.playbook.workspace import Workspace


class FileVars(Mapping[str, Any]):
    """The variables of `entries` for all that is told without a host: names of imports, `hosts`, `serial`, tags.

    The files are read when a variable is first asked for. A name that needs a host's variables is passed over.
    """

    def __init__(self, space: Workspace, entries: tuple[Any, ...], basedir: str, variables: Mapping[str, Any]) -> None:
        self._space, self._entries, self._basedir = space, entries, basedir
        self._variables = variables
        self._found: dict[str, Any] | None = None

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel as the values alone."""
        return dict, (dict(self._values),)

    @property
    def _values(self) -> Mapping[str, Any]:
        if self._found is None:
            self._found = {}
            for entry in self._entries:
                path = self._path(choices(entry))
                value = self._space.read(path) if path is not None else None
                if is_map(value):  # what is none is told when the play begins
                    self._found.update(value)
        return self._found

    def _path(self, names: list[Any]) -> str | None:
        for raw in names:
            try:
                name = str(self._space.render_name(raw, self._variables))
            except AuthorError:
                continue
            if found := self._space.first_existing(places(name, self._basedir)):
                return found
        return None


def choices(entry: Any) -> list[Any]:
    """Give the files of which the first that exists counts."""
    return list[Any](entry) if is_list(entry) or isinstance(entry, tuple) else [entry]  # pyright: ignore[reportUnknownArgumentType]  # raw


def places(name: str, basedir: str) -> list[str]:
    """Give the paths where the file `name` may be, best first."""
    path = os.path.expanduser(name)  # noqa: PTH111  # names as users wrote them
    return [os.path.join(basedir, "vars", path), os.path.join(basedir, path)]  # noqa: PTH118  # an absolute one stays
