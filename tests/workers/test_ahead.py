"""Items of a loop that are sent ahead: nobody can tell, but for the time it takes."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from bench import Bench
from hosts import builder, drive, runner

from pyplay.diagnostics.errors import RunnerEnded
from pyplay.playbook.model import LoopControl, TaskKind
from pyplay.shipping.session import CallHeld
from pyplay.workers import ahead
from pyplay.workers.ahead_rules import may_go_ahead

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent.parent

PLAYBOOK = """
- hosts: all
  gather_facts: false
  vars:
    indirect: "{{ said.stdout | default('none') }}"
    words: [one, two, three, four, five, six]
  tasks:
    - name: in their order, one after another
      ansible.builtin.shell: 'echo {{ item }} >> {{ work }}/order; cat {{ work }}/order | tr "\\n" " "'
      loop: "{{ words }}"
      register: said
    - &show
      ansible.builtin.debug:
        msg: "{{ said.results | map('dict2items') | map('selectattr', 'key', 'in', keys) | map('items2dict') | list }}"
      vars:
        keys: [item, stdout, rc, failed, changed, skipped, msg, attempts, idx, ansible_loop_var, state, dest, checksum]
    - name: reads what the one before left, by way of a variable
      ansible.builtin.command: "echo {{ indirect }}{{ item }}"
      loop: "{{ words }}"
      register: said
    - *show
    - name: one fails, the others run
      ansible.builtin.command: "test {{ item }} != three"
      loop: "{{ words }}"
      loop_control: {index_var: idx, label: "{{ idx }} {{ said.rc | default('-') }}"}
      register: said
      ignore_errors: true
    - *show
    - name: some are skipped, some cannot be rendered
      ansible.builtin.command: "echo {{ item }} {{ nothing if item == 'five' else '' }}"
      loop: "{{ words }}"
      when: item != 'two' and (item != 'four' or said is defined)
      register: said
      ignore_errors: true
    - *show
    - name: judged by their own result
      ansible.builtin.command: "echo {{ item }}"
      loop: "{{ words }}"
      register: said
      changed_when: said.stdout == 'two'
      failed_when: said.stdout is match('s')
      ignore_errors: true
    - *show
    - name: a lookup is called when its turn has come
      ansible.builtin.command: "echo {{ lookup('env', 'HOME') is string }} {{ item }}"
      loop: "{{ words }}"
      register: said
    - *show
    - name: contents
      ansible.builtin.copy: {content: "{{ item * 3 }}\\n", dest: "{{ work }}/{{ item }}.txt"}
      loop: "{{ words }}"
      register: said
    - *show
    - name: environment differs
      ansible.builtin.shell: 'echo $WORD'
      environment: {WORD: "{{ item }}"}
      loop: "{{ words }}"
      register: said
    - *show
"""


@pytest.fixture(scope="module")
def inventory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    directory = tmp_path_factory.mktemp("hosts")
    command = [sys.executable, str(ROOT / "examples/embedded_hosts.py"), "--hosts", "1", "--dir", str(directory)]
    with subprocess.Popen([*command, "--until-eof"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as hosts:
        assert hosts.stdout is not None
        assert hosts.stdout.readline().strip() == "ready"
        yield directory / "inventory.ini"
        assert hosts.stdin is not None
        hosts.stdin.close()


def play(inventory: str, work: Path) -> str:
    work.mkdir()
    path = work.parent / "site.yml"
    path.write_text(PLAYBOOK)
    command = [sys.executable, "-m", "pyplay", "-i", inventory, "-e", f"work={work}", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert done.returncode in (0, 2), done.stdout + done.stderr
    return done.stdout


def tidy(text: str, host: str) -> str:
    """Leave out what differs between two runs: the host's name and what takes time."""
    text = re.sub(r'"(start|end|delta)": "[^"]*"', r'"\1": ""', text.replace(host, "HOST"))
    return re.sub(r"HOST +:", "HOST :", text)


def test_all_is_as_one_after_another(inventory: Path, tmp_path: Path) -> None:
    host = next(line.split()[0] for line in inventory.read_text().splitlines() if "ansible_port" in line)
    (tmp_path / "ssh").mkdir()
    (tmp_path / "near").mkdir()
    over_ssh = play(str(inventory), tmp_path / "ssh" / "w")
    (tmp_path / "near.ini").write_text(f"{host} ansible_connection=local ansible_python_interpreter=/usr/bin/python3\n")
    near = play(str(tmp_path / "near.ini"), tmp_path / "near" / "w")
    assert tidy(over_ssh, host).replace("/ssh/", "/X/") == tidy(near, host).replace("/near/", "/X/")
    assert (tmp_path / "ssh/w/order").read_text().split() == ["one", "two", "three", "four", "five", "six"]


