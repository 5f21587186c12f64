"""`hostvars`: the variables of every host, rendered in that host's own context when they are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyplay.templating.context import NameView, VarsView

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyplay.templating.templar import Templar
    from pyplay.variables.manager import VariableManager


class HostVars(NameView):
    """Hosts by name. Iterating gives the hosts of the inventory; the implicit localhost can be asked for, too.

    What one sees of a host are its inventory variables, facts, set facts and registered results, and the magic
    variables that do not depend on a play: nothing of plays, roles and tasks. `basedir` is the directory whose
    `group_vars` and `host_vars` count, that of the play which asks. Source: observed in ansible-core 2.21.
    """

    def __init__(
        self, manager: VariableManager, basedir: str, through: Callable[[Templar], Templar] | None = None
    ) -> None:
        self._manager, self._basedir, self._through = manager, basedir, through

    def seen_by(self, through: Callable[[Templar], Templar]) -> HostVars:
        """Return these variables as they are read by what `through` makes of each host's templar."""
        return HostVars(self._manager, self._basedir, through)

    def __getitem__(self, name: str) -> VarsView:
        templar = self._manager.host_templar(name, self._basedir)
        return VarsView(templar if self._through is None else self._through(templar))

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._manager.inventory.get_host(name) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._manager.inventory.hosts)

    def __len__(self) -> int:
        return len(self._manager.inventory.hosts)

    def described(self) -> str:
        """Give what messages call this mapping."""
        return "hostvars"

    def __repr__(self) -> str:
        return f"<hostvars of {len(self)} hosts>"
