"""One live Runner: frames over one process, calls side by side, a heartbeat."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyplay.diagnostics.dataclass import dataclass
from pyplay.diagnostics.errors import HostUnreachable, PyplayError, RunnerEnded, RunnerError
from pyplay.shipping.frames import HEAD, FrameSplitter, Kind, encode_frame
from pyplay.shipping.result import CallResult

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping

    from pyplay.connection.base import Process
    from pyplay.shipping.build import BuiltModule
    from pyplay.shipping.frames import Frame
    from pyplay.shipping.interpreter import Interpreter

PIECE = 1 << 17
WINDOW = 16  # pieces under way to a module that takes them slowly
SPARE = 16  # contents that a module may ask for beside those that it is offered, twice each
EAGER = 1 << 16
MAX_OUTPUT = 1 << 28
MAX_ERRORS = 1 << 24  # bytes that a Runner may write to standard error, which is for its last words alone
HEARTBEAT = 30.0
GRACE = 30.0

Blob = bytes | str  # content, or the path of a local file


class RunnerStale(Exception):  # noqa: N818  # an answer, not a fault
    """The Runner did not start the call: what it runs as, or on, has changed since it was started."""


class CallHeld(Exception):  # noqa: N818  # an answer, not a fault
    """The Runner did not start the call, which was sent ahead: it was not sure that its turn would come."""


@dataclass(slots=True)
class _Call:
    """A call that has not been answered yet."""

    answer: asyncio.Future[CallResult]
    blobs: Mapping[str, Blob]
    sink: Callable[[bytes], None] | None
    on_line: Callable[[str], None] | None
    lane: int = 0
    out: list[bytes] = field(default_factory=list[bytes])
    err: list[bytes] = field(default_factory=list[bytes])
    size: int = 0
    streamed: int = 0
    window: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(WINDOW))
    pieces: int = 0  # sent and not acknowledged
    needs: int = 0  # contents asked for
    feeders: set[asyncio.Task[None]] = field(default_factory=set["asyncio.Task[None]"])


class RunnerSession:
    """The controller's end of one Runner. Made by `RunnerClient`."""

    def __init__(
        self,
        process: Process,
        interpreter: Interpreter,
        host: str,
        address: str,
        *,
        become: bool,
        compiled: bool,
        rest: bytes,
    ) -> None:
        self._process = process
        self._compiled = compiled  # what is ours travels as code
        self.interpreter = interpreter
        self._host, self._address = host, address
        self._calls: dict[int, _Call] = {}
        self._number = 0
        self._sent: set[str] = set()
        self._pings = 0  # not answered yet
        self._stray = 0  # bytes for calls that nobody waits for
        self._asks = False  # whether the last module that was offered content asked for it
        self._splitter = FrameSplitter()
        self._lost: Exception | None = None
        self._said = bytearray()
        loop = asyncio.get_running_loop()
        self._loop = loop
        self._heard = self._wrote = loop.time()
        self._timer = loop.call_later(HEARTBEAT / 3, self._beat, loop.time())
        setup = {"heartbeat": HEARTBEAT, "grace": GRACE, "become": become}
        process.write(encode_frame(Kind.SETUP, 0, setup))
        self._tasks = [asyncio.create_task(self._listen(rest)), asyncio.create_task(self._listen_error())]
        self._tasks[0].add_done_callback(self._stopped)

    @property
    def alive(self) -> bool:
        """Whether the Runner is there as far as is known."""
        return self._lost is None

    @property
    def idle(self) -> bool:
        """Whether no call is under way."""
        return not self._calls

    async def wait_idle(self) -> None:
        """Wait until every call has been answered, or the Runner is lost."""
        while self._calls and self._lost is None:
            await asyncio.wait([call.answer for call in self._calls.values()])
            await asyncio.sleep(0)  # lets the callers take their answers off the list

    async def call(
        self,
        module: BuiltModule,
        args: bytes,
        *,
        plain: bytes = b"",
        blobs: Mapping[str, Blob] | None = None,
        sink: Callable[[bytes], None] | None = None,
        on_line: Callable[[str], None] | None = None,
        options: Mapping[str, Any] | None = None,
        on_sent: Callable[[], None] | None = None,
    ) -> CallResult:
        """Run a module with encoded arguments; `on_sent` is called when they are on their way.

        Cancelling it has the Runner end the module.

        Raises RunnerStale if the Runner must be made anew first, CallHeld if a call sent ahead was not started,
        HostUnreachable if the Runner is lost, RunnerError.
        """
        if self._lost is not None:
            raise self._lost
        self._number += 1
        number = self._number
        options = options or {}
        call = _Call(self._loop.create_future(), blobs or {}, sink, on_line, options.get("lane", 0))
        data = self._call_frame(number, module, args, plain, call, options)
        self._calls[number] = call
        self._write(data)
        if on_sent is not None:
            on_sent()
        try:
            if len(data) > PIECE:
                await self._process.drain()
            return await call.answer
        except asyncio.CancelledError:
            if self._lost is None:
                self._write(encode_frame(Kind.CANCEL, number))
            raise
        finally:
            self._calls.pop(number, None)
            for task in call.feeders:
                task.cancel()

    async def close(self) -> None:
        """Close the Runner's input, which ends it, and let go of the process."""
        self._lost = self._lost or HostUnreachable(self._host, self._address, "the connection was closed")
        self._timer.cancel()
        self._process.write(encode_frame(Kind.CANCEL, 0))  # a terminal passes no end of input
        self._process.write_eof()
        if self.idle:
            with suppress(TimeoutError, PyplayError):
                await asyncio.wait_for(self._process.wait(), 2)
        self._fail(self._lost)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # -- sending ------------------------------------------------------------------------------------------------

    def _write(self, data: bytes) -> None:
        self._wrote = self._loop.time()
        self._process.write(data)

    def _call_frame(  # noqa: PLR0917  # `call`, cut out for its length
        self, number: int, module: BuiltModule, args: bytes, plain: bytes, call: _Call, options: Mapping[str, Any]
    ) -> bytes:
        """Give the frame of a call; with it go the module's parts that this Runner has not got yet."""
        header: dict[str, Any] = {"module": module.digest, "args": len(args), **options}
        body: list[bytes] = []
        new: list[list[Any]] = []
        if module.digest not in self._sent:
            fresh = {part.digest: part for part in (module.main, *module.parts) if part.digest not in self._sent}
            header["describe"] = module.description
            for part in fresh.values():
                as_code = self._compiled and bool(part.code)
                body.append(part.code if as_code else part.packed)
                new.append([part.digest, len(body[-1]), as_code])
            header["new"] = new
            self._sent.update(fresh, (module.digest,))
        body.append(args)
        if plain:
            header["plain"] = True
            body.append(plain)
        elif call.blobs or call.sink or call.on_line:
            header["channel"] = True
            along = self._along(call.blobs, everything="job" in options)
            header["blobs"] = [[name, len(content)] for name, content in along.items()]
            body += along.values()
        return encode_frame(Kind.CALL, number, header, b"".join(body))

    def _along(self, blobs: Mapping[str, Blob], *, everything: bool) -> dict[str, bytes]:
        """Give the contents that ride with the call: small ones, while modules do ask for what they are offered.

        A run that changes things saves a round trip per file; one that changes nothing sends no content. A job gets
        everything, since it outlives the channel.
        """
        if not self._asks and not everything:
            return {}
        along: dict[str, bytes] = {}
        for name, blob in blobs.items():
            if isinstance(blob, bytes):
                if everything or len(blob) <= EAGER:
                    along[name] = blob
            elif everything or Path(blob).stat().st_size <= EAGER:
                along[name] = Path(blob).read_bytes()
        return along

    async def _feed(self, number: int, call: _Call, name: str) -> None:
        """Send a content that a module asked for, piece by piece, no faster than the module takes it."""
        self._asks = True
        blob = call.blobs.get(name)
        if blob is None:
            call.pieces += 1
            self._write(encode_frame(Kind.CHUNK, number, {"missing": True}))
            return
        try:
            async for piece in _pieces(blob):
                await call.window.acquire()
                call.pieces += 1
                self._write(encode_frame(Kind.CHUNK, number, None, piece))
                await self._process.drain()
        except OSError as error:
            if not call.answer.done():
                call.answer.set_exception(RunnerError(f"{blob!r}: {error.strerror}"))
            self._write(encode_frame(Kind.CANCEL, number))
            return
        call.pieces += 1
        self._write(encode_frame(Kind.CHUNK, number))

    def _beat(self, planned: float) -> None:
        """Keep the Runner from thinking us gone, and notice that it is."""
        now = self._loop.time()
        every = HEARTBEAT / 3
        late = now - planned > 2 * every  # this process slept: what was sent to it is still to be read
        if now - self._heard > HEARTBEAT and not late:
            self._break(self._gone(f"nothing was heard of it for {now - self._heard:.0f} s"))
            return
        if now - self._wrote >= every * 0.9 or now - self._heard >= every * 0.9:
            self._pings += 1
            self._write(encode_frame(Kind.PING, 0))
        self._timer = self._loop.call_later(every, self._beat, now)

    # -- receiving ----------------------------------------------------------------------------------------------

    async def _listen(self, rest: bytes) -> None:
        """Take frames until the Runner ends."""
        try:
            self._take(rest)
            while data := await self._process.read(1 << 18):
                self._heard = self._loop.time()
                self._take(data)
        except PyplayError as error:
            self._break(error)
            return
        status = await self._process.wait()
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(self._tasks[1]), 0.2)
        said = self._said.decode("utf-8", "replace").strip()
        tail = f": {said}" if said else ""
        self._fail(RunnerEnded(self._host, self._address, f"the Runner ended (status {status}){tail}"))

    def _stopped(self, listening: asyncio.Task[None]) -> None:
        """Let no call wait for ever, should a bug of ours have ended the listening."""
        error = None if listening.cancelled() else listening.exception()
        if isinstance(error, Exception):
            self._break(error)

    async def _listen_error(self) -> None:
        """Keep standard error from filling up; its end tells why a Runner died."""
        size = 0
        with suppress(PyplayError):
            while data := await self._process.read_error(65536):
                self._said += data
                del self._said[:-4096]
                size += len(data)
                if size > MAX_ERRORS:
                    self._break(RunnerError(f"the Runner wrote more than {MAX_ERRORS} bytes to standard error"))
                    return

    def _take(self, data: bytes) -> None:
        for frame in self._splitter.feed(data):
            call = self._calls.get(frame.call)
            if call is not None and not call.answer.done():
                try:
                    self._act(call, frame)
                except OSError as error:  # the sink's
                    call.answer.set_exception(error)
            elif frame.kind == Kind.PING and self._pings:
                self._pings -= 1
            else:
                self._pass_over(frame)

    def _pass_over(self, frame: Frame) -> None:
        """Take a frame of a call that nobody waits for any more. Raises RunnerError if there was no such call."""
        self._stray += HEAD + len(frame.body)
        if not 0 < frame.call <= self._number or self._stray > MAX_OUTPUT:
            raise _unasked(frame)

    def _act(self, call: _Call, frame: Frame) -> None:
        """Act on a frame of a call that still waits. Raises RunnerError for what it cannot be about."""
        match frame.kind:
            case Kind.RESULT:
                self._finish(call, frame)
            case Kind.OUT | Kind.ERR:
                self._collect(call, frame)
            case Kind.LINE if call.on_line is not None:
                self._collect(call, frame)
            case Kind.NEED:
                call.needs += 1
                if call.needs > 2 * len(call.blobs) + SPARE:
                    raise _unasked(frame)
                name = frame.body.decode("utf-8", "replace")
                task = asyncio.create_task(self._feed(frame.call, call, name))
                call.feeders.add(task)
                task.add_done_callback(call.feeders.discard)
            case Kind.ACK if call.pieces:
                call.pieces -= 1
                call.window.release()
            case Kind.STREAM if call.sink is not None:
                call.streamed += len(frame.body)
                call.sink(frame.body)
            case Kind.RENEW:
                self._sent.clear()
                call.answer.set_exception(RunnerStale())
            case Kind.BARRED if call.lane:
                call.answer.set_exception(CallHeld())
            case _:
                raise _unasked(frame)

    def _collect(self, call: _Call, frame: Frame) -> None:
        call.size += len(frame.body)
        if call.size > MAX_OUTPUT:
            self._write(encode_frame(Kind.CANCEL, frame.call))
            call.answer.set_exception(RunnerError(f"the module wrote more than {MAX_OUTPUT} bytes"))
        elif frame.kind == Kind.LINE and call.on_line is not None:
            call.on_line(frame.body.decode("utf-8", "replace"))
        else:
            (call.out if frame.kind == Kind.OUT else call.err).append(frame.body)

    def _finish(self, call: _Call, frame: Frame) -> None:
        if "error" in frame.header:
            call.answer.set_exception(RunnerError(f"the host cannot run the module: {frame.header['error']}"))
            return
        if call.blobs and not call.feeders and not frame.header["used"] and self._asks:
            self._asks = False
        out = frame.header["out"]
        call.out.append(frame.body[:out])
        call.err.append(frame.body[out:])
        call.answer.set_result(CallResult(frame.header["rc"], b"".join(call.out), b"".join(call.err), call.streamed))

    def _break(self, error: Exception) -> None:
        """Give the Runner up: its host does not do as Runners do, or is gone."""
        self._fail(error)
        self._process.close()

    def _gone(self, reason: str) -> HostUnreachable:
        return HostUnreachable(self._host, self._address, reason)

    def _fail(self, error: Exception) -> None:
        """The Runner is lost: so are all of its calls. Where it is known to have ended, one of a lane was started."""
        self._lost = self._lost or error
        self._timer.cancel()
        begun = set[int]()
        for call in self._calls.values():
            if call.answer.done():
                continue
            held = call.lane in begun and isinstance(error, RunnerEnded)
            call.answer.set_exception(CallHeld() if held else error)
            if call.lane:
                begun.add(call.lane)


def _unasked(frame: Frame) -> RunnerError:
    """Return the error for a frame that answers nothing."""
    return RunnerError(f"the host sent a frame that nobody asked for: {Kind(frame.kind).name} of call {frame.call}")


async def _pieces(blob: Blob) -> AsyncIterator[bytes]:
    """Give a content in pieces; files are never held whole."""
    if isinstance(blob, bytes):
        for at in range(0, len(blob), PIECE):
            yield blob[at : at + PIECE]
        return
    with Path(blob).open("rb") as file:  # noqa: ASYNC230  # a local disk is faster than a thread
        while piece := file.read(PIECE):
            yield piece
