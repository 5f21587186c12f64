"""Retry files: the hosts that a playbook left failed or unreachable, for `--limit @FILE`.

Source: the settings retry_files_enabled and retry_files_save_path; name and form observed with ansible-core 2.21.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pyplay.diagnostics.model import Diagnostic, Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pyplay.source.settings import Settings


class RetryFiles:
    """Keeps the retry file of each playbook, where the settings want any. `say` shows a line, `warn` a warning."""

    def __init__(self, settings: Settings, say: Callable[[str], object], warn: Callable[[Diagnostic], object]) -> None:
        self._settings, self._say, self._warn = settings, say, warn

    def keep(self, playbook: str, hosts: Sequence[str]) -> None:
        """Write `hosts`, one a line, into the retry file of `playbook`; a file that cannot be written is a warning."""
        if not self._settings.retry_files_enabled or not hosts:
            return
        path = self._path(playbook)
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120  # plain text
            with open(path, "w") as file:  # noqa: PTH123  # plain text
                file.writelines(f"{host}\n" for host in hosts)
        except OSError as error:
            message = f"cannot write the retry file {path}: {error.strerror}"
            mend = "retry_files_save_path names another directory"
            self._warn(Diagnostic("retry-file", message, severity=Severity.WARNING, help=mend))
        else:
            self._say(f"\tto retry, use: --limit @{path}\n")

    def _path(self, playbook: str) -> str:
        beside, name = os.path.split(os.path.abspath(playbook))  # noqa: PTH100  # plain text
        return os.path.join(self._settings.retry_files_save_path or beside, f"{os.path.splitext(name)[0]}.retry")  # noqa: PTH118, PTH122  # plain text
