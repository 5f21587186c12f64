"""The Runner and its children, on this machine."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hosts import OLDEST_AND_NEWEST, PYTHONS, builder, drive, local_options, runner, until, write_module

from pyplay.connection.open import Connector
from pyplay.diagnostics.errors import HostUnreachable, RunnerError
from pyplay.remote.module_utils.boot import boot_id
from pyplay.shipping import session
from pyplay.shipping.client import AsyncJob, RunnerClient
from pyplay.shipping.result import parse_result

HEAD = "import json, os, sys, time\nfrom pyplay.remote.module_utils import channel\n"
SHOW = HEAD + "args = json.load(sys.stdin)['ANSIBLE_MODULE_ARGS']\n"


def run_module(tmp_path: Path, text: str, args: dict[str, Any] | None = None, **call: Any) -> dict[str, Any]:
    """Run one module of this text in a Runner and give its result."""
    write_module(tmp_path / "lib", "probe.py", text)

    async def go() -> dict[str, Any]:
        interpreter = call.pop("interpreter", None)
        async with runner(interpreter) as client:
            return parse_result(await client.call(builder(tmp_path / "lib").build("probe"), args or {}, **call))

    return drive(go())  # type: ignore[return-value]


@pytest.mark.parametrize("python", PYTHONS, ids=lambda path: path.parts[-3])
def test_a_module_runs_on_every_python(python: Path) -> None:
    async def go() -> None:
        async with runner(str(python)) as client:
            assert client.interpreter.path == str(python)
            assert f"{client.interpreter.version[0]}.{client.interpreter.version[1]}" in str(python)
            for word in ("one", "two"):
                assert parse_result(await client.call(builder().build("ping"), {"data": word}))["ping"] == word

    drive(go())


def test_a_search_finds_a_python() -> None:
    async def go() -> None:
        async with runner("auto") as client:
            assert client.interpreter.discovered
            assert os.access(client.interpreter.path, os.X_OK)

    drive(go())


@pytest.mark.parametrize("python", OLDEST_AND_NEWEST, ids=lambda path: path.parts[-3])
def test_a_child_starts_clean(tmp_path: Path, python: Path) -> None:
    text = SHOW + (
        "import signal\n"
        "mask = os.umask(0); os.umask(mask)\n"
        "fds = sorted(int(n) for n in os.listdir('/proc/self/fd') if os.path.exists('/proc/self/fd/' + n))\n"
        "print(json.dumps({'args': args, 'sid': os.getsid(0) == os.getpid(), 'umask': mask, 'cwd': os.getcwd(),\n"
        "  'chld': signal.getsignal(signal.SIGCHLD) == signal.SIG_DFL, 'term': signal.getsignal(signal.SIGTERM) == 0,\n"
        "  'int': signal.getsignal(signal.SIGINT) is signal.default_int_handler, 'fds': fds, 'name': __name__,\n"
        "  'null': os.readlink('/proc/self/fd/0'), 'main': sys.modules['__main__'].__dict__ is globals()}))\n"
    )
    result = run_module(tmp_path, text, {"a": "ü"}, interpreter=str(python))
    mask = os.umask(0)
    os.umask(mask)
    assert result == {
        "args": {"a": "ü"}, "sid": True, "umask": mask, "cwd": str(Path.cwd()), "chld": True, "term": True, "int": True,
        "fds": [0, 1, 2], "name": "__main__", "null": "/dev/null", "main": True,
    }  # fmt: skip


def test_calls_run_side_by_side_and_answer_as_they_end(tmp_path: Path) -> None:
    write_module(tmp_path, "nap.py", SHOW + "time.sleep(args['s']); print(json.dumps({'s': args['s']}))\n")

    async def go() -> None:
        async with runner() as client:
            module, order = builder(tmp_path).build("nap"), []

            async def one(seconds: float) -> None:
                order.append(parse_result(await client.call(module, {"s": seconds}))["s"])

            start = time.monotonic()
            await asyncio.gather(*(one(s) for s in (0.6, 0.3, 0.0)))
            assert order == [0.0, 0.3, 0.6]
            assert time.monotonic() - start < 1.5
            start = time.monotonic()
            await asyncio.gather(*(one(0.3) for _ in range(150)))  # more than run at once
            assert time.monotonic() - start < 10

    drive(go())


def test_a_call_ends_when_its_child_does_and_what_it_started_lives_on(tmp_path: Path) -> None:
    mark = tmp_path / "daemon"
    text = HEAD + f"os.system('nohup sh -c \"sleep 3; touch {mark}\" &')\nprint('{{}}')\n"
    start = time.monotonic()
    assert run_module(tmp_path, text) == {}
    assert time.monotonic() - start < 2.5
    assert not mark.exists()
    assert drive(until(mark.exists, 6))


def test_output_of_any_size_arrives(tmp_path: Path) -> None:
    text = HEAD + "sys.stderr.write('e' * 3000000); print(json.dumps({'x': 'y' * 5000000}))\n"
    assert len(run_module(tmp_path, text)["x"]) == 5000000


def test_arguments_of_any_size_arrive(tmp_path: Path) -> None:
    big = "z" * 5000000
    assert run_module(tmp_path, SHOW + "print(json.dumps({'n': len(args['x'])}))", {"x": big}) == {"n": 5000000}


def test_a_traceback_names_the_module_and_its_line(tmp_path: Path) -> None:
    result = run_module(tmp_path, HEAD + "def inner():\n    raise ValueError('boom')\n\ninner()\n")
    assert result["failed"]
    assert result["msg"] == "Task failed: Module failed: boom (ValueError)"
    assert "probe.py" in result["exception"]
    assert "raise ValueError('boom')" in result["exception"]
    assert "child.py" not in result["exception"]


def test_a_syntax_error_is_told(tmp_path: Path) -> None:
    assert "SyntaxError" in run_module(tmp_path, "import json\nprint(\n")["module_stderr"]


@pytest.mark.parametrize(("text", "rc"), [("sys.exit(3)", 3), ("sys.exit('no')", 1), ("os.kill(os.getpid(), 9)", 137)])
def test_the_exit_status_is_the_modules(tmp_path: Path, text: str, rc: int) -> None:
    result = run_module(tmp_path, HEAD + text)
    assert (result["failed"], result["rc"]) == (True, rc)


def test_the_environment_is_the_calls_alone(tmp_path: Path) -> None:
    write_module(tmp_path, "env.py", HEAD + "print(json.dumps({'x': os.environ.get('X'), 'tz': time.tzname[0]}))\n")

    async def go() -> None:
        module = builder(tmp_path).build("env")
        async with runner() as client:
            with_x = parse_result(await client.call(module, {}, environment={"X": "1", "TZ": "XYZ3"}))
            without = parse_result(await client.call(module, {}))
            assert with_x == {"x": "1", "tz": "XYZ"}
            assert without["x"] is None
            assert without["tz"] != "XYZ"

    drive(go())


def test_variables_that_python_reads_at_its_start_take_a_fresh_one(tmp_path: Path) -> None:
    write_module(tmp_path / "extra", "extra_thing.py", "VALUE = 5\n")
    text = SHOW + (
        "import extra_thing\n"
        "print(json.dumps({'v': extra_thing.VALUE, 'a': args, 'b': b''.join(channel.request_blob('c')).decode()}))\n"
    )
    call = {"environment": {"PYTHONPATH": str(tmp_path / "extra")}, "blobs": {"c": b"content"}}
    assert run_module(tmp_path, text, {"q": 1}, **call) == {"v": 5, "a": {"q": 1}, "b": "content"}


def test_a_call_that_outlives_its_time_is_ended(tmp_path: Path) -> None:
    mark, module = spinning(tmp_path)

    async def go() -> None:
        async with runner() as client:
            with pytest.raises(TimeoutError):
                await client.call(module, {}, timeout=0.5)
            assert await until(lambda: not pids_of(mark))
            task = asyncio.create_task(client.call(module, {}))
            assert await until(lambda: pids_of(mark))
            task.cancel()
            assert await until(lambda: not pids_of(mark))
            assert parse_result(await client.call(builder().build("ping"), {}))["ping"] == "pong"

    drive(go())


def test_a_call_may_be_cancelled_in_the_moment_of_its_start(tmp_path: Path) -> None:
    mark, module = spinning(tmp_path)

    async def go() -> None:
        async with runner() as client:
            await client.call(builder().build("ping"), {})
            for pause in (0, 0, 0.001, 0.002, 0.004):
                task = asyncio.create_task(client.call(module, {}))
                await asyncio.sleep(0)
                await asyncio.sleep(pause)
                task.cancel()
            assert parse_result(await client.call(builder().build("ping"), {}))["ping"] == "pong"
            assert await until(lambda: not pids_of(mark), 5)

    drive(go())


def test_a_blob_is_sent_only_if_asked_for(tmp_path: Path) -> None:
    text = SHOW + (
        "got = {n: b''.join(channel.request_blob(n)).decode() for n in args['want']}\n"
        "try:\n    list(channel.request_blob('nothing'))\nexcept KeyError:\n    got['nothing'] = None\n"
        "print(json.dumps(got))\n"
    )
    write_module(tmp_path / "lib", "take.py", text)
    (tmp_path / "file").write_text("from a file")

    async def go() -> None:
        module = builder(tmp_path / "lib").build("take")
        async with runner() as client:
            blobs = {"a": b"bytes", "b": str(tmp_path / "file")}
            for _ in range(3):  # asked for, then sent along
                answer = parse_result(await client.call(module, {"want": ["a", "b"]}, blobs=blobs))
                assert answer == {"a": "bytes", "b": "from a file", "nothing": None}
            for _ in range(2):
                assert parse_result(await client.call(module, {"want": []}, blobs=blobs)) == {"nothing": None}

    drive(go())


def test_a_file_that_vanished_is_told(tmp_path: Path) -> None:
    text = HEAD + "list(channel.request_blob('a'))\n"
    with pytest.raises(RunnerError, match="No such file"):
        run_module(tmp_path, text, blobs={"a": str(tmp_path / "missing")})


def test_large_contents_pass_both_ways_in_pieces(tmp_path: Path) -> None:
    text = HEAD + (
        "import resource\n"
        "n = channel.send_stream(channel.request_blob('big'))\n"
        "print(json.dumps({'n': n, 'peak': resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}))\n"
    )
    big = tmp_path / "big"
    with big.open("wb") as file:
        file.truncate(100 << 20)
    back = []
    result = run_module(tmp_path, text, blobs={"big": str(big)}, sink=lambda data: back.append(len(data)))
    assert result["n"] == sum(back) == 100 << 20
    assert result["peak"] < 60 << 10  # KiB


def test_lines_are_shown_while_the_module_runs(tmp_path: Path) -> None:
    lines: list[str] = []
    text = HEAD + "channel.send_line('at work: ü')\nprint('{}')\n"
    assert run_module(tmp_path, text, on_line=lines.append) == {}
    assert lines == ["at work: ü"]


def test_two_versions_of_one_part_do_not_meet(tmp_path: Path) -> None:
    for version in ("one", "two"):
        write_module(tmp_path / version / "module_utils", "thing.py", f"NAME = {version!r}\n")
        write_module(
            tmp_path / version / "library", f"{version}.py",
            "import json\nfrom ansible.module_utils import thing\nprint(json.dumps({'name': thing.NAME}))\n",
        )  # fmt: skip

    async def go() -> None:
        async with runner() as client:
            for version in ("one", "two", "one", "two"):
                module = builder(tmp_path / version / "library").build(version)
                assert parse_result(await client.call(module, {})) == {"name": version}

    drive(go())


# -- programs -----------------------------------------------------------------------------------------------------

SHELL = '#!/bin/sh\n# {mark}\nin=$(cat)\nprintf \'{{"args": "%s", "stdin": %s, "dir": "%s"}}\' "$(cat "$1" | tr -d \'"\')" "$in" "$0"\n'


@pytest.mark.parametrize(
    ("name", "text", "shown"),
    [
        pytest.param("words.sh", SHELL.format(mark="plain"), "a=b c d='e f'", id="key=value words"),
        pytest.param("want.sh", SHELL.format(mark="WANT_JSON"), "{a: b c, d: e f}", id="WANT_JSON"),
    ],
)
def test_a_program_of_any_language_runs(tmp_path: Path, name: str, text: str, shown: str) -> None:
    write_module(tmp_path, name, text)

    async def go() -> None:
        async with runner() as client:
            args = {"a": "b c", "d": "e f"}
            result = parse_result(await client.call(builder(tmp_path).build(name[:-3]), args))
            assert result.get("stdin", result) == {"ANSIBLE_MODULE_ARGS": args}
            assert result["args"] == shown.replace("a=b c", "a='b c'")
            assert not Path(result["dir"]).parent.exists()

    drive(go())


def test_arguments_may_be_placed_into_the_source_and_the_interpreter_named(tmp_path: Path) -> None:
    text = "#!/usr/bin/lang -x\ncat <<'END'\n<<INCLUDE_ANSIBLE_MODULE_JSON_ARGS>>\nEND\n"
    write_module(tmp_path, "inner.lang", text)
    given = {"lang": "/bin/sh"}

    async def go() -> None:
        async with runner() as client:
            module = builder(tmp_path).build("inner")
            assert module.style == "json_args"
            assert parse_result(await client.call(module, {"a": "b"}, interpreters=given))["a"] == "b"

    drive(go())


def test_a_binary_runs(tmp_path: Path) -> None:
    shutil.copy(shutil.which("cat") or "/bin/cat", tmp_path / "echoes")

    async def go() -> None:
        async with runner() as client:
            module = builder(tmp_path).build("echoes")
            assert module.style == "binary"
            assert parse_result(await client.call(module, {"x": 1})) == {"x": 1}

    drive(go())


def test_a_program_that_cannot_run_is_told(tmp_path: Path) -> None:
    write_module(tmp_path, "bad.sh", "#!/nonexistent/ruby\n")

    async def go() -> None:
        async with runner() as client:
            result = parse_result(await client.call(builder(tmp_path).build("bad"), {}))
            assert "/nonexistent/ruby: cannot be run" in result["module_stderr"]

    drive(go())


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("import json, sys\na = json.load(sys.stdin)['ANSIBLE_MODULE_ARGS']\n", id="sys.stdin"),
        pytest.param("import json, os\na = json.loads(os.read(0, 65536))['ANSIBLE_MODULE_ARGS']\n", id="descriptor 0"),
        pytest.param("# WANT_JSON\nimport json, sys\na = json.load(open(sys.argv[1]))\n", id="WANT_JSON"),
    ],
)
def test_any_python_program_is_a_module(tmp_path: Path, text: str) -> None:
    assert run_module(tmp_path, text + "print(json.dumps(a))\n", {"k": "v"}) == {"k": "v"}


def test_modules_of_others_see_the_path_of_a_plain_python(tmp_path: Path) -> None:
    python = PYTHONS[-1]
    text = "import json, sys, site\nprint(json.dumps({'path': sys.path[:], 'user': site.ENABLE_USER_SITE}))\n"
    seen = run_module(tmp_path, text, interpreter=str(python))
    line = "import json, sys, site; print(json.dumps({'path': sys.path[1:], 'user': site.ENABLE_USER_SITE}))"
    plain = json.loads(
        subprocess.run(
            [str(python), "-c", line], capture_output=True, check=True, env={**os.environ, "PYTHONPATH": ""}
        ).stdout
    )
    assert seen == plain


def test_built_in_modules_run_bare(tmp_path: Path) -> None:
    async def go() -> None:
        async with runner() as client:
            module = builder().build("ping")
            assert module.style == "pyplay"
            assert not module.needs_site
            assert module.imports
            await client.call(module, {})

    drive(go())


# -- ends ---------------------------------------------------------------------------------------------------------


def spinning(tmp_path: Path) -> tuple[str, Any]:
    """Give a mark to be found in the process list, and a module that runs for a minute under it."""
    mark = f"pyplay-mark-{os.getpid()}-{time.monotonic_ns()}"
    text = HEAD + f"import subprocess\nsubprocess.call(['sh', '-c', 'sleep 60; :', '{mark}'])\n"
    write_module(tmp_path, "spin.py", text)
    return mark, builder(tmp_path).build("spin")


async def start_client(*, share: bool = True) -> tuple[Connector, RunnerClient]:
    """Start a Runner straight under this Python, without the shell of a search."""
    connector = Connector()
    connection = await connector.open(local_options())
    client = await RunnerClient.start(connection, None, sys.executable, host="localhost", share=share)
    return connector, client


def pids_of(mark: str) -> list[int]:
    """Give the processes whose command line holds `mark`."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if mark.encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


