"""The host (or delegate) that one call of a task talks to. Implements `actions.base.Remote`.

Every call gets one, and many talk to nobody (`debug`): what talking takes is loaded with the first that does.
"""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from pyplay.actions.registry import find_action
from pyplay.connection.base import PLAIN_SHELL
from pyplay.connection.kinds import LOGIN_KINDS
from pyplay.diagnostics.errors import HostUnreachable, PyplayError, RunnerEnded, RunnerError
from pyplay.diagnostics.late_modules import late_modules
from pyplay.shipping.result import parse_result
from pyplay.shipping.search import needs_action
from pyplay.workers import option_words
from pyplay.workers.ahead import NotAhead
from pyplay.workers.keywords import environment_of
from pyplay.workers.option_words import defined_names
from pyplay.workers.values import variable

with late_modules(
    *("pyplay.connection.become", "pyplay.shipping.session", "pyplay.workers.connection_options", "secrets")
):
    import secrets

    from pyplay.connection import become
    from pyplay.shipping import session
    from pyplay.workers import connection_options

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from pyplay.connection.base import BecomeOptions, ConnectionOptions
    from pyplay.playbook.model import Task
    from pyplay.shipping.build import BuiltModule, ModuleBuilder
    from pyplay.shipping.client import RunnerClient
    from pyplay.workers.connection_options import Destination
    from pyplay.workers.connections import Connections
    from pyplay.workers.context import RemoteRequest, TaskContext

_CHUNK = 1 << 16
_QUICK = 1 << 16  # bytes of a result that are read within a millisecond
_ON_ERROR = "E-"  # before the marker on standard error
_NO_SUCH_PROGRAM = (126, 127)  # what a shell answers for a program that it cannot run


class Means(Protocol):
    """What the calls of one worker share; made when it is asked for (`reach.Reach`)."""

    @property
    def builder(self) -> ModuleBuilder:
        """What builds modules."""
        ...

    @property
    def connections(self) -> Connections:
        """The connections and Runners."""
        ...


