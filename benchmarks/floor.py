"""The floor: what the workloads cost when nothing but the wire and the work remains.

    python benchmarks/floor.py INVENTORY [w1|w1x10|w3|ping|facts]

A bare asyncssh client, one persistent Python for each host, one frame there and back for each task, the file work done
in that process (`ping`, `w3`: in a fork of it), no templates, no playbook. It is what the marks are measured against,
not a program anybody would use.
"""

from __future__ import annotations

import asyncio
import json
import re
import struct
import sys
from pathlib import Path
from typing import Any

import asyncssh

HERE = Path(__file__).parent
FILES = HERE / "workloads" / "w1" / "files"
HEADER = struct.Struct(">I")
AT_ONCE = 10
"""Hosts that log in and start Python at the same time; fewer make all of them later, more the first."""

HOST_SIDE = r"""
import sys, os, json, struct, hashlib, subprocess, platform, socket
def write(path, content, mode):
    wanted = content.encode()
    try:
        with open(path, 'rb') as f: old = f.read()
    except OSError: old = None
    changed = old is None or hashlib.sha1(old).digest() != hashlib.sha1(wanted).digest()
    if changed:
        temporary = path + '.tmp'
        with open(temporary, 'wb') as f: f.write(wanted)
        os.chmod(temporary, mode)
        os.rename(temporary, path)
    elif os.stat(path).st_mode & 0o7777 != mode:
        os.chmod(path, mode)
        changed = True
    return changed
def directory(path, mode):
    if os.path.isdir(path) and os.stat(path).st_mode & 0o7777 == mode: return False
    os.makedirs(path, exist_ok=True)
    os.chmod(path, mode)
    return True
def line(path, text):
    try:
        with open(path) as f: lines = f.read().splitlines()
    except OSError: lines = []
    if text in lines: return False
    return write(path, '\n'.join(lines + [text]) + '\n', 0o644)
def run(call):
    kind, args = call['kind'], call.get('args', [])
    if kind == 'directory': return directory(*args)
    if kind == 'write': return write(*args)
    if kind == 'line': return line(*args)
    if kind == 'command': return subprocess.run(args, stdout=subprocess.PIPE).stdout.decode()
    if kind == 'stat': return list(os.stat(args[0]))
    if kind == 'ping': return 'pong'
    if kind == 'facts':
        texts = [open('/proc/' + name).read() for name in ('meminfo', 'cpuinfo', 'mounts')]
        return [platform.uname()._asdict(), socket.gethostname(), texts]
def forked(call):
    ours, theirs = os.pipe()
    pid = os.fork()
    if not pid:
        os.write(theirs, json.dumps(run(call)).encode())
        os._exit(0)
    os.close(theirs)
    with os.fdopen(ours, 'rb') as f: answer = json.loads(f.read().decode())
    os.waitpid(pid, 0)
    return answer
stdin, stdout = sys.stdin.buffer, sys.stdout.buffer
while True:
    head = stdin.read(4)
    if len(head) < 4: break
    call = json.loads(stdin.read(struct.unpack('>I', head)[0]).decode())
    answer = json.dumps((forked if call.get('fork') else run)(call)).encode()
    stdout.write(struct.pack('>I', len(answer)) + answer)
    stdout.flush()
"""


def calls_of(workload: str, work: str) -> list[dict[str, object]]:
    """Give the frames that one host with the directory `work` gets."""
    texts = [(FILES / f"file{number}.txt").read_text() for number in (0, 1)]
    if workload == "w1x10":
        return calls_of("w1", work) * 10
    if workload == "w1":
        return [
            *({"kind": "directory", "args": [f"{work}/dir{n}", 0o755]} for n in range(10)),
            *({"kind": "write", "args": [f"{work}/dir{n}/copied.txt", texts[n % 2], 0o644]} for n in range(8)),
            *({"kind": "write", "args": [f"{work}/dir{n}/page.txt", f"hello {n}\n" * 20, 0o644]} for n in range(4)),
            *({"kind": "line", "args": [f"{work}/lines.conf", f"setting{n}={n}"]} for n in range(4)),
            *({"kind": "command", "args": ["echo", str(n)]} for n in range(2)),
            {"kind": "stat", "args": [f"{work}/lines.conf"]},
        ]
    if workload == "w3":
        copy = [f"{work}/item{n}.txt" for n in range(100)]
        first = {"kind": "directory", "args": [work, 0o755]}
        return [first, *({"kind": "write", "args": [path, texts[0], 0o644], "fork": True} for path in copy)]
    return [{"kind": workload, "fork": True}]


def hosts_of(inventory: Path) -> tuple[list[tuple[str, str]], dict[str, str]]:
    """Give (address, work directory) of each host, and the variables of all."""
    text = inventory.read_text()
    hosts = re.findall(r"^\S+ ansible_host=(\S+) work=(\S+)", text, re.MULTILINE)
    return hosts, dict(re.findall(r"^ansible_(\w+)=(.*)$", text, re.MULTILINE))


async def one_host(
    address: str, calls: list[dict[str, object]], common: dict[str, str], login: dict[str, Any], gate: asyncio.Semaphore
) -> None:
    """Connect to one host and have it do its calls, one after another."""
    program = f"{common['python_interpreter']} -I -S -c 'import sys; exec(sys.stdin.buffer.read({len(HOST_SIDE)}))'"
    async with gate:
        connection = await asyncssh.connect(address, int(common["port"]), **login)
        process = await connection.create_process(program, encoding=None)
        process.stdin.write(HOST_SIDE.encode())
        await do(process, calls[0])
    for call in calls[1:]:
        await do(process, call)
    process.stdin.write_eof()
    await process.wait()
    connection.close()
    await connection.wait_closed()


async def do(process: asyncssh.SSHClientProcess[bytes], call: dict[str, object]) -> None:
    """Have one call done."""
    frame = json.dumps(call).encode()
    process.stdin.write(HEADER.pack(len(frame)) + frame)
    (size,) = HEADER.unpack(await process.stdout.readexactly(4))
    json.loads(await process.stdout.readexactly(size))
    print("ok", flush=True)


async def run(inventory: Path, workload: str) -> None:
    """Have all hosts do `workload`, side by side."""
    hosts, common = hosts_of(inventory)
    known_hosts = re.search(r"UserKnownHostsFile=(\S+)", common["ssh_common_args"]).group(1)
    login = {
        "username": common["user"],
        "client_keys": [asyncssh.read_private_key(common["ssh_private_key_file"])],
        "known_hosts": asyncssh.read_known_hosts(known_hosts),
        "agent_path": None,
        "config": None,
    }
    gate = asyncio.Semaphore(AT_ONCE)
    await asyncio.gather(*(one_host(address, calls_of(workload, work), common, login, gate) for address, work in hosts))


if __name__ == "__main__":
    asyncio.run(run(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "w1"))
