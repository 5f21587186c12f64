"""Calling modules on a host: a Runner that is started once, renewed when it must be, and asked many times."""

from __future__ import annotations

import asyncio
import json
import shlex
from typing import TYPE_CHECKING, Any

from pyplay.connection.become import NotStarted, start_program
from pyplay.diagnostics.dataclass import dataclass
from pyplay.diagnostics.errors import HostUnreachable, RunnerError
from pyplay.shipping.bytecode import BYTECODE
from pyplay.shipping.interpreter import (
    CANDIDATES,
    explain_end,
    explain_no_process,
    explain_refused,
    has_no_process,
    interpreter_command,
    never_ran,
    new_marker,
    parse_hello,
)
from pyplay.shipping.payload import runner_payload
from pyplay.shipping.session import CallHeld, RunnerSession, RunnerStale

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pyplay.connection.base import BecomeOptions, Connection
    from pyplay.shipping.build import BuiltModule
    from pyplay.shipping.interpreter import Interpreter
    from pyplay.shipping.result import CallResult
    from pyplay.shipping.session import Blob
    from pyplay.shipping.turn import Turn

START_TIMEOUT = 30.0
SHARED = 1 << 14  # bytes of arguments: larger calls take a process of their own, which gives the memory back
RENEWALS = 8  # Runners that may find, one after another, that what they run on has changed since they were started
FRESH = ("LD_", "PYTHON")  # what these variables do is decided when a program starts


@dataclass(frozen=True, slots=True)
class AsyncJob:
    """That a call is to outlive itself (`async`).

    The call answers at once with `started`, `finished`, `ansible_job_id`, `results_file`; the module goes on by itself
    for at most `limit` seconds (0: without end), even if Runner and connection end. `directory`/`jid` on the host holds
    `{"started": 1, "finished": 0, …}` while it runs, then the module's result with `finished` and `elapsed`, or
    `failed` with `msg` ("Timeout exceeded" after `limit`). Without `directory` it is the host's ANSIBLE_ASYNC_DIR, or
    ~/.ansible_async.
    """

    jid: str
    limit: int
    directory: str | None = None


