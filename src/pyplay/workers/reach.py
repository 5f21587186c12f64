"""How the tasks of one worker reach hosts. What that takes is loaded and made with the first task that does."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pyplay.workers.remote import TaskRemote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pyplay.actions.base import Prompter
    from pyplay.connection.base import Connection
    from pyplay.diagnostics.model import Diagnostic
    from pyplay.shipping.build import ModuleBuilder
    from pyplay.shipping.client import RunnerClient
    from pyplay.workers.connection_options import Destination
    from pyplay.workers.connections import Connections
    from pyplay.workers.context import RemoteRequest, TaskContext
    from pyplay.workers.setup import WorkerSetup


class Reach:
    """Connections, Runners and built modules of one worker. `tell` takes what is found out about connections."""

    def __init__(self, setup: WorkerSetup, prompter: Prompter, tell: Callable[[Diagnostic], None]) -> None:
        self._setup, self._prompter, self._tell = setup, prompter, tell
        self._builder: ModuleBuilder | None = None
        self._connections: Connections | None = None

    def remote(self, request: RemoteRequest, context: TaskContext) -> TaskRemote:
        """Give one call's way to its host."""
        return TaskRemote(request, context, self)

    @property
    def builder(self) -> ModuleBuilder:
        """What builds modules."""
        if self._builder is None:
            from pyplay.shipping.build import ModuleBuilder  # noqa: PLC0415  # as said above

            self._builder = ModuleBuilder(self._setup.search)
        return self._builder

    @property
    def connections(self) -> Connections:
        """The connections and Runners."""
        if self._connections is None:
            self._connections = self._made_connections()
        return self._connections

    def _made_connections(self) -> Connections:
        from pyplay.connection.open import Connector  # noqa: PLC0415  # as said above
        from pyplay.workers.connections import Connections  # noqa: PLC0415
        from pyplay.workers.host_keys import host_key_asker  # noqa: PLC0415
        from pyplay.workers.passphrases import passphrase_asker  # noqa: PLC0415

        connector = Connector(
            ask_host_key=host_key_asker(self._prompter),
            ask_passphrase=passphrase_asker(self._prompter),
            tell=self._tell,
        )
        return Connections(connector, partial(start_runner, share=self._setup.settings.share_process))

    async def release(self, hosts: Iterable[str]) -> None:
        """Close what only `hosts` used."""
        if self._connections is not None:
            await self._connections.release(hosts)

    async def reset(self, host: str) -> None:
        """Drop the connections of `host`, and its Runners."""
        if self._connections is not None:
            await self._connections.reset(host)

    async def close(self) -> None:
        """Close everything."""
        if self._connections is not None:
            await self._connections.close()


async def start_runner(connection: Connection, destination: Destination, *, share: bool = True) -> RunnerClient:
    """Start a Runner over `connection`, as the destination says; `share` as for `RunnerClient.start`.

    Raises BecomeError, RunnerError, HostUnreachable.
    """
    from pyplay.shipping.client import RunnerClient  # noqa: PLC0415  # as said above

    options = destination.connection
    return await RunnerClient.start(
        connection,
        destination.become,
        destination.interpreter,
        host=options.host,
        address=options.address,
        candidates=destination.candidates,
        share=share,
    )
