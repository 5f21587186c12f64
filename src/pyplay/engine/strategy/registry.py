"""Strategies by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from pyplay.diagnostics.errors import PlaybookError
from pyplay.diagnostics.late_modules import late_modules
from pyplay.diagnostics.model import Diagnostic, Origin, Severity
from pyplay.diagnostics.suggest import nearest
from pyplay.engine.strategy.linear import Linear

with late_modules("pyplay.engine.strategy.debug", "pyplay.engine.strategy.free"):
    from pyplay.engine.strategy import debug, free

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pyplay.engine.batch import Batch


class Strategy(Protocol):
    """Walks one batch of hosts through its play."""

    def run(self) -> None:
        """Walk until no host has a task left."""
        ...


STRATEGIES: Mapping[str, Callable[[Batch], Strategy]] = {
    "linear": Linear,
    "free": lambda batch: free.Free(batch),  # noqa: PLW0108  # loads it
    "host_pinned": lambda batch: free.HostPinned(batch),  # noqa: PLW0108  # loads it
    "debug": lambda batch: debug.Debug(batch),  # noqa: PLW0108  # loads it
}
"""The strategies, by the name that `strategy` gives, bare or as `ansible.builtin.X`."""

_FOREIGN = "mitogen_"


def find_strategy(name: str, origin: Origin | None, warn: Callable[[Diagnostic], None]) -> Callable[[Batch], Strategy]:
    """Give the strategy `name`; `mitogen_X` is X, with a warning. Raises PlaybookError for one that is not known."""
    short = name.removeprefix("ansible.builtin.").removeprefix("ansible.legacy.")
    if short.rpartition(".")[2].startswith(_FOREIGN):
        short = short.rpartition(".")[2].removeprefix(_FOREIGN)
        message = f"strategy {name} is taken as {short}: connections are kept open here anyway"
        warn(Diagnostic("foreign-strategy", message, origin, severity=Severity.WARNING))
    found = STRATEGIES.get(short)
    if found is None:
        close = nearest(short, STRATEGIES)
        help_ = f"did you mean {close!r}?" if close else "one of " + ", ".join(sorted(STRATEGIES))
        raise PlaybookError.of("unknown-strategy", f"strategy is not known: {name}", origin, help=help_)
    return found