@pytest.mark.parametrize("how", ["eof", "kill -9 of the Runner", "SIGTERM to the Runner", "silence"])
def test_what_runs_ends_with_the_controller_or_the_runner(
    tmp_path: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if how == "silence":
        monkeypatch.setattr(session, "HEARTBEAT", 1.0)

    async def go() -> None:
        connector, client = await start_client()
        mark, module = spinning(tmp_path)
        call = asyncio.create_task(client.call(module, {}))
        assert await until(lambda: pids_of(mark))
        if how == "eof":
            await client.close()
        elif how == "silence":
            live = client._session
            assert live is not None
            live._timer.cancel()
        else:
            number = signal.SIGKILL if "-9" in how else signal.SIGTERM
            os.kill(min(pids_of(client.marker)), number)
        with pytest.raises(HostUnreachable):
            await call
        assert not client.alive
        assert await until(lambda: not pids_of(mark), 8)
        assert await until(lambda: not pids_of(client.marker), 8)
        await client.close()
        await connector.close()

    drive(go())


def test_a_runner_that_stopped_answering_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "HEARTBEAT", 1.0)

    async def go() -> None:
        connector, client = await start_client()
        pids = pids_of(client.marker)
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        with pytest.raises(HostUnreachable, match="nothing was heard"):
            await client.call(builder().build("ping"), {})
        for pid in pids:
            os.kill(pid, signal.SIGCONT)
        await client.close()
        await connector.close()
        assert await until(lambda: not pids_of(client.marker), 8)

    drive(go())


