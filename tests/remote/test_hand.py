"""The hand: calls that share a process leave nothing behind there, answer as forked ones do, and harm nobody else."""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import zlib
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hosts import PYTHONS, builder, drive, local_options, until, write_module

import pyplay.remote
from pyplay.connection.open import Connector
from pyplay.shipping.client import RunnerClient
from pyplay.shipping.result import parse_result
from pyplay.shipping.search import builtin_directory

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from pyplay.shipping.build import BuiltModule

SOURCE = Path(pyplay.remote.__file__).parent.parent.parent
OLD_AND_NEW = [path for path in PYTHONS if path.parts[-3].startswith(("3.6.", "3.13."))] or [Path(sys.executable)]
SHARED = sorted(path.stem for path in builtin_directory().glob("*.py") if '\n    "shared": [' in path.read_text())

PROBE = """
import os, sys, time
OPTIONS = {"options": {"do": {"type": "str", "default": "nothing"}, "alone": {"type": "str"}}, "shared": ["alone"]}
KEPT = []
def run(module):
    seen = {"pid": os.getpid(), "leader": os.getsid(0) == os.getpid()}
    exec(module.args["do"])
    return dict(seen, main=sys.modules["__main__"].__dict__ is globals())
if __name__ == "__main__":
    from pyplay.remote.module_utils.module import main
    main(run, OPTIONS)
"""


@asynccontextmanager
async def client_of(*, share: bool = True, interpreter: str | None = None) -> AsyncIterator[RunnerClient]:
    """Give a Runner on this machine."""
    connector = Connector()
    connection = await connector.open(local_options())
    client = await RunnerClient.start(connection, None, interpreter, host="h", address="a", share=share)
    try:
        yield client
    finally:
        await client.close()
        await connector.close()


def probe(tmp_path: Path, text: str = PROBE) -> BuiltModule:
    """Give a module that may share a process though it is none of ours, and does there what it is told."""
    write_module(tmp_path / "lib", "probe.py", text)
    built = builder(tmp_path / "lib").build("probe")
    assert built.style == "pyplay"
    assert built.alone is None, "modules of others never share"
    return replace(built, ours=True, needs_site=False, digest=f"{zlib.crc32(text.encode()):032x}")


async def ask(client: RunnerClient, module: BuiltModule, do: str = "pass", **how: Any) -> dict[str, Any]:
    return parse_result(await client.call(module, {"do": do}, **how))


def children_of(client: RunnerClient) -> list[int]:
    """Give the processes that carry the Runner's marker: itself, guard, children."""
    found: list[int] = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and client.marker.encode() in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def test_calls_share_a_process_unless_something_speaks_against_it(tmp_path: Path) -> None:
    async def go() -> None:
        module = probe(tmp_path)
        async with client_of() as client:
            pids = [(await ask(client, module))["pid"] for _ in range(4)]
            assert len(set(pids)) == 1
            alone = parse_result(await client.call(module, {"do": "pass", "alone": "yes"}))
            environment = await ask(client, module, environment={"A": "1"})
            large = parse_result(await client.call(module, {"do": "pass #" + "x" * 20000}))
            assert not {alone["pid"], environment["pid"], large["pid"]} & set(pids)
            assert (await ask(client, module))["pid"] == pids[0], "those did not end it"
            other = replace(module, digest="0" * 32)
            assert (await ask(client, other))["pid"] == pids[0], "it learns what comes later"
        async with client_of(share=False) as client:
            assert len({(await ask(client, module))["pid"] for _ in range(3)}) == 3

    drive(go())


LEAVES = [
    "os.umask(0o70)",
    "os.chdir('/tmp')",
    "os.environ['LEFT'] = '1'",
    "os.dup(0)",
    "os.close(0)",
    "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)",
    "import signal; signal.signal(signal.SIGPIPE, signal.SIG_DFL)",
    "sys.path.append('/tmp')",
    "sys.meta_path.append(None)",
    "sys.setrecursionlimit(4321)",
    "sys.stdout = open('/dev/null', 'w')",
    "import threading; threading.Thread(target=lambda: time.sleep(0.3)).start()",
    "import atexit; atexit.register(print)",
    "os.fork() or (time.sleep(0.3), os._exit(0))",
    "import subprocess; subprocess.Popen(['sleep', '0.3'])",
    "KEPT.append(b'x' * (20 << 20))",
    "seen['text'] = 'x' * (1 << 17)",
    "module.fail('no')",
    "raise RuntimeError('boom')",
    "raise MemoryError",
    "(lambda f: f(f))(lambda f: f(f))",
    "raise SystemExit(3)",
    "raise KeyboardInterrupt",
    "os._exit(5)",
    "os.kill(os.getpid(), 11)",
    "os.kill(os.getpid(), 9)",
]


