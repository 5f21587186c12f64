"""What environment and ansible.cfg say of engines (docker, kubectl …): read when a first host needs it, then kept."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from pyplay.source.settings_load import read_settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyplay.connection.engine import Engine


class EngineSettings:
    """The settings of each engine's options, for one worker."""

    def __init__(self) -> None:
        self._known: dict[str, Mapping[str, Any]] = {}

    def of(self, engine: Engine) -> Mapping[str, Any]:
        """Give the values of options by name, None for those that are not set. Raises OptionsError for bad values."""
        found = self._known.get(engine.name)
        if found is None:
            rows = [row for row in engine.options if row.env or row.ini]
            cwd = os.getcwd()  # noqa: PTH109  # plain text
            found = read_settings(rows, os.environ, cwd, whole=False).values if rows else {}
            self._known[engine.name] = found
        return found
