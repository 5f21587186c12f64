"""The controller's variables: what listings and runs share."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyplay.cli.session import Session
    from pyplay.playbook.model import Play, Task
    from pyplay.templating.templar import Templar
    from pyplay.variables.manager import VariableManager


class LateVariables:
    """The variables of `plays`: the template engine is loaded for the first template.

    Most playbooks have none in what is listed, or in what the controller itself evaluates while it runs them.
    """

    def __init__(self, session: Session, plays: Sequence[Play]) -> None:
        self._session, self._plays = session, plays

    def templar(self, host: str | None, play: Play, task: Task | None = None) -> Templar:
        """Give the templar of a host, a play and perhaps a task. Without a host: extra vars and the play's vars."""
        return self._manager.templar(host, play, task)

    def load(self) -> None:
        """Load the template engine now."""
        _ = self._manager

    @cached_property
    def _manager(self) -> VariableManager:
        return _variables_of(self._session, self._plays)


def _variables_of(session: Session, plays: Sequence[Play]) -> VariableManager:
    from pyplay.variables.manager import VariableManager  # noqa: PLC0415  # the template engine

    return VariableManager(
        session.inventory,
        plays,
        session.settings,
        session.extra_vars,
        session.options,
        session.store,
        environment=session.environment,
        vault=session.vault,
        on_warning=session.warn,
    )