class RunnerClient:
    """Modules on one host as one user under one interpreter. Calls may be made side by side."""

    def __init__(
        self,
        connection: Connection,
        become: BecomeOptions | None,
        interpreter: str | None,
        *,
        host: str,
        address: str,
        timeout: float = START_TIMEOUT,
        candidates: Sequence[str] = CANDIDATES,
        share: bool = True,
    ) -> None:
        self._connection = connection
        self._share = share
        self._become = become
        self._wanted, self._candidates = interpreter, candidates
        self._host, self._address = host, address
        self._timeout = timeout
        self._session: RunnerSession | None = None
        self.marker = ""  # the word in the command line of the Runner's processes, to find them by
        self._renewing = asyncio.Lock()
        self._outdated: RunnerSession | None = None  # takes no further calls
        self._old: set[asyncio.Task[None]] = set()

    @classmethod
    async def start(
        cls,
        connection: Connection,
        become: BecomeOptions | None = None,
        interpreter: str | None = None,
        *,
        host: str = "",
        address: str = "",
        timeout: float = START_TIMEOUT,  # noqa: ASYNC109  # a bound with an error of its own
        candidates: Sequence[str] = CANDIDATES,
        share: bool = True,
    ) -> RunnerClient:
        """Start a Runner over `connection`, as another user where `become` says so.

        `interpreter` is ansible_python_interpreter; None and the `auto` words have it searched for
        among `candidates`. `host` and
        `address` are for messages, `timeout` bounds becoming and starting (seconds). `share`: modules that leave
        a process as they found it may run in one, one after another.
        Raises BecomeError, RunnerError (no usable Python), HostUnreachable.
        """
        client = cls(
            connection,
            become,
            interpreter,
            host=host,
            address=address,
            timeout=timeout,
            candidates=candidates,
            share=share,
        )
        client._session = await client._begin()
        return client

    @property
    def alive(self) -> bool:
        """Whether the Runner is there as far as is known without asking."""
        return self._session is not None and self._session.alive

    @property
    def interpreter(self) -> Interpreter:
        """The Python that runs on the host; `discovered` says whether it was searched for."""
        if self._session is None:
            raise RunnerError("the Runner was not started")
        return self._session.interpreter

    async def call(
        self,
        module: BuiltModule,
        args: Mapping[str, Any],
        *,
        blobs: Mapping[str, Blob] | None = None,
        sink: Callable[[bytes], None] | None = None,
        on_line: Callable[[str], None] | None = None,
        environment: Mapping[str, str] | None = None,
        interpreters: Mapping[str, str] | None = None,
        job: AsyncJob | None = None,
        turn: Turn | None = None,
        timeout: float | None = None,  # noqa: ASYNC109  # enforced on the host too
    ) -> CallResult:
        """Run `module` with `args` (option values together with the `_ansible_*` ones).

        `blobs` are contents that the module may ask for by name: bytes, or the path of a local file. `sink` takes what
        it streams back, `on_line` lines to show while it runs. `environment` is the task's; `job` makes it
        an async job, see there. `turn` is its place in a lane. After `timeout` seconds the
        module's process group is ended and TimeoutError raised; cancelling the call ends it as well.
        `interpreters` says what runs programs of other languages, not what their first line names (`ruby` → path).
        Raises HostUnreachable if the Runner is lost, RunnerError if the host cannot run the module, CallHeld if it was
        sent ahead and not started.
        """
        encoded = json.dumps({"ANSIBLE_MODULE_ARGS": args}).encode("utf-8", "surrogateescape")
        plain = _plain_arguments(module, args)
        options: dict[str, Any] = {"env": dict(environment)} if environment else {}
        if environment and module.style in ("pyplay", "python") and any(n.startswith(FRESH) for n in environment):
            options["fresh"] = True
        if self._share and not environment and job is None and _may_share(module, args, len(encoded)):
            options["shared"] = True
        if interpreters:
            options["interpreters"] = dict(interpreters)
        if job is not None:
            options["job"] = {"jid": job.jid, "limit": job.limit, "dir": job.directory}
        if turn is not None:
            options["lane"] = turn.lane
            options["group"] = turn.group
            if turn.follows is not None:
                options["follows"] = turn.follows
        async with asyncio.timeout(timeout):
            for _ in range(RENEWALS):
                session = await self._current()
                if turn is not None and not turn.goes(session):
                    raise CallHeld
                try:
                    return await session.call(
                        module,
                        encoded,
                        plain=plain,
                        blobs=blobs,
                        sink=sink,
                        on_line=on_line,
                        options=options,
                        on_sent=turn.sent if turn is not None else None,
                    )
                except RunnerStale:
                    if turn is not None:
                        turn.withdrawn()
                        if turn.follows is not None:
                            raise CallHeld from None
                    await self._renew(session)
            raise RunnerError(f"the host started no call: {RENEWALS} Runners one after another wanted to be renewed")

    def renew(self) -> None:
        """Have the next call start a new Runner; the calls that run end in peace in the old one."""
        self._outdated = self._session

    async def close(self) -> None:
        """End the Runner and the calls that still run in it."""
        for task in self._old:
            task.cancel()
        if self._session is not None:
            await self._session.close()

    async def _current(self) -> RunnerSession:
        if self._session is None:
            raise RunnerError("the Runner was not started")
        if self._session is self._outdated:
            await self._renew(self._session)
        return self._session

    async def _renew(self, stale: RunnerSession) -> None:
        """Put a new Runner into the place of one that must not start calls any more; its running calls end in peace."""
        async with self._renewing:
            if self._session is not stale:
                return
            self._session = await self._begin()
        task = asyncio.create_task(_retire(stale))
        self._old.add(task)
        task.add_done_callback(self._old.discard)

    async def _begin(self) -> RunnerSession:
        self.marker = marker = new_marker()
        argv = interpreter_command(self._wanted, marker, self._candidates)
        far = self._connection.far
        first = runner_payload() if far else b""
        try:
            started = await start_program(
                self._connection, self._become, argv, marker=marker, first=first, timeout=self._timeout
            )
        except NotStarted as error:
            if has_no_process(error.said):
                raise RunnerError(explain_no_process(error.said)) from error
            if error.status is not None and self._become is None and never_ran(self._wanted, error.status):
                raise HostUnreachable(self._host, self._address, explain_refused(error.status, error.said)) from error
            raise RunnerError(explain_end(self._wanted, error.status, error.said)) from error
        try:
            interpreter = parse_hello(started.line, self._wanted, self._candidates)
        except BaseException:
            started.process.close()
            raise
        compiled = not far and interpreter.bytecode == BYTECODE
        if not far:
            started.process.write(runner_payload(compiled=compiled))
        return RunnerSession(
            started.process,
            interpreter,
            self._host,
            self._address,
            become=self._become is not None,
            compiled=compiled,
            rest=started.rest,
        )


async def _retire(session: RunnerSession) -> None:
    """Close a Runner once its calls have ended."""
    try:
        await session.wait_idle()
    finally:
        await session.close()


def _may_share(module: BuiltModule, args: Mapping[str, Any], size: int) -> bool:
    """Tell whether a call may run in a process that others have used: see `remote.hand`."""
    return module.alone is not None and size <= SHARED and not any(args.get(name) for name in module.alone)


def _plain_arguments(module: BuiltModule, args: Mapping[str, Any]) -> bytes:
    """Give the content of the file of arguments where it is not the JSON of standard input, else b""."""
    match module.style:
        case "key_value":
            return " ".join(f"{name}={shlex.quote(str(value))}" for name, value in args.items()).encode()
        case "want_json" | "binary":
            return json.dumps(args).encode()
        case _:
            return b""