def test_whatever_a_call_leaves_behind_the_next_one_does_not_meet(tmp_path: Path) -> None:
    async def go() -> None:
        module = probe(tmp_path)
        look = "seen['state'] = repr([os.umask(0o22), os.getcwd(), sorted(os.environ), os.dup(0), sys.path, len(KEPT)])"
        async with client_of() as client:
            fresh = await ask(client, module, look)  # what it does itself ends this one, too
            for do in LEAVES:
                first = await ask(client, module)
                await client.call(module, {"do": do})
                second = await ask(client, module, look)
                assert second["pid"] not in (fresh["pid"], first["pid"]), do
                assert second["state"] == fresh["state"], do
                assert second["leader"], do
                assert second["main"], do

    drive(go())


def test_the_answer_of_a_call_that_ends_its_process_is_whole(tmp_path: Path) -> None:
    async def go() -> None:
        module = probe(tmp_path)
        async with client_of() as client:
            for _ in range(2):
                assert (await ask(client, module, "seen['a'] = 1; os.umask(7)"))["a"] == 1
                assert len((await ask(client, module, "seen['text'] = 'x' * (1 << 20)"))["text"]) == 1 << 20
                said = await client.call(module, {"do": "print('out', flush=True); print('err', file=sys.stderr)"})
                assert said.stdout.startswith(b"out\n{")
                assert said.stderr == b"err\n"
                failed = await client.call(module, {"do": "module.fail('no')"})
                assert failed.rc == 1
                assert parse_result(failed)["msg"] == "no"
                assert (await client.call(module, {"do": "os.kill(os.getpid(), 9)"})).rc == -9

    drive(go())


def test_what_a_module_raises_is_shown_from_its_own_frames_on(tmp_path: Path) -> None:
    async def go() -> list[bytes]:
        told: list[bytes] = []
        for share in (True, False):
            async with client_of(share=share) as client:
                told.append((await client.call(probe(tmp_path), {"do": "raise KeyboardInterrupt"})).stderr)
        return told

    for text in drive(go()):
        assert text.startswith(b"Traceback")
        assert text.rstrip().endswith(b"KeyboardInterrupt")
        assert b"/hand.py" not in text
        assert b"/child.py" not in text


@pytest.mark.parametrize("name", ["copy", "lineinfile", "blockinfile", "replace", "assemble"])
def test_each_call_keeps_a_copy_of_its_own(tmp_path: Path, name: str) -> None:
    pieces, path = tmp_path / "pieces", tmp_path / "f"
    pieces.mkdir()
    path.write_text("0\n")

    async def go() -> None:
        module = builder().build(name)
        async with client_of() as client:
            for number in range(5):
                (pieces / "a").write_text(f"{number + 1}\n")
                given = {
                    "copy": {"dest": str(path), "content": f"{number + 1}\n"},
                    "lineinfile": {"path": str(path), "line": f"{number + 1}", "regexp": "^"},
                    "blockinfile": {"path": str(path), "block": f"{number + 1}"},
                    "replace": {"path": str(path), "regexp": f"{number}", "replace": f"{number + 1}"},
                    "assemble": {"src": str(pieces), "dest": str(path)},
                }
                result = parse_result(await client.call(module, {**given[name], "backup": True}))
                assert result["changed"]

    drive(go())
    copies = [file.read_text() for file in tmp_path.glob("f.*~")]
    assert len(set(copies)) == len(copies) == 5


def test_one_that_hangs_holds_nobody_up_and_can_be_ended(tmp_path: Path) -> None:
    async def go() -> None:
        module = probe(tmp_path)
        async with client_of() as client:
            first = await ask(client, module)
            hanging = asyncio.create_task(ask(client, module, "time.sleep(60)", timeout=1.5))
            await asyncio.sleep(0.1)
            others = await asyncio.gather(*(ask(client, module) for _ in range(3)))
            assert first["pid"] not in {other["pid"] for other in others}
            with pytest.raises(TimeoutError):
                await hanging
            assert await until(lambda: not Path(f"/proc/{first['pid']}").exists())
            stubborn = asyncio.create_task(ask(client, module, "import signal; signal.signal(15, 1); time.sleep(60)"))
            await asyncio.sleep(0.2)
            stubborn.cancel()
            assert (await ask(client, module))["main"]

    drive(go())


