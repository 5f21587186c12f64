"""`ansible.utils.display`: where plugins say something. What they say becomes diagnostics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.model import Diagnostic, Severity

if TYPE_CHECKING:
    from collections.abc import Callable


def display_class(on_warning: Callable[[Diagnostic], None], verbosity: int = 0) -> type:
    """Give the class that plugins make their `display` from: it tells `on_warning`.

    Messages for -v and more become notes of severity warning only when the run is at least that verbose.
    """
    running = verbosity

    class Display:
        """Says things to the user."""

        verbosity = running
        columns = 79

        def _tell(self, message: Any, severity: Severity, code: str) -> None:
            on_warning(Diagnostic(code, str(message), severity=severity))

        def warning(self, msg: Any, *_: Any, **__: Any) -> None:
            """Warn."""
            self._tell(msg, Severity.WARNING, "plugin-warning")

        def error(self, msg: Any, *_: Any, **__: Any) -> None:
            """Tell an error, without ending anything."""
            self._tell(msg, Severity.WARNING, "plugin-error")

        def deprecated(self, msg: Any, *_: Any, **__: Any) -> None:
            """Tell that something will go away."""
            self._tell(msg, Severity.DEPRECATION, "plugin-deprecation")

        def display(self, msg: Any, *_: Any, **__: Any) -> None:
            """Say something."""
            self._tell(msg, Severity.WARNING, "plugin-message")

        def verbose(self, msg: Any, host: Any = None, caplevel: int = 2) -> None:
            """Say something when the run is verbose enough."""
            if self.verbosity > caplevel:
                self.display(f"<{host}> {msg}" if host else msg)

        def v(self, msg: Any, host: Any = None) -> None:
            """Say something under -v."""
            self.verbose(msg, host, 0)

        def vv(self, msg: Any, host: Any = None) -> None:
            """Say something under -vv."""
            self.verbose(msg, host, 1)

        def vvv(self, msg: Any, host: Any = None) -> None:
            """Say something under -vvv."""
            self.verbose(msg, host, 2)

        def vvvv(self, msg: Any, host: Any = None) -> None:
            """Say something under -vvvv."""
            self.verbose(msg, host, 3)

        def vvvvv(self, msg: Any, host: Any = None) -> None:
            """Say something under -vvvvv."""
            self.verbose(msg, host, 4)

        def vvvvvv(self, msg: Any, host: Any = None) -> None:
            """Say something under -vvvvvv."""
            self.verbose(msg, host, 5)

        def debug(self, msg: Any, host: Any = None) -> None:
            """Say something under -vvvvvv."""
            self.verbose(msg, host, 5)

    return Display
