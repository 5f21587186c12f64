"""What a worker inherits from the zygote when it is forked; `assembly` makes of it what its tasks share."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from pyplay.diagnostics.dataclass import dataclass
from pyplay.workers.notices import Notices

if TYPE_CHECKING:
    from pyplay.shipping.search import ModuleSearch
    from pyplay.source.options import RunOptions
    from pyplay.source.settings import Settings
    from pyplay.source.vault import VaultSecrets
    from pyplay.templating.environment import TemplateEnvironment
    from pyplay.variables.manager import VariableManager
    from pyplay.workers.known import Known


@dataclass(slots=True, kw_only=True)
class WorkerSetup:
    """Everything that is made once for all workers; what is `known` grows in each by what is defined later.

    `log` is the file descriptor of the variables' log (`LogWriter.fd`); a worker's variables follow it; without one
    they stay as they are. `progress`: tell when a host's turn comes. `interactive`: somebody can answer prompts at the
    controller. `notices` takes the warnings of what is read or loaded here.
    """

    options: RunOptions
    settings: Settings
    variables: VariableManager
    environment: TemplateEnvironment
    known: Known
    search: ModuleSearch
    log: int | None
    vault: VaultSecrets | None = None
    interactive: bool = False
    progress: bool = False
    notices: Notices = field(default_factory=Notices)

    def follow(self, position: int) -> None:
        """Bring, in a worker, the variables to a position of the log."""
        if self.log is not None:
            self.variables.store.advance(position)
