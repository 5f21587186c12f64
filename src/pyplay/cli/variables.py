"""The controller's variables: what listings and runs share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyplay.variables.manager import VariableManager

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyplay.cli.session import Session
    from pyplay.playbook.model import Play


def variables_of(session: Session, plays: Sequence[Play]) -> VariableManager:
    """Give the variable manager of the controller."""
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
