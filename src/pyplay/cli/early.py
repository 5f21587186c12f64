"""What is found wrong with plays before any host is touched: the early check with what a session knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyplay.actions.early_check import EarlyCheck
from pyplay.actions.tables import OptionTables
from pyplay.diagnostics.errors import AuthorError, PlaybookError
from pyplay.diagnostics.model import Severity
from pyplay.engine.render import Renderer, flattened
from pyplay.inventory.patterns import select
from pyplay.playbook.places import search_path
from pyplay.templating.scope import MISSING
from pyplay.workers.values import variable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyplay.cli.session import Session
    from pyplay.engine.context import Variables
    from pyplay.inventory.members import Host
    from pyplay.playbook.model import Play, Task

_ASKED = 200  # hosts whose variables are looked at
_HERE = ("localhost", "127.", "::1")
_ELSEWHERE = ("ssh", "openssh", "smart", "paramiko", "paramiko_ssh")


def check_plays(session: Session, plays: Sequence[Play], variables: Variables, *, run: bool) -> None:
    """Warn of what may go wrong with `plays`, and raise PlaybookError with all that is sure to.

    `run`: they are about to run on the hosts of the inventory; a play without hosts is then not judged as strictly.
    """
    around = _Plays(session, variables, run=run)
    checker = EarlyCheck(
        OptionTables(session.search),
        session.options,
        around,
        missing_handlers_fail=session.settings.error_on_missing_handler,
    )
    faults = checker.check(plays)
    errors = [fault for fault in faults if fault.severity is Severity.ERROR]
    for fault in faults:
        if fault.severity is not Severity.ERROR:
            session.warn(fault)
    if errors:
        raise PlaybookError(errors)


class _Plays:
    """Answers of the inventory and the variables about plays."""

    def __init__(self, session: Session, variables: Variables, *, run: bool) -> None:
        self._session, self._variables, self._run = session, variables, run
        self._hosts: dict[int, list[Host]] = {}

    def has_hosts(self, play: Play) -> bool:
        """Tell whether the play has hosts; before --syntax-check that does not matter."""
        return not self._run or bool(self._hosts_of(play))

    def runs_here(self, play: Play) -> bool:
        """Tell whether a host of the play is, or may be, this machine."""
        hosts = self._hosts_of(play)
        return not hosts or any(self._is_here(host, play) for host in hosts)

    def search_path(self, play: Play, task: Task) -> Sequence[str]:
        """Give where files that the task names are searched."""
        return search_path(play, task)

    def has_variable(self, play: Play, task: Task, name: str) -> bool:
        """Tell whether variable `name` is, or may be, defined for `task` on a host of the play before it begins."""
        hosts = self._hosts_of(play)
        if not hosts or len(hosts) > _ASKED:
            return True  # not known, or not looked at: a fault is told when the role is reached
        return any(self._variables.templar(host.name, play, task).scope.get(name) is not MISSING for host in hosts)

    def _hosts_of(self, play: Play) -> list[Host]:
        if play.id not in self._hosts:
            session = self._session
            try:
                pattern = flattened(Renderer(self._variables, play).value(play.hosts))
                chosen = select(session.inventory, ",".join(map(str, pattern)), limit=session.options.limit)
            except AuthorError:
                chosen = []  # told, or known, when the play begins
            self._hosts[play.id] = chosen
        return self._hosts[play.id]

    def _is_here(self, host: Host, play: Play) -> bool:
        try:
            templar = self._variables.templar(host.name, play)
            connection: Any = variable(templar, "ansible_connection") or play.keywords.get("connection")
            address = str(variable(templar, "ansible_host") or host.name)
        except AuthorError:
            return True
        connection = connection or self._session.options.connection or "ssh"
        return str(connection) not in _ELSEWHERE or address.startswith(_HERE)