def test_a_program_leaves_no_directory_when_the_runner_is_killed(tmp_path: Path) -> None:
    write_module(
        tmp_path,
        "stay.sh",
        '#!/bin/sh\necho "$0" > "$(dirname "$0")/../seen-$PPID"; echo $0 >' + f" {tmp_path}/where; sleep 60\n",
    )

    async def go() -> None:
        connector, client = await start_client()
        call = asyncio.create_task(client.call(builder(tmp_path).build("stay"), {}))
        where = tmp_path / "where"
        assert await until(lambda: where.exists() and where.read_text().strip())
        folder = Path(where.read_text().strip()).parent
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        os.kill(min(pids_of(client.marker)), signal.SIGKILL)
        with pytest.raises(HostUnreachable):
            await call
        assert await until(lambda: not folder.exists(), 10)
        for leftover in folder.parent.glob("seen-*"):
            leftover.unlink()
        await client.close()
        await connector.close()

    drive(go())


@pytest.mark.skipif(not shutil.which("strace"), reason="needs strace")
@pytest.mark.parametrize("share", [True, False], ids=["shared", "forked"])
def test_a_steady_task_costs_one_frame_each_way_and_at_most_one_fork(tmp_path: Path, *, share: bool) -> None:
    async def go() -> str:
        connector, client = await start_client(share=share)
        module = builder().build("ping")
        await client.call(module, {})
        log = tmp_path / "trace"
        tracer = await asyncio.create_subprocess_exec(
            "strace", "-f", "-e", "trace=fork,vfork,clone,clone3,execve,openat,read,write", "-o", str(log), "-p", str(min(pids_of(client.marker))),
            stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        assert tracer.stderr is not None
        await tracer.stderr.readline()
        for _ in range(5):
            await client.call(module, {"data": "x"})
        tracer.terminate()
        await tracer.communicate()
        await client.close()
        await connector.close()
        return log.read_text()

    trace = str(drive(go()))
    lines = [line.split(None, 1)[1] for line in trace.splitlines()]
    assert sum(line.startswith(("clone", "fork", "vfork")) for line in lines) == (0 if share else 5)
    assert sum(line.startswith("read(0,") for line in lines) == 5
    assert sum(line.startswith("write(1,") for line in lines) == (5 if share else 10)  # a child's to its pipe, too
    assert not [line for line in lines if line.startswith("execve")]
    assert not [line for line in lines if line.startswith("openat") and ".py" in line]


# -- async jobs ---------------------------------------------------------------------------------------------------


def job_text(lines: str) -> str:
    """Give a module that takes a moment, then says `lines`."""
    return SHOW + f"time.sleep(args.get('s', 0))\n{lines}\n"


def run_job(
    tmp_path: Path, text: str, args: dict[str, Any], limit: int, name: str = "work.py"
) -> tuple[dict[str, Any], Path]:
    """Start a job, end the Runner at once, and give the answer and the status file."""
    write_module(tmp_path / "lib", name, text)
    job = AsyncJob(f"j{time.monotonic_ns()}.1", limit, str(tmp_path / "jobs"))

    async def go() -> dict[str, Any]:
        async with runner() as client:
            blobs = {"c": b"content"}
            return parse_result(await client.call(builder(tmp_path / "lib").build("work"), args, job=job, blobs=blobs))

    return drive(go()), tmp_path / "jobs" / job.jid  # type: ignore[return-value]


def final(path: Path) -> dict[str, Any]:
    """Wait for a job's end and give its status."""
    assert drive(until(lambda: json.loads(path.read_text())["finished"], 15))
    return json.loads(path.read_text())


def test_a_job_outlives_runner_and_connection(tmp_path: Path) -> None:
    text = job_text("print(json.dumps({'changed': True, 'c': b''.join(channel.request_blob('c')).decode()}))")
    answer, path = run_job(tmp_path, text, {"s": 1}, 20)
    expected = {"started": True, "finished": False, "ansible_job_id": path.name}
    assert answer == {**expected, "results_file": str(path), "changed": True}
    written = json.loads(path.read_text())
    assert written.pop("_boot", "") == boot_id(), "a reboot could not be told from a job that takes long"
    assert written == expected
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert final(path) == {**expected, "changed": True, "c": "content", "finished": 1, "elapsed": 1}


def test_a_job_is_ended_after_its_time(tmp_path: Path) -> None:
    mark = f"pyplay-job-{time.monotonic_ns()}"
    text = HEAD + f"import subprocess\nsubprocess.call(['sh', '-c', 'sleep 60; :', '{mark}'])\n"
    start = time.monotonic()
    _, path = run_job(tmp_path, text, {}, 1)
    status = final(path)
    assert (status["failed"], status["msg"]) == (True, "Timeout exceeded")
    assert time.monotonic() - start < 10
    assert drive(until(lambda: not pids_of(mark)))


def test_a_job_that_says_nothing_has_failed(tmp_path: Path) -> None:
    _, path = run_job(tmp_path, job_text("sys.stderr.write('why'); sys.exit(3)"), {}, 20)
    status = final(path)
    assert (status["failed"], status["rc"], status["module_stderr"]) == (True, 3, "why")


def test_a_job_whose_directory_cannot_be_made_tells_so(tmp_path: Path) -> None:
    (tmp_path / "jobs").write_text("")
    answer, _ = run_job(tmp_path, job_text(""), {}, 20)
    assert answer["failed"]
    assert answer["msg"].startswith(
        f"cannot prepare the job in {tmp_path / 'jobs'}: File exists; set ANSIBLE_ASYNC_DIR"
    )


def test_a_program_is_a_job_too(tmp_path: Path) -> None:
    text = '#!/bin/sh\nsleep 1\nprintf \'{"where": "%s"}\' "$0"\n'
    _, path = run_job(tmp_path, text, {}, 20, "work.sh")
    where = Path(final(path)["where"])
    assert drive(until(lambda: not where.parent.exists()))


# -- renewal ------------------------------------------------------------------------------------------------------


def test_a_runner_is_renewed_when_its_python_changed(tmp_path: Path) -> None:
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", "--copies", "--without-pip", str(tmp_path / "venv")], check=True)
    write_module(
        tmp_path / "lib", "nap.py", SHOW + "time.sleep(args['s']); print(json.dumps({'ppid': os.getppid()}))\n"
    )

    async def go() -> None:
        async with runner(str(python)) as client:
            module = builder(tmp_path / "lib").build("nap")

            async def ppid(seconds: float = 0) -> int:
                return parse_result(await client.call(module, {"s": seconds}))["ppid"]

            first = await ppid()
            assert await ppid() == first
            slow = asyncio.create_task(ppid(1))
            await asyncio.sleep(0.3)
            os.utime(python, (1, 1))
            renewed = await asyncio.gather(*(ppid() for _ in range(5)))
            assert set(renewed) == {renewed[0]} != {first}
            assert await slow == first  # what runs in the old one runs to its end
            assert await until(lambda: not Path(f"/proc/{first}").exists())
            slow = asyncio.create_task(ppid(0.3))
            await asyncio.sleep(0.1)
            client.renew()  # as a reset of the connection asks for
            again = await asyncio.gather(*(ppid() for _ in range(3)))
            assert set(again) == {again[0]} != {renewed[0]}
            assert await slow == renewed[0]

    drive(go())
