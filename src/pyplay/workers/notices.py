"""Warnings of a process that shows nothing itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyplay.diagnostics.model import Diagnostic


class Notices:
    """Called with each warning. What comes before somebody listens waits until then."""

    def __init__(self) -> None:
        self._waiting: list[Diagnostic] = []
        self._tell: Callable[[Diagnostic], object] | None = None

    def __call__(self, diagnostic: Diagnostic) -> None:
        """Take a warning."""
        if self._tell is None:
            self._waiting.append(diagnostic)
        else:
            self._tell(diagnostic)

    def listen(self, tell: Callable[[Diagnostic], object]) -> None:
        """Give all warnings to `tell` from now on, those that waited first. `tell` may be called from any thread."""
        self._tell = tell
        waiting, self._waiting = self._waiting, []
        for diagnostic in waiting:
            tell(diagnostic)