def test_a_hand_that_was_killed_while_it_waited_is_replaced(tmp_path: Path) -> None:
    async def go() -> None:
        module = probe(tmp_path)
        async with client_of() as client:
            for number in (signal.SIGKILL, signal.SIGTERM):
                first = await ask(client, module)
                os.kill(first["pid"], number)
                assert await until(lambda pid=first["pid"]: not Path(f"/proc/{pid}").exists())
                assert (await ask(client, module))["pid"] != first["pid"]

    drive(go())


@pytest.mark.parametrize("how", ["close", "kill"])
def test_it_ends_with_the_runner(tmp_path: Path, how: str) -> None:
    async def go() -> None:
        async with client_of(interpreter=sys.executable) as client:
            pid = (await ask(client, probe(tmp_path)))["pid"]
            processes = children_of(client)
            assert pid in processes
            if how == "kill":
                os.kill(min(processes), signal.SIGKILL)
            else:
                await client.close()
            assert await until(lambda: not children_of(client))

    drive(go())


def test_content_that_was_not_read_to_its_end_does_not_reach_the_next_call(tmp_path: Path) -> None:
    text = PROBE.replace("import os", "from pyplay.remote.module_utils import channel\nimport os", 1)

    async def go() -> None:
        module = probe(tmp_path, text)
        async with client_of() as client:
            pids: list[int] = []
            for _ in range(4):
                whole = "seen['got'] = sum(map(len, channel.request_blob('a')))"
                result = await ask(client, module, whole, blobs={"a": b"x" * (3 << 17)})
                assert result["got"] == 3 << 17
                pids.append(result["pid"])
            assert len(set(pids)) == 1
            part = await ask(client, module, "next(iter(channel.request_blob('a')))", blobs={"a": b"x" * (8 << 17)})
            assert part["pid"] == pids[0]
            after = await ask(client, module, "seen['there'] = channel.connected()")
            assert after["pid"] != pids[0]
            assert not after["there"]
            missing = "try:\n  list(channel.request_blob('b'))\nexcept KeyError: seen['none'] = True"
            assert (await ask(client, module, missing, blobs={"a": b""}))["none"]

    drive(go())


def any_call(chance: random.Random, root: Path) -> tuple[str, dict[str, Any], dict[str, bytes]]:
    """Give a call of a module that shares a process: it may fail, change things or find all as it should be."""
    path, text = f"{root}/{chance.choice('abc')}", chance.choice(["one\n", "two\n", "ü\n" * 40])
    mode = chance.choice([None, "0600", "u+x", "0755", "nonsense"])
    state = chance.choice(["touch", "absent", "directory", "file"])
    name, args = chance.choice(
        [
            ("file", {"path": path, "state": state, "mode": mode}),
            ("file", {"path": path, "src": f"{root}/a", "state": "link", "force": chance.random() < 0.5}),
            ("copy", {"dest": path, "content": text, "mode": mode}),
            ("copy", {"dest": path, "src": "x", "_name": "x", "mode": mode}),
            ("copy", {"dest": path, "content": text, "validate": "true %s"}),
            (
                "lineinfile",
                {"path": path, "line": text[:3], "create": True, "regexp": chance.choice([None, "^o", "("])},
            ),
            ("blockinfile", {"path": path, "block": text, "create": chance.random() < 0.5}),
            ("replace", {"path": path, "regexp": "o(.)", "replace": "\\1o"}),
            ("stat", {"path": path}),
            ("slurp", {"src": path}),
            ("fetch", {"src": path}),
            ("assemble", {"src": str(root), "dest": f"{root}/d"}),
            ("ping", {"data": chance.choice(["pong", "crash"])}),
        ]
    )
    blobs = {"src": text.encode()} if args.get("src") == "x" else {}
    flags = {"_ansible_check_mode": chance.random() < 0.2, "_ansible_diff": chance.random() < 0.3}
    return name, {**args, **flags}, blobs


TOLD = (
    "changed",
    "failed",
    "msg",
    "rc",
    "state",
    "mode",
    "checksum",
    "content",
    "diff",
    "ping",
    "size",
    "uid",
    "found",
)


def outcome(root: Path, seed: int, *, share: bool) -> list[Any]:
    """Run a series of calls in an empty `root`; gives what they answered and what is there in the end."""
    root.mkdir()

    async def go() -> list[Any]:
        chance = random.Random(seed)  # the same series each time
        found: list[Any] = []
        known = builder()
        async with client_of(share=share) as client:
            for _ in range(60):
                name, args, blobs = any_call(chance, root)
                done = await client.call(
                    known.build(name), args, blobs=blobs, sink=(lambda _: None) if name == "fetch" else None
                )
                result = parse_result(done)
                if args.get("state") == "touch":
                    result.pop("diff", None)  # times
                found.append([name, args, done.rc, {key: result[key] for key in TOLD if key in result}])
        return found

    try:
        found = drive(go())
        left = [(p.name, p.lstat().st_mode, p.is_file() and p.read_bytes()) for p in sorted(root.rglob("*"))]
        return [found, left]
    finally:
        shutil.rmtree(root)


