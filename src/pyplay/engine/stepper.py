"""--step: asking before each task."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyplay.workers.terminal import Terminal


class Stepper:
    """Asks whether to run each task while `active`; "continue" ends the asking."""

    def __init__(self, terminal: Terminal, *, active: bool = False) -> None:
        self._terminal, self._active = terminal, active

    @property
    def active(self) -> bool:
        """Tell whether somebody is still asked."""
        return self._active

    def wanted(self, name: str) -> bool:
        """Tell whether the task `name` is to run. Without an answer, it is."""
        if not self._active:
            return True
        question = f"Perform task: {name} (N)o/(y)es/(c)ontinue: "
        answer = (self._terminal.ask(question, echo=True, seconds=None) or "").strip().lower()
        if answer in ("c", "continue"):
            self._active = False
        return answer in ("y", "yes", "c", "continue")
