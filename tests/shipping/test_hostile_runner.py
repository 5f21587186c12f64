"""A host that does not do as Runners do: it is told at once, with the reason, and nothing waits for it or grows."""

from __future__ import annotations

import resource
import sys
import textwrap
import time
from typing import TYPE_CHECKING, Any

import pytest
from hosts import builder, drive, local_options

from pyplay.connection.open import Connector
from pyplay.diagnostics.errors import PyplayError, RunnerError
from pyplay.shipping.client import RENEWALS, RunnerClient

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = """
#!{python}
import os, sys, json, time
def out(data):
    while data:
        data = data[os.write(1, data):]
def frame(kind, call, header=None, body=b""):
    head = b"" if header is None else json.dumps(header).encode()
    return bytes((kind,)) + b"".join(n.to_bytes(4, "big") for n in (call, len(head), len(body))) + head + body
SETUP, CALL, CANCEL, PING, CHUNK, NEED, RESULT, LINE, ACK, OUT, ERR, STREAM, RENEW, BARRED = range(1, 15)
out(("\\n" + sys.argv[-1] + " 3.11.0 x-y /usr/bin/python3\\n").encode())
def called():
    # the Runner itself comes first, then SETUP and CALL: what they are does not matter here
    os.read(0, 1 << 16)
    time.sleep(0.2)
{body}
time.sleep(60)
"""
DONE = 'frame(RESULT, 1, {"rc": 0, "out": 2, "used": False}, b"{}")'


def call_it(tmp_path: Path, body: str, **how: Any) -> Any:
    """Call a module of a Runner that does what `body` says once it was called."""
    path = tmp_path / "python"
    text = textwrap.dedent(PROGRAM).replace("{python}", sys.executable).replace("{body}", textwrap.dedent(body))
    path.write_text(text.lstrip())
    path.chmod(0o755)

    async def go() -> Any:
        connector = Connector()
        try:
            connection = await connector.open(local_options())
            client = await RunnerClient.start(connection, None, str(path), host="h", address="here")
            try:
                return await client.call(builder().build("ping"), {}, **how)
            finally:
                await client.close()
        finally:
            await connector.close()

    return drive(go(), 30)


BREACHES = {
    "an answer to another call": ('out(frame(RESULT, 7, {"rc": 0, "out": 0, "used": False}))', "RESULT of call 7"),
    "an answer to no call": ('out(frame(RESULT, 0, {"rc": 0, "out": 0, "used": False}))', "RESULT of call 0"),
    "a status that is none": (
        'out(frame(RESULT, 1, {"rc": None, "out": 0, "used": False}))',
        "a header that no Runner",
    ),
    "a list for a header": ('out(bytes((RESULT,)) + b"\\0\\0\\0\\1\\0\\0\\0\\2\\0\\0\\0\\0[]")', "a header that no"),
    "a name that is no text": ('out(frame(NEED, 1, None, b"\\xff") * 100)', "NEED of call 1"),
    "contents asked for without end": ('while True: out(frame(NEED, 1, None, b"x"))', "NEED of call 1"),
    "acknowledged what was not sent": ("out(frame(ACK, 1))", "ACK of call 1"),
    "pings without end": ("while True: out(frame(PING, 0))", "PING of call 0"),
    "barred what follows nothing": ("out(frame(BARRED, 1))", "BARRED of call 1"),
    "renewed what it was not asked": ("out(frame(RENEW, 0))", "RENEW of call 0"),
    "lines that nobody listens to": ('out(frame(LINE, 1, None, b"x"))', "LINE of call 1"),
    "a stream that nobody takes": ('out(frame(STREAM, 1, None, b"x"))', "STREAM of call 1"),
    "text": ('out(b"Segmentation fault (core dumped)")', "something else than frames"),
    "zeros": ("while True: out(bytes(65536))", "something else than frames"),
    "a renewed Runner that wants to be renewed": ("out(frame(RENEW, 1))", f"{RENEWALS} Runners one after another"),
    "output without end": ('while True: out(frame(OUT, 1, None, b"x" * 65536))', "wrote more than"),
    "errors without end": ("while True: os.write(2, bytes(65536))", "bytes to standard error"),
}


@pytest.mark.parametrize(("body", "reason"), BREACHES.values(), ids=BREACHES)
def test_a_breach_of_the_protocol_ends_the_call_with_its_reason(tmp_path: Path, body: str, reason: str) -> None:
    before, begin = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.monotonic()
    with pytest.raises(PyplayError, match=reason):
        call_it(tmp_path, f"called()\n{body}")
    assert time.monotonic() - begin < 20
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 600_000


def test_what_the_host_sends_to_a_cancelled_call_is_passed_over(tmp_path: Path) -> None:
    body = f'called()\nout(frame(OUT, 1, None, b"x" * 9))\ntime.sleep(1)\nout(frame(OUT, 1, None, b"x"))\nout({DONE})'
    with pytest.raises(TimeoutError):
        call_it(tmp_path, body, timeout=0.5)


@pytest.mark.parametrize("stream", [1, 2])
def test_a_program_that_writes_for_ever_before_its_first_word_is_given_up_at_once(tmp_path: Path, stream: int) -> None:
    path = tmp_path / "python"
    path.write_text(f"#!/bin/sh\nexec yes aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa >&{stream}\n")
    path.chmod(0o755)

    async def go() -> None:
        connector = Connector()
        try:
            await RunnerClient.start(await connector.open(local_options()), None, str(path), host="h", address="here")
        finally:
            await connector.close()

    begin, before = time.monotonic(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(RunnerError, match="it wrote more than 1048576 bytes before it began"):
        drive(go(), 20)
    assert time.monotonic() - begin < 10
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 60_000