class TaskRemote:
    """One call's way to its host; variables are read and connections made when they are first needed."""

    def __init__(self, request: RemoteRequest, context: TaskContext, means: Means) -> None:
        self._request, self._context, self._means = request, context, means
        self._destination: Destination | None = None
        self._environment: dict[str, str] = {}
        self._lost = request.lost

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
        """Run module `name` and give its result. Raises HostUnreachable, BecomeError, RunnerError, PlaybookError."""
        task = self._request.task
        module = self._means.builder.build(name, roles=_role_paths(task), collections=task.collections)
        if main and module.half and find_action(task.resolved_action) is None:
            raise needs_action(module.name, module.half)
        destination = await self._prepare()
        self._check_lost()
        turn = self._request.turn
        if turn is not None:
            turn.admit(module, destination)
            if "_source" in args:
                turn.made_of(str(args["_source"]))
        runner = await self._means.connections.runner(destination, self._request.owner)
        given = {**_for_json(args), **self._internal(module, destination, check_mode=check_mode)}
        interpreters = (
            await self._context.evaluator.run(self._interpreters, module, destination.connection.kind)
            if module.runs_with
            else None
        )
        background = self._request.background if main else None
        job = background.job() if background is not None else None
        try:
            answer = await runner.call(
                module,
                given,
                blobs=blobs or {},
                sink=sink,
                environment=self._environment,
                interpreters=interpreters,
                job=job,
                turn=turn,
            )
        except session.CallHeld:
            raise NotAhead from None
        except (HostUnreachable, RunnerError) as error:
            if turn is not None:
                await turn.due()
            if isinstance(error, RunnerEnded):
                raise await self._diagnosed(error, destination) from error
            raise
        if turn is not None:
            await turn.due()
        if len(answer.stdout) > _QUICK:
            result = await self._context.evaluator.in_thread(parse_result, answer)
        else:
            result = parse_result(answer)
        self._note_interpreter(result, runner, destination)
        return result

    async def _diagnosed(self, error: RunnerEnded, destination: Destination) -> PyplayError:
        """Tell a Runner that was killed from a host that is gone: where another one starts, only the module failed."""
        try:
            await self._means.connections.runner(destination, self._request.owner)
        except (PyplayError, OSError):
            return error
        return RunnerError(f"{error.reason}; it was ended on the host while the module ran")

    async def raw(self, command: str, *, executable: str | None = None, stdin: bytes = b"") -> dict[str, Any]:
        """Run a shell line without Python on the host; gives rc, stdout, stderr.

        Over SSH it is the login shell that reads the line, as with `ssh host 'line'`, unless a shell is named or
        become puts one between.
        """
        destination = await self._prepare()
        self._check_lost()
        connection = await self._means.connections.connection(destination.connection, self._request.owner)
        marker = f"PYPLAY-{secrets.token_hex(8)}"
        exports = "".join(f"export {name}={_quoted(value)}; " for name, value in self._environment.items())
        line = f"echo; echo {marker}; {exports}{command}"
        shell = executable or named_shell(destination)
        if destination.become is not None and executable is None:  # a POSIX shell, unlike what may be a login shell
            line = f"echo {_ON_ERROR}{marker} >&2; {line}"
        argv = ["eval", line] if shell is None else [shell, "-c", line]
        try:
            started = await become.start_program(connection, destination.become, argv, marker=marker)
        except become.NotStarted as error:
            if executable is None or error.status not in _NO_SUCH_PROGRAM:
                raise
            return {"rc": error.status, "stdout": "", "stderr": f"{error.said}\n"}
        process = started.process
        try:
            process.write(stdin)
            process.write_eof()
            out, error, status = await asyncio.gather(
                _all(process.read, started.rest),
                _all(process.read_error, started.errors),
                process.wait(),
            )
        finally:
            process.close()
        return {
            "rc": status,
            "stdout": out.decode("utf-8", "backslashreplace"),
            "stderr": _since(error, marker).decode("utf-8", "backslashreplace"),
        }

    async def reset(self) -> None:
        """Close the connection and its Runners; the next call makes them again."""
        self._lost = None
        await self._means.connections.drop((await self._prepare()).connection)
        self._destination = None

    async def route(self) -> tuple[ConnectionOptions, BecomeOptions | None]:
        """Give how the host is reached and as whom the task runs there, None for the user that logs in."""
        where = await self._prepare()
        return where.connection, where.become

    async def is_local(self) -> bool:
        """Tell whether the task runs on the controller's own host."""
        return (await self._prepare()).connection.kind == "local"

    def _check_lost(self) -> None:
        """Raise HostUnreachable if the host is known to be away."""
        if self._lost is not None:
            raise self._lost

    async def _prepare(self) -> Destination:
        """Read where the task runs and with which environment, once."""
        if self._destination is None:
            self._destination, self._environment = await self._context.evaluator.run(self._read)
        return self._destination

    def _interpreters(self, module: BuiltModule, kind: str) -> dict[str, str] | None:
        """Give what `ansible_ruby_interpreter` and the like say of the program that runs the module."""
        request = self._request
        there = self._context.variables.templar(request.target, request.play, request.task)
        name, seen = f"ansible_{module.runs_with}_interpreter", there.with_vars(request.overlay)
        value = variable(seen, name)
        if value is not None:
            option_words.check_program(name, seen.scope.get(name), value, kind, request.target)
        return None if value is None else {module.runs_with: str(value)}

    def _read(self) -> tuple[Destination, dict[str, str]]:
        request, context = self._request, self._context
        there = context.variables.templar(request.target, request.play, request.task)
        if request.turn is not None:
            there = request.turn.watched(there)
        reader = connection_options.OptionReader(
            request.target,
            there.with_vars(request.overlay) if request.overlay else there,
            request.task,
            context.options,
            context.settings,
            defined=defined_names(there.scope, request.overlay),
            delegated=request.target != request.owner,
            engines=context.engines,
        )
        return context.destinations.read(reader), environment_of(request.templar, request.task)

    def _internal(self, module: BuiltModule, destination: Destination, *, check_mode: bool | None) -> dict[str, Any]:
        """Give the arguments that every module gets beside its own; foreign modules need all of them."""
        request, settings = self._request, self._context.settings
        return {
            "_ansible_check_mode": request.check_mode if check_mode is None else check_mode,
            "_ansible_diff": request.diff,
            "_ansible_no_log": request.private or settings.no_target_syslog,  # modules ask it before they log
            "_ansible_verbosity": self._context.options.verbosity,
            "_ansible_debug": False,
            "_ansible_module_name": module.name,
            "_ansible_version": settings.compatible_version,
            "_ansible_syslog_facility": settings.syslog_facility,
            "_ansible_target_log_info": settings.target_log_info,
            "_ansible_selinux_special_fs": list(settings.special_context_filesystems),
            "_ansible_string_conversion_action": "warn",
            "_ansible_keep_remote_files": False,
            "_ansible_socket": None,
            "_ansible_shell_executable": destination.connection.shell_executable,
            "_ansible_tmpdir": None,
            "_ansible_remote_tmp": settings.remote_tmp,
        }

    def _note_interpreter(self, result: dict[str, Any], runner: RunnerClient, destination: Destination) -> None:
        """Tell which Python was found, as a fact, where it was searched for: once, and when it was cleared."""
        found, request = runner.interpreter, self._request
        if not found.discovered or request.target != request.owner:
            return
        if not self._means.connections.to_be_noted(request.owner, request.task.id, self._interpreter_known):
            return
        facts: dict[str, Any] = result.setdefault("ansible_facts", {})
        facts.setdefault("discovered_interpreter_python", found.path)
        if found.last_resort and not destination.silent:
            tried = ", ".join(destination.candidates)
            warning = f"No python interpreters found for host '{request.target}' among {tried}: {found.path} is taken"
            result["warnings"] = [*(result.get("warnings") or ()), warning]

    def _interpreter_known(self) -> bool:
        facts = self._request.templar.scope.get("ansible_facts")
        return isinstance(facts, Mapping) and "discovered_interpreter_python" in facts