@pytest.mark.parametrize("seed", range(2))
def test_shared_or_forked_the_outcome_is_the_same(tmp_path: Path, seed: int) -> None:
    assert outcome(tmp_path / "root", seed, share=True) == outcome(tmp_path / "root", seed, share=False)


STATE = """
import gc, json, locale, os, resource, signal, sys, threading, types
sys.path[:0] = sys.argv[1:3]
import pyplay.remote.module_utils.module as api

def plain(value, depth=0):
    if isinstance(value, (str, bytes, int, float, bool, type(None))):
        return value
    if isinstance(value, (list, tuple, set, frozenset)):
        return [type(value).__name__, len(value)] + [plain(item, depth + 1) for item in (value if not isinstance(value, (set, frozenset)) else sorted(map(repr, value)))]
    if isinstance(value, dict):
        return {repr(key): plain(item, depth + 1) for key, item in value.items()} if depth < 6 else len(value)
    if isinstance(value, type) and depth < 6:
        return {key: plain(item, depth + 1) for key, item in vars(value).items() if not key.startswith("__")}
    return type(value).__name__ + str(id(value))

def state(modules):
    mask = os.umask(0); os.umask(mask)
    return {
        "umask": mask, "cwd": os.getcwd(), "environ": dict(os.environ), "path": list(sys.path), "argv": list(sys.argv),
        "fds": sorted(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else [],
        "signals": [str(signal.getsignal(n)) for n in range(1, 32)], "threads": threading.active_count(),
        "limits": [resource.getrlimit(getattr(resource, n)) for n in dir(resource) if n.startswith("RLIMIT_")],
        "locale": locale.setlocale(locale.LC_ALL), "nice": os.nice(0), "users": [os.getresuid(), os.getresgid(), os.getgroups()],
        "recursion": sys.getrecursionlimit(), "gc": [gc.isenabled(), gc.get_threshold()], "timer": signal.getitimer(signal.ITIMER_REAL),
        "hooks": [str(sys.excepthook), len(sys.meta_path), len(sys.path_hooks), id(sys.stdout), id(sys.stderr)],
        "globals": {m.__name__: {k: plain(v) for k, v in vars(m).items() if k not in ("__builtins__", "__cached__")} for m in modules},
    }

calls = json.load(sys.stdin)
bodies = {}
for name in {name for name, _ in calls}:
    path = os.path.join(sys.argv[3], name + ".py")
    bodies[name] = types.ModuleType(name)
    with open(path) as stream:
        exec(compile(stream.read(), path, "exec"), vars(bodies[name]))
def once():
    for name, args in calls:
        api.answer(bodies[name].run, bodies[name].OPTIONS, dict(args))
once()  # what is imported late is there now
modules = list(bodies.values()) + [m for n, m in sorted(sys.modules.items()) if n.startswith("pyplay.remote.")]
before = state(modules)
size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for _ in range(5):
    once()
after = state(modules)
assert before == after, [(k, before[k], after[k]) for k in before if before[k] != after[k]]
assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - size < 4096, "memory grows"
print(len(modules))
"""


@pytest.mark.parametrize("python", OLD_AND_NEW, ids=lambda path: path.parts[-3])
def test_modules_that_share_leave_a_process_as_they_found_it(tmp_path: Path, python: Path) -> None:
    chance = random.Random(1)
    series = [any_call(chance, tmp_path) for _ in range(80)]
    assert {name for name, _, _ in series} == set(SHARED), "each module that shares is among them"
    given = json.dumps([(name, args) for name, args, _ in series])
    words = [str(python), "-I", "-S", "-c", STATE, str(SOURCE), str(tmp_path), str(builtin_directory())]
    done = subprocess.run(words, input=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.split()[-1]) > len(SHARED) + 3


def test_those_that_share_are_ours_and_start_nothing_that_stays() -> None:
    for name in SHARED:
        module = builder().build(name)
        assert module.ours
        assert not module.needs_site
        assert not module.finish
        assert set(module.alone or ()) <= set((module.options or {})["options"])
        assert "validate" not in (module.options or {})["options"] or module.alone == ("validate",)
