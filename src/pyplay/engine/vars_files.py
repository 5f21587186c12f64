"""vars_files of a play: read for every host when the play begins, and again once facts decide on a file.

Where they are searched: `playbook.vars_files`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.errors import PlaybookError, UndefinedError
from pyplay.diagnostics.model import Diagnostic, Severity
from pyplay.playbook.vars_files import choices, places
from pyplay.source.paths import is_file
from pyplay.source.shapes import is_list, is_map
from pyplay.source.text import origin_of
from pyplay.templating.syntax import is_template

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pyplay.engine.context import RunContext
    from pyplay.engine.render import Renderer
    from pyplay.playbook.model import Play


class VarsFiles:
    """The vars_files of one play. `varying` tells that hosts may have different ones."""

    def __init__(self, context: RunContext, play: Play, renderer: Renderer) -> None:
        self._context, self._play, self._renderer = context, play, renderer
        self._entries = [choices(entry) for entry in play.vars_files]
        self.varying = any(is_template(name) for choices in self._entries for name in choices)
        self._chosen: dict[str, tuple[str, ...]] = {}
        self._merged: dict[tuple[str, ...], dict[str, Any]] = {}

    def read(self, hosts: Iterable[str]) -> None:
        """Let `hosts` (or, where nothing varies, all at once) see the values of their files.

        A name whose variables are not known yet is left out until they are; a file that is not there is warned about.
        Raises PlaybookError for a file that holds no mapping.
        """
        if not self._entries:
            return
        for host in list(hosts) if self.varying else [""]:
            paths = tuple(path for choices in self._entries if (path := self._path(choices, host)) is not None)
            if self._chosen.get(host, ()) == paths:
                continue
            if host in self._chosen:
                self._context.recorder.write(host, "reset", {"vars_files": True})
            self._chosen[host] = paths
            self._context.recorder.write(host, "vars_files", self._values(paths))

    def _path(self, choices: Sequence[Any], host: str) -> str | None:
        """Give the first file of `choices` that exists, None where none can be told yet."""
        undecided = False
        searched: list[str] = []
        for raw in choices:
            try:
                name = str(self._renderer.value(raw, host or None))
            except UndefinedError:
                undecided = True
                continue
            looked_at = places(name, self._play.basedir)
            found = next((place for place in looked_at if is_file(place)), None)
            if found is not None:
                return found
            searched += dict.fromkeys(looked_at)
        if not undecided:
            origin = origin_of(choices[0]) or self._play.origin
            message, help_ = f"vars file is not there: {choices[0]}", "looked at " + ", ".join(searched)
            warning = Diagnostic("missing-file", message, origin, help=help_, severity=Severity.WARNING)
            self._context.reporter.warn(warning)
        return None

    def _values(self, paths: tuple[str, ...]) -> Mapping[str, Any]:
        found = self._merged.get(paths)
        if found is None:
            found = self._merged[paths] = {}
            for path in paths:
                found.update(self._mapping(path))
        return found

    def _mapping(self, path: str) -> Mapping[str, Any]:
        value = self._context.read_file(path)
        parts: Sequence[Any] = value if is_list(value) else [value]
        found: dict[str, Any] = {}
        for (
            part
        ) in parts:  # a list of mappings counts as its items, later ones winning (observed with ansible-core 2.21)
            if part is not None and not is_map(part):
                raise PlaybookError.of("not-a-mapping", "a vars file is a mapping of names to values", origin_of(part))
            found.update(part or {})
        return found