def _role_paths(task: Task) -> tuple[str, ...]:
    """Give the directories of the task's role and those that brought it, nearest first."""
    role = task.role
    return () if role is None else (role.path, *(parent.path for parent in role.parents))


def named_shell(destination: Destination) -> str | None:
    """Give the shell for raw lines, None where it is the login shell of the SSH user."""
    shell = destination.connection.shell_executable
    logs_in = destination.connection.kind in LOGIN_KINDS and destination.become is None
    return None if logs_in and shell == PLAIN_SHELL else shell


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _since(errors: bytes, marker: str) -> bytes:
    """Give what was written to standard error since the line began: all of it where no marker tells."""
    before, told, after = errors.partition(f"{_ON_ERROR}{marker}\n".encode())
    return after if told else before


async def _all(read: Callable[[int], Awaitable[bytes]], first: bytes) -> bytes:
    """Return all that a stream gives. Raises RunnerError where that is more than a module may write."""
    pieces, size = [first], len(first)
    while data := await read(_CHUNK):
        pieces.append(data)
        size += len(data)
        if size > session.MAX_OUTPUT:
            raise RunnerError(f"the command wrote more than {session.MAX_OUTPUT} bytes")
    return b"".join(pieces)


def _for_json(value: Any) -> Any:
    """Give `value` with what JSON does not know replaced: dates as ISO text, sets and tuples as lists."""
    if isinstance(value, dict):
        return {str(key): _for_json(member) for key, member in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]  # any
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_for_json(member) for member in value]  # pyright: ignore[reportUnknownVariableType]  # any
    if isinstance(value, (dt.date, dt.time)):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    return value