class CountedTurn:
    lane = 1
    group = 0
    follows = None

    def __init__(self, log: list[str]) -> None:
        self._log = log

    def goes(self, way: object) -> bool:
        return way is not None

    def sent(self) -> None:
        self._log.append("sent")

    def withdrawn(self) -> None:
        self._log.append("withdrawn")


def test_a_lane_is_sent_at_once_and_runs_in_order(tmp_path: Path) -> None:
    async def scene() -> None:
        log: list[str] = []
        path = tmp_path / "order"
        module = builder().build("ansible.builtin.command")
        line = f"sleep 0.0$(( 5 - %d )); echo %d >> {path}"

        async def call(number: int) -> None:
            args = {"_raw_params": line % (number, number), "_uses_shell": True}
            answer = await client.call(module, args, turn=CountedTurn(log))
            assert json.loads(answer.stdout)["rc"] == 0
            log.append(f"done {number}")

        async with runner() as client:
            other = asyncio.create_task(client.call(module, {"_raw_params": "true"}))
            begin = time.monotonic()
            await asyncio.gather(*(call(number) for number in range(5)))
            assert time.monotonic() - begin >= 0.05 + 0.04 + 0.03 + 0.02
            await other
        assert log == ["sent"] * 5 + [f"done {number}" for number in range(5)]
        assert path.read_text().split() == list("01234")

    drive(scene())


def test_what_an_item_brings_to_the_controllers_disk_is_seen_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a host that shares a disk with the controller, or is the controller."""
    monkeypatch.setattr(ahead, "LOCAL_KINDS", ())
    for name in ("0", "1", "2"):
        (tmp_path / name).write_text(f"old {name}")
    time.sleep(2 * ahead.LAG / 1e9)  # a file's age is what tells
    task = (
        "{ansible.builtin.copy: {src: 'DIR/{{ item }}', dest: 'DIR/{{ item | int + 1 }}'}, loop: ['0', '1', '2', '3']}"
    )
    found = Bench(str(tmp_path)).run(task.replace("DIR", str(tmp_path)))
    assert [item["failed"] for item in found.result["results"]] == [False] * 4
    assert (tmp_path / "4").read_text() == "old 0"


def test_of_a_runner_that_ended_only_the_call_that_ran_has_failed() -> None:
    async def scene() -> None:
        module = builder().build("ansible.builtin.command")

        def call(line: str, lane: int) -> Any:
            turn = CountedTurn([])
            turn.lane = lane
            return client.call(module, {"_raw_params": line, "_uses_shell": True}, turn=turn)

        async with runner() as client:
            ends = "sleep 0.1; kill -9 $(sed -n s/PPid://p /proc/$PPID/status); sleep 9"
            calls = [call("true", 1), call(ends, 1), call("true", 1), call("true", 1), call("sleep 9", 2)]
            answers = await asyncio.gather(*calls, return_exceptions=True)
        assert [type(answer) for answer in answers[1:]] == [RunnerEnded, CallHeld, CallHeld, RunnerEnded]

    drive(scene())


def test_no_module_that_sets_facts_goes_ahead() -> None:
    settings: Any = SimpleNamespace(task_timeout=0)
    setters = [path.stem for path in (ROOT / "modules").glob("*.py") if "ansible_facts" in path.read_text()]
    assert "setup" in setters
    assert [name for name in setters if may_go_ahead(make_task(action=name), settings)] == []


def make_task(**changes: Any) -> Any:
    given: dict[str, Any] = {
        "action": "command",
        "register": None,
        "when": (),
        "changed_when": (),
        "failed_when": (),
        "loop_control": None,
        "until": (),
        "retries": None,
        "timeout": None,
    }
    given |= {"delegate_to": None, "async_seconds": None, "kind": TaskKind.TASK} | changes
    return SimpleNamespace(**given, resolved_action=f"ansible.builtin.{given['action']}")


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, True),
        ({"action": "copy"}, True),
        ({"action": "template"}, True),
        ({"action": "shell"}, True),
        ({"kind": TaskKind.HANDLER}, True),
        ({"loop_control": LoopControl(index_var="n", extended=True)}, True),
        ({"loop_control": LoopControl(pause=1)}, False),
        ({"loop_control": LoopControl(break_when=("x",))}, False),
        ({"until": ("x",)}, False),
        ({"retries": 2}, False),
        ({"timeout": 3}, False),
        ({"delegate_to": "other"}, False),
        ({"async_seconds": 3}, False),
        ({"action": "set_fact"}, False),
        ({"action": "setup"}, False),
        ({"action": "fetch"}, False),
        ({"action": "include_tasks", "kind": TaskKind.INCLUDE_TASKS}, False),
    ],
)
def test_which_tasks(changes: dict[str, Any], expected: bool) -> None:  # noqa: FBT001  # a table
    settings: Any = SimpleNamespace(task_timeout=0)
    assert may_go_ahead(make_task(**changes), settings) is expected
