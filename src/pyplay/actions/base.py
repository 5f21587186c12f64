"""What an action is: the controller-side half of a task, run by the worker that owns the host."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any, Protocol

from pyplay.diagnostics.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from pyplay.connection.base import BecomeOptions, ConnectionOptions
    from pyplay.playbook.model import Task
    from pyplay.source.settings import Settings
    from pyplay.source.vault import VaultSecrets
    from pyplay.templating.templar import Templar


ASKS = "_ansible_asks"
"""What a result asks of the controller: `add_host`, `add_group` or `stats`, told by the key of that name.

Only an action of ours can ask: what a host sends has no keys that begin with `_ansible_` (`shipping.claims`).
"""

HIDES = "_ansible_no_log"
"""Whether the result of an action of ours is shown no more than under `no_log`. It is registered as it is."""


class ActionFailed(Exception):  # noqa: N818  # it is the task that failed
    """The task failed: `msg` says why, `result` holds further keys of its result. Caught where the task is run."""

    def __init__(self, msg: Any, **result: Any) -> None:
        self.msg, self.result = msg, result
        super().__init__(msg)


class Prompter(Protocol):
    """Asks the person at the controller's terminal. Implemented in `workers`."""

    async def ask(self, text: str, *, echo: bool, keep: bool = False) -> str | None:
        """Show `text` and return the line that was typed, None at the end of the input.

        With `keep` the answer holds for the run: who asks the same once more gets it at once.
        """
        ...

    async def pause(self, text: str, *, echo: bool, seconds: float | None) -> str | None:
        """Show `text` and return the line that was typed; None if there is no terminal, or `seconds` have passed.

        Raises ActionFailed if the person aborts.
        """
        ...

    async def show(self, text: str) -> None:
        """Show a line on the controller's output."""
        ...

    @property
    def interactive(self) -> bool:
        """Tell whether somebody can answer."""
        ...


class Remote(Protocol):
    """The host (or delegate) that a task talks to, as the actions see it. Implemented in `workers`."""

    async def module(
        self,
        name: str,
        args: Mapping[str, Any],
        *,
        blobs: Mapping[str, bytes | str] | None = None,
        check_mode: bool | None = None,
        sink: Callable[[bytes], None] | None = None,
        main: bool = False,
    ) -> dict[str, Any]:
        """Run module `name` on the host with rendered `args` and give its result.

        `blobs` are contents the module may ask for by name (bytes, or the path of a local file to stream): nothing is
        sent unless it asks. `sink` takes the bytes that the module streams back (fetch). Environment, become, module
        search, timeout and check mode (unless `check_mode` says otherwise) are those of the task. `main`: this is the
        task's own work, which goes to the background if the task says `async`.
        Raises HostUnreachable, BecomeError, RunnerError.
        """
        ...

    async def raw(self, command: str, *, executable: str | None = None, stdin: bytes = b"") -> dict[str, Any]:
        """Run a shell line over the connection without Python on the host; gives rc, stdout, stderr (text)."""
        ...

    async def reset(self) -> None:
        """Close the connection and its Runners; the next call makes them again."""
        ...

    async def route(self) -> tuple[ConnectionOptions, BecomeOptions | None]:
        """Give how the host is reached and as whom the task runs there, None for the user that logs in."""
        ...

    async def is_local(self) -> bool:
        """Tell whether the task runs on the controller's own host, without a connection."""
        ...


@dataclass(slots=True, kw_only=True)
class ActionCall:
    """One call of an action: one host, one loop item, templates rendered."""

    task: Task
    host: str  # the host the task is for (not the delegate)
    delegate: str | None
    args: dict[str, Any]
    templar: Templar
    remote: Remote
    check_mode: bool
    diff: bool
    verbosity: int
    search_path: tuple[str, ...]  # ansible_search_path: role, parent roles, playbook directory
    settings: Settings
    prompter: Prompter
    vault: VaultSecrets | None
    defaults: Callable[[str], dict[str, Any]]  # module_defaults of another module that the action calls, rendered
    render: Callable[..., Awaitable[Any]]  # render(function, *args): calls that render templates, or may block
    store: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict[str, dict[str, dict[str, Any]]])


class Action(Protocol):
    """The controller-side half of one module; gives the result with Ansible's keys.

    A failure of the task is a result with `failed: True`, not an exception.
    """

    def __call__(self, call: ActionCall) -> Awaitable[dict[str, Any]]:
        """Run the action for one host and item."""
        ...
