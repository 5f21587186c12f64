"""What a run costs a host, counted with strace: one Python for each user, one frame each way per task, few forks."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

STRACE = shutil.which("strace")
PYTHON = str(Path(sys.executable).resolve())
TASKS, OTHERS = 8, 4
PLAYBOOK = """
- hosts: all
  gather_facts: false
  tasks:
    - ansible.builtin.file: {path: "{{ work }}", state: directory, mode: "0755"}
    - ansible.builtin.ping:
    - ansible.builtin.stat: {path: "{{ work }}"}
    - ansible.builtin.command: echo hello
""" + "".join(f'    - ansible.builtin.file: {{path: "{{{{ work }}}}/{n}", state: directory}}\n' for n in range(TASKS))

EXEC = re.compile(r"execve\(\"([^\"]+)\"")
FORK = re.compile(r"^(\d+) .*?(?:clone3?|v?fork)\b.* = (\d+)$")


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Give what strace saw of a run on one local host whose Runner has an interpreter of its own name."""
    if STRACE is None:
        pytest.skip("no strace")
    directory = tmp_path_factory.mktemp("trace")
    interpreter = directory / "host-python"
    interpreter.symlink_to(PYTHON)
    (directory / "site.yml").write_text(PLAYBOOK)
    (directory / "inventory.ini").write_text(f"h ansible_connection=local ansible_python_interpreter={interpreter}\n")
    calls = "openat,execve,clone,clone3,fork,vfork,read,write,setsid"
    run = [sys.executable, "-m", "pyplay", "-i", "inventory.ini", "-e", f"work={directory}/work", "site.yml"]
    command = [STRACE, "-f", "-qq", "-s", "200", "-e", f"trace={calls}", "-o", "trace", *run]
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False, timeout=120)
    if "PTRACE" in done.stderr or "not permitted" in done.stderr:
        pytest.skip("strace may not trace here")
    assert done.returncode == 0, done.stdout + done.stderr
    return whole((directory / "trace").read_text(errors="replace").splitlines())


def whole(lines: list[str]) -> list[str]:
    """Put calls that strace shows in two pieces together."""
    begun: dict[str, str] = {}
    found: list[str] = []
    for padded in lines:
        pid, rest = padded.split(maxsplit=1)
        line = f"{pid} {rest}"
        if rest.endswith("<unfinished ...>"):
            begun[pid] = rest.removesuffix("<unfinished ...>")
        elif "resumed>" in rest:
            found.append(f"{pid} {begun.pop(pid, '')}{rest.partition('resumed>')[2]}")
        else:
            found.append(line)
    return found


def runner_of(trace: list[str]) -> str:
    """Give the process id of the one Runner."""
    started = [line.split()[0] for line in trace if "host-python" in line and "execve(" in line and " = 0" in line]
    assert len(started) == 1, "one Python start per host and user"
    return started[0]


def test_one_python_starts(trace: list[str]) -> None:
    runner = runner_of(trace)
    programs = [line for line in trace if line.startswith(runner + " ") and EXEC.search(line)]
    assert len(programs) == 1


def test_tasks_whose_modules_share_a_process_are_not_forked(trace: list[str]) -> None:
    runner = runner_of(trace)
    forks = [match for line in trace if (match := FORK.match(line)) and match[1] == runner]
    assert len(forks) == 1 + 1 + 1  # the guard beside the Runner, the hand, the child of command


def test_one_frame_each_way_per_task(trace: list[str]) -> None:
    runner = runner_of(trace)
    talk = [line for line in trace if line.startswith((f"{runner} read(0,", f"{runner} write(1,"))]
    results = [at for at, line in enumerate(talk) if "write(1," in line and r'"\7' in line]
    assert len(results) == TASKS + OTHERS
    steady = talk[results[0] + 1 : results[-1] + 1]  # before it, the Runner's source and the first modules come in
    assert [("read(0," in line, r'"\2' in line) for line in steady[::2]] == [(True, True)] * (TASKS + OTHERS - 1)
    assert [("write(1," in line, r'"\7' in line) for line in steady[1::2]] == [(True, True)] * (TASKS + OTHERS - 1)


def test_a_child_imports_and_compiles_nothing_the_hand_what_came_later_once(trace: list[str]) -> None:
    runner = runner_of(trace)
    guard, hand, child = (match[2] for line in trace if (match := FORK.match(line)) and match[1] == runner)
    opened = {pid: [line for line in trace if line.startswith(f"{pid} openat")] for pid in (guard, hand, child)}
    modules = {pid: re.findall(r'"([^"]+\.pyc?)".* = \d+\n', "\n".join(lines) + "\n") for pid, lines in opened.items()}
    assert modules[guard] == modules[child] == []
    assert len(modules[hand]) == len(set(modules[hand]))
