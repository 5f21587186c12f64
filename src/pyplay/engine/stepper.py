"""--step: asking before each task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyplay.engine.debugger import QuitRun

if TYPE_CHECKING:
    from pyplay.workers.terminal import Terminal


class Stepper:
    """Asks whether to run each task while `active`; "continue" ends the asking, "quit" the run."""

    def __init__(self, terminal: Terminal, *, active: bool = False) -> None:
        self._terminal, self._active = terminal, active

    @property
    def active(self) -> bool:
        """Tell whether somebody is still asked."""
        return self._active

    def wanted(self, name: str) -> bool:
        """Whether the task `name` is to run. Raises QuitRun for "quit", and where nobody answers."""
        if not self._active:
            return True
        answer = self._terminal.ask(f"Perform task: {name} (N)o/(y)es/(c)ontinue/(q)uit: ", echo=True)
        if answer is None:
            raise QuitRun("the end of its input: --step had no answer")
        word = answer.strip().lower()
        if word in ("q", "quit"):
            raise QuitRun("the answer to --step")
        if word in ("c", "continue"):
            self._active = False
        return word in ("y", "yes", "c", "continue")
