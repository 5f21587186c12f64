"""Retry files: the hosts that a playbook left failed or unreachable, for `--limit @FILE`.

Source: the settings retry_files_enabled and retry_files_save_path; name and form observed with ansible-core 2.21.
"""

from __future__ import annotations

from pathlib import Path
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
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(f"{host}\n" for host in hosts))
        except OSError as error:
            message = f"cannot write the retry file {path}: {error.strerror}"
            mend = "retry_files_save_path names another directory"
            self._warn(Diagnostic("retry-file", message, severity=Severity.WARNING, help=mend))
        else:
            self._say(f"\tto retry, use: --limit @{path}\n")

    def _path(self, playbook: str) -> Path:
        written = Path(playbook).absolute()
        directory = self._settings.retry_files_save_path
        return (Path(directory) if directory else written.parent) / f"{written.stem}.retry"
