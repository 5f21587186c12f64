"""Tasks that are sent ahead of their turn: nobody can tell, but for the time it takes."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import pytest
from bench import Bench, Means, task_of
from hosts import builder, drive, runner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pyplay.connection.kinds import LOCAL_KINDS
from pyplay.connection.open import Connector
from pyplay.shipping.session import CallHeld, RunnerSession
from pyplay.source.settings import load_settings
from pyplay.source.yaml import load_text
from pyplay.workers import stretch as stretches
from pyplay.workers.ahead import LAG
from pyplay.workers.ahead_rules import FORESIGHT, WINDOW, may_be_in_stretch, may_be_skipped_ahead
from pyplay.workers.connections import Connections
from pyplay.workers.context import TaskContext
from pyplay.workers.evaluate import Evaluator
from pyplay.workers.reach import start_runner
from pyplay.workers.remote import TaskRemote
from pyplay.workers.stretch import Stretch, StretchItem, TaskTurn

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from pyplay.playbook.model import Task

VOLATILE = ("start", "end", "delta", "exception", "atime", "mtime", "ctime", "inode", "version")


def noting(monkeypatch: pytest.MonkeyPatch, turns: Any, name_of: Callable[[Any], str]) -> list[str]:
    """Give the names of `turns` of which something was sent ahead, as it is."""
    names: list[str] = []
    whole = turns.sent

    def noted(turn: Any) -> None:
        if turn.follows is not None:
            names.append(name_of(turn))
        whole(turn)

    monkeypatch.setattr(turns, "sent", noted)
    return names


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Have the local connection count as a network; gives the names of tasks that were sent ahead."""
    monkeypatch.setattr(stretches, "LOCAL_KINDS", ())
    return noting(monkeypatch, TaskTurn, lambda turn: turn._task.name)


@pytest.fixture
def items_sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Give the names of the tasks of items that were sent ahead of their tasks."""
    return noting(monkeypatch, StretchItem, lambda turn: turn._turn._task.name)


INTERPRETER = {"ANSIBLE_PYTHON_INTERPRETER": "/usr/bin/python3"}


class Told(Bench):
    """A bench that takes of items only what is of the task that the engine has come to: `at`, its id."""

    at = 0

    def emit(self, item: Any) -> None:
        assert item.task_id == self.at
        self.emitted.append(item)


def tasks_of(text: str) -> list[Task]:
    """Give the tasks of a YAML list, with ids of their own."""
    return [replace(task_of(entry), id=number) for number, entry in enumerate(load_text(text, "site.yml"), 1)]


def ahead_of(tasks: list[Task], bench: Bench) -> tuple[list[Task], set[int]]:
    """Give what the engine would name as following the first of `tasks`, and the ids of what is held."""

    def known(task: Task) -> bool:
        return may_be_in_stretch(task, bench.settings) or may_be_skipped_ahead(task)

    following = list(takewhile(known, tasks))
    held = {task.id for task in following if not may_be_in_stretch(task, bench.settings)}
    return following[1 : 1 + FORESIGHT], held


async def walk(bench: Told, tasks: list[Task], *, ahead: bool, told: list[str]) -> list[Any]:
    """Run tasks as the engine would on one host: one after another, to the first that fails and is not ignored.

    `told` gets the names of those whose results were there before it came to them.
    """
    connections = Connections(Connector(), start_runner)
    means = Means(connections, bench.builder)
    context = TaskContext(
        options=bench.options, settings=bench.settings, variables=bench, vault=None, plays={1: bench.play},
        evaluator=Evaluator(), remote=lambda request: TaskRemote(request, context, means),
        emit=bench.emit, prompter=bench.prompter, sleep=asyncio.sleep,
    )  # fmt: skip
    stretch, results, foretold = Stretch(context, "h1"), [], list[Any]()
    try:
        for number, task in enumerate(tasks):
            bench.at = task.id
            if foretold:
                told.append(str(task.name))
                found = foretold.pop(0)
            else:
                following, held = ahead_of(tasks[number:], bench) if ahead else ([], set[int]())
                found, *foretold = await stretch.run(task, following, held)
            assert found.task_id == task.id
            bench._keep(found)
            results.append(found)
            if (found.failed or found.unreachable) and not found.ignored:
                break
    finally:
        stretch.end()
        await connections.close()
    return results


def lasting(value: Any) -> Any:
    """Leave out what two runs never share."""
    if isinstance(value, dict):
        return {name: lasting(member) for name, member in value.items() if name not in VOLATILE}
    return [lasting(member) for member in value] if isinstance(value, list) else value


def shown(result: Any) -> dict[str, Any]:
    """Give what is to be seen of a result, but for what takes time."""
    kept = lasting(result.result)
    flags = (result.failed, result.changed, result.skipped, result.ignored, result.notify, result.register, result.name)
    return {"result": kept, "flags": flags, "store": lasting(result.store)}


def both(
    directory: Path,
    text: str,
    environ: Mapping[str, str] = INTERPRETER,
    before: Callable[[], None] = lambda: None,
    told: list[str] | None = None,
) -> tuple[list[Any], str]:
    """Run tasks with and without sending ahead, and compare; give the results and the log of what ran.

    `before` is called before each run, `told` gets the names of tasks of which was told beforehand.
    """
    found: list[tuple[list[Any], str, list[Any]]] = []
    work, log = directory / "work", directory / "work" / "log"
    for ahead in (False, True):
        before()
        work.mkdir()
        log.write_text("")
        bench = Told(str(directory), variables={"log": str(log), "work": str(work), "truth": True})
        bench.settings = load_settings(environ, str(directory))
        results = asyncio.run(walk(bench, tasks_of(text), ahead=ahead, told=[] if told is None else told))
        items = [(item.task_id, item.label, item.ignored, lasting(item.result)) for item in bench.emitted]
        found.append(([shown(result) for result in results], log.read_text(), items))
        work.rename(directory / f"done{ahead}-{os.urandom(4).hex()}")
    assert found[0] == found[1]
    return found[1][:2]


SAY = "ansible.builtin.shell: 'echo {n} >> {{{{ log }}}}; cat {{{{ log }}}} | wc -l'"


def test_independent_tasks_go_ahead(sent: list[str], tmp_path: Path) -> None:
    text = "".join(f"- {{name: t{n}, {SAY.format(n=n)}}}\n" for n in range(20))
    _, log = both(tmp_path, text)
    assert log.split() == [str(n) for n in range(20)]
    assert sent == [f"t{n}" for n in range(1, 20)]


def test_few_are_under_way_however_many_are_named(
    sent: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    most: list[int] = []
    begun = Stretch._begun

    def counted(stretch: Any, *about: Any) -> Any:
        most.append(len(stretch._flying) + 1)
        return begun(stretch, *about)

    monkeypatch.setattr(Stretch, "_begun", counted)
    told: list[str] = []
    text = "".join(f"- {{name: t{n}, {SAY.format(n=n)}, when: truth}}\n" for n in range(40))
    text += "".join(f"- {{name: s{n}, {SAY.format(n=n)}, when: not truth}}\n" for n in range(FORESIGHT))
    _, log = both(tmp_path, text, told=told)
    assert log.split() == [str(n) for n in range(40)]
    assert len(sent) == 39
    assert max(most) == WINDOW
    assert told == [f"s{n}" for n in range(FORESIGHT)]


def test_loops_go_ahead_among_tasks(sent: list[str], items_sent: list[str], tmp_path: Path) -> None:
    text = f"""
- {{name: a, {SAY.format(n="a")}}}
- {{name: l, {SAY.format(n="{{ item }}")}, loop: [1, 2, 3], register: said}}
- {{name: b, {SAY.format(n="b")}}}
- {{name: m, {SAY.format(n="{{ item }}")}, loop: [4], when: item != 4}}
- {{name: n, {SAY.format(n="{{ item }}")}, loop: [5, 6]}}
- {{name: reads, {SAY.format(n="{{ said.results | length }}")}}}
- {{name: head, {SAY.format(n="{{ item }}")}, loop: [7, 8]}}
- {{name: c, {SAY.format(n="c")}}}
"""
    _, log = both(tmp_path, text)
    assert log.split() == ["a", "1", "2", "3", "b", "5", "6", "3", "7", "8", "c"]
    assert items_sent == ["l", "l", "l", "n", "n", "head", "head"]
    assert [name for name in sent if name not in "lmn"] == ["b", "head", "c"]


def test_a_loop_stops_where_the_task_before_it_fails(sent: list[str], items_sent: list[str], tmp_path: Path) -> None:
    text = "- {name: a, ansible.builtin.command: 'true'}\n- {name: b, ansible.builtin.shell: 'sleep 0.1; false'}\n"
    text += f"- {{name: l, {SAY.format(n='{{ item }}')}, loop: [1, 2, 3]}}\n- {{name: c, {SAY.format(n=4)}}}\n"
    results, log = both(tmp_path, text)
    assert len(results) == 2
    assert not log
    assert items_sent == ["l", "l", "l"]
    assert "c" in sent


def test_a_loop_that_must_wait_sends_its_items_when_it_is_due(
    items_sent: list[str], sent: list[str], tmp_path: Path
) -> None:
    text = f"""
- {{name: a, ansible.builtin.command: echo new, register: said}}
- {{name: reads, {SAY.format(n="{{ said.stdout }}{{ item }}")}, loop: [1, 2, 3]}}
- {{name: skips, {SAY.format(n="{{ said.stdout }}{{ item }}")}, loop: [1, 2, 3, 4, 5], when: item > 2 and said.rc == 0, register: later}}
- {{name: some, {SAY.format(n="{{ of[item] }}")}, loop: [a, b, c, b], vars: {{of: {{a: 1, b: 2, c: '{{{{ later.results | length }}}}'}}}}}}
"""
    _, log = both(tmp_path, text)
    assert log.split() == ["new1", "new2", "new3", "new3", "new4", "new5", "1", "2", "5", "2"]
    assert items_sent == ["reads", "reads", "skips", "skips", "skips", "some", "some"]
    assert sent == ["skips"]


@pytest.mark.usefixtures("sent")
def test_the_calls_of_one_task_go_side_by_side(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lanes: list[tuple[str, bool]] = []
    whole = RunnerSession.call

    async def noted(session: Any, module: Any, args: bytes, *, options: Mapping[str, Any], **more: Any) -> Any:
        lanes.append((module.name, bool(options.get("lane"))))
        return await whole(session, module, args, options=options, **more)

    monkeypatch.setattr(RunnerSession, "call", noted)
    (tmp_path / "tree").mkdir()
    for name in "ab":
        (tmp_path / "tree" / name).write_text(name)
    copy = f"ansible.builtin.copy: {{src: {tmp_path}/tree, dest: '{{{{ work }}}}/x{{{{ item | default() }}}}/'}}"
    last = "{name: c, ansible.builtin.command: 'true'}"
    both(tmp_path, f"- {{name: a, {copy}}}\n- {{name: b, {copy}, loop: [1, 2]}}\n- {last}\n- {last}\n")
    assert ("copy", False) in lanes
    assert ("copy", True) not in lanes
    assert ("command", True) in lanes


def test_what_is_shown_of_items_is_rendered_when_their_task_is_due(
    items_sent: list[str], sent: list[str], tmp_path: Path
) -> None:
    text = """
- {name: a, ansible.builtin.command: echo new, register: said}
- {name: 'b {{ said.rc }}', ansible.builtin.command: "test {{ item }} = 1", loop: [1, 2],
   loop_control: {label: '{{ said.stdout }}{{ item }}'}, ignore_errors: true}
- {name: c, ansible.builtin.command: 'true'}
"""
    results, _ = both(tmp_path, text)
    assert results[1]["flags"][-1] == "b 0"
    assert len(items_sent) == 2
    assert sent[0] == "b {{ said.rc }}"


def test_nothing_goes_behind_items_that_a_new_runner_took(sent: list[str], tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--copies", "--without-pip", str(tmp_path / "venv")], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    ends = "{{ {2: 'exit 1', 3: 'touch PYTHON'}[item] | default('true') }}".replace("PYTHON", str(python))
    text = f"""
- {{name: l, ansible.builtin.shell: "echo {{{{ item }}}} >> {{{{ log }}}}; {ends}", loop: '{{{{ range(20) | list }}}}'}}
- {{name: b, {SAY.format(n="never")}}}
"""
    _, log = both(tmp_path, text, {"ANSIBLE_PYTHON_INTERPRETER": str(python)})
    assert log.split() == [str(n) for n in range(20)]
    assert not sent


def test_items_behind_one_that_ended_the_runner_run_in_its_place(
    items_sent: list[str], sent: list[str], tmp_path: Path
) -> None:
    ends = "{{ 'sleep 0.4; kill -9 $(sed -n s/PPid://p /proc/$PPID/status); sleep 9' if item == 1 else 'true' }}"
    text = f"""
- {{name: l, ansible.builtin.shell: "echo {{{{ item }}}} >> {{{{ log }}}}; {ends}", loop: [0, 1, 2, 3], ignore_errors: true}}
- {{name: b, {SAY.format(n="b")}}}
"""
    _, log = both(tmp_path, text)
    assert log.split() == ["0", "1", "2", "3", "b"]
    assert items_sent == ["l", "l", "l"]
    assert sent == ["b"]


def test_nothing_starts_after_a_failure(sent: list[str], tmp_path: Path) -> None:
    text = "- {name: a, ansible.builtin.command: 'true'}\n- {name: b, ansible.builtin.shell: 'sleep 0.1; false'}\n"
    text += "".join(f"- {{name: t{n}, {SAY.format(n=n)}}}\n" for n in range(4))
    results, log = both(tmp_path, text)
    assert len(results) == 2
    assert not log
    assert "t3" in sent  # it was there, and was not started


def test_after_an_ignored_failure_all_go_on(sent: list[str], tmp_path: Path) -> None:
    text = "- {name: a, ansible.builtin.command: 'false', ignore_errors: true}\n"
    text += "".join(f"- {{name: t{n}, {SAY.format(n=n)}}}\n" for n in range(4))
    _, log = both(tmp_path, text)
    assert log.split() == list("0123")
    assert sent.count("t3") == 2  # barred, and sent again


@pytest.mark.parametrize(
    "reader",
    [
        "{name: r, ansible.builtin.command: 'echo {{ said.stdout }}'}",
        "{name: r, ansible.builtin.command: 'echo {{ said.stdout }}', loop: [1, 2, 3]}",
        "{name: r, ansible.builtin.command: 'echo x', when: said.stdout == 'new'}",
        "{name: r, ansible.builtin.command: 'echo {{ by_way }}', vars: {by_way: '{{ said.stdout }}'}}",
        "{name: r, ansible.builtin.command: 'echo {{ vars[\"said\"].stdout }}'}",
        "{name: r, ansible.builtin.command: 'echo {{ vars | length }}'}",
        '{name: r, ansible.builtin.command: \'echo {{ lookup("vars", "said").stdout }}\'}',
        '{name: r, ansible.builtin.command: \'echo {{ lookup("env", "HOME") }}\'}',
        "{name: r, ansible.builtin.command: 'echo {{ hostvars | default(1) }}'}",
        "{name: r, ansible.builtin.command: 'echo $X', environment: {X: '{{ said.stdout }}'}}",
        "{name: r, ansible.builtin.command: 'echo x', become: '{{ said.stdout != \"new\" }}'}",
        "{name: r, ansible.builtin.copy: {content: '{{ said.stdout }}', dest: '{{ work }}/x'}}",
        "{name: r, ansible.builtin.command: 'echo x', when: work is exists}",
        "{name: r, ansible.builtin.command: 'echo {{ now().year > 0 }}'}",
        "{name: r, ansible.builtin.command: 'echo x', when: \"('%s' | strftime | int) > 0\"}",
        "{name: r, ansible.builtin.template: {src: '{{ work | dirname }}/dated.j2', dest: '{{ work }}/x'}}",
        "{name: r, ansible.builtin.command: 'echo {{ work | realpath | basename }}'}",
        "{name: r, ansible.builtin.template: {src: '{{ work | dirname }}/takes.j2', dest: '{{ work }}/x'}}",
    ],
)
def test_what_reads_an_earlier_result_waits(sent: list[str], tmp_path: Path, reader: str) -> None:
    (tmp_path / "takes.j2").write_text("{% include 'taken.j2' %}")
    (tmp_path / "taken.j2").write_text("taken")
    (tmp_path / "dated.j2").write_text("{{ template_run_date.year > 0 }}")
    time.sleep(2 * LAG / 1e9)  # a file's age is what tells
    both(tmp_path, f"- {{name: w, ansible.builtin.command: echo new, register: said}}\n- {reader}\n")
    assert not sent


@pytest.mark.usefixtures("sent")
def test_the_clock_is_read_in_its_turn(tmp_path: Path) -> None:
    text = (
        "- {name: a, ansible.builtin.command: 'true'}\n"
        "- {name: b, ansible.builtin.set_fact: {began: '{{ now().timestamp() }}'}}\n"
        "- {name: c, ansible.builtin.command: sleep 0.2}\n"
        "- {name: d, ansible.builtin.set_fact: {ended: '{{ now().timestamp() }}'}}\n"
        "- {name: e, ansible.builtin.command: 'echo {{ ended | float - began | float >= 0.2 }}'}\n"
    )
    bench = Told(str(tmp_path))
    bench.settings = load_settings(INTERPRETER, str(tmp_path))
    results = asyncio.run(walk(bench, tasks_of(text), ahead=True, told=[]))
    assert results[-1].result["stdout"] == "True"


def test_a_template_that_stands_alone_goes_ahead(sent: list[str], tmp_path: Path) -> None:
    (tmp_path / "alone.j2").write_text("a word from {{ truth }}, to include")
    time.sleep(2 * LAG / 1e9)
    first = "- {name: a, ansible.builtin.command: 'true'}\n"
    both(tmp_path, f"{first}- {{name: b, ansible.builtin.template: {{src: alone.j2, dest: '{{{{ work }}}}/x'}}}}\n")
    assert sent == ["b"]


def test_which_python_was_found_is_read_in_its_turn(sent: list[str], tmp_path: Path) -> None:
    say = "ansible.builtin.command: \"echo {{ discovered_interpreter_python | default('none') }}\""
    text = "- {name: a, ansible.builtin.ping: {}}\n- {name: b, ansible.builtin.ping: {}}\n"
    results, _ = both(tmp_path, f"{text}- {{name: c, {say}}}\n- {{name: d, {say}}}\n", {})
    assert results[2]["result"]["stdout"] != "none"
    assert "b" in sent
    assert "c" not in sent


def test_a_local_file_that_a_task_may_write_is_read_in_its_turn(sent: list[str], tmp_path: Path) -> None:
    source = tmp_path / "source.txt"

    def before() -> None:
        source.write_text("old")
        time.sleep(2 * LAG / 1e9)  # a file's age is what tells

    text = f"""
- {{name: a, ansible.builtin.command: 'true'}}
- {{name: w, ansible.builtin.shell: 'sleep 0.1; echo new > {source}'}}
- {{name: c, ansible.builtin.copy: {{src: "{source}", dest: "{{{{ work }}}}/there"}}}}
- {{name: s, ansible.builtin.command: 'cat {{{{ work }}}}/there'}}
"""
    results, _ = both(tmp_path, text, before=before)
    assert results[-1]["result"]["stdout"] == "new"
    assert "c" in sent


def test_of_what_is_skipped_or_only_computes_is_told_with_the_result_before_it(sent: list[str], tmp_path: Path) -> None:
    told: list[str] = []
    text = """
- {name: a, ansible.builtin.command: 'true'}
- {name: skipped, ansible.builtin.command: 'false', when: not truth}
- {name: skipped held, ansible.builtin.setup: {}, when: not truth, register: there}
- {name: says, ansible.builtin.debug: {msg: 'x{{ truth }}'}}
- {name: sets, ansible.builtin.set_fact: {new: 1, truth: false}}
- {name: sees, ansible.builtin.command: 'true', when: ansible_connection == 'local'}
- {name: reads, ansible.builtin.command: 'true', when: truth}
- {name: reads there, ansible.builtin.debug: {msg: '{{ there.skipped }}'}}
- {name: last, ansible.builtin.debug: {var: new}}
"""
    both(tmp_path, text, told=told)
    assert told == ["skipped", "skipped held", "says", "sets", "reads", "reads there", "last"]
    assert sent == ["sees"]


@pytest.mark.parametrize(
    ("first", "kinds", "expected"),
    [
        ("ansible.builtin.command: 'true'", (), ["h0"]),  # looked ahead of while its result is waited for
        ("ansible.builtin.command: 'true'", LOCAL_KINDS, ["h0"]),  # looked ahead of when its result is there
        ('ansible.builtin.debug: {msg: "{{ HEAVY }}"}', (), []),
    ],
)
def test_a_result_is_not_kept_back_for_what_takes_long_to_compute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: str, kinds: tuple[str, ...], expected: list[str]
) -> None:
    monkeypatch.setattr(stretches, "LOCAL_KINDS", kinds)
    monkeypatch.setattr(stretches, "PATIENCE", 0.001)
    heavy, told = "range(50000) | map('string') | list | length", list[str]()  # some 20 ms
    text = f"- {{name: a, {first}}}\n"
    text += "".join(f'- {{name: h{n}, ansible.builtin.debug: {{msg: "{{{{ HEAVY }}}}"}}}}\n' for n in range(2))
    text += '- {name: h2, ansible.builtin.debug: {msg: x}, when: "HEAVY == 1"}\n'
    both(tmp_path, text.replace("HEAVY", heavy), told=told)
    assert told == expected


@pytest.mark.parametrize(
    "entry",
    [
        "ansible.builtin.assert: {that: not truth}",
        "ansible.builtin.assert: {that: said is defined}",
        "ansible.builtin.debug: {msg: '{{ vars | length }}'}",
        "ansible.builtin.debug: {msg: '{{ nothing }}'}",
        'ansible.builtin.debug: {msg: \'{{ lookup("env", "HOME") }}\'}',
        "ansible.builtin.debug: {msg: 'x'}, when: said.rc == 0",
        "ansible.builtin.debug: {msg: 'x'}, when: nothing",
        "ansible.builtin.debug: {msg: 'x'}, loop: [1]",
        "ansible.builtin.debug: {msg: 'x'}, failed_when: truth",
        "ansible.builtin.set_fact: {ansible_become: false}",
        "ansible.builtin.set_fact: {here: 1, cacheable: true}",
        "ansible.builtin.command: 'true', changed_when: truth",
    ],
)
def test_of_what_may_be_otherwise_is_not_told(sent: list[str], tmp_path: Path, entry: str) -> None:
    told: list[str] = []
    text = "- {name: a, ansible.builtin.command: 'true', register: said}\n"
    both(tmp_path, f"{text}- {{name: b, {entry}}}\n- {{name: c, ansible.builtin.command: 'true'}}\n", told=told)
    assert not told
    assert not sent


ITEM = "ansible.builtin.shell: 'echo item {{ item }} >> {{ log }}; exit {{ item }}'"
"""Of a loop; fails for 1."""

ENTRIES = (
    SAY.format(n=1),
    "ansible.builtin.shell: 'echo two >> {{ log }}', register: said",
    "ansible.builtin.command: 'echo {{ said.stdout | default(0) }} {{ said.rc | default(9) }}', register: said",
    "ansible.builtin.command: 'false', ignore_errors: true",
    "ansible.builtin.command: 'false'",
    "ansible.builtin.command: 'false', failed_when: false",
    "ansible.builtin.command: 'echo x', failed_when: said is defined",
    "ansible.builtin.command: 'echo {{ nothing }}', ignore_errors: true",
    "ansible.builtin.shell: 'wc -l < {{ log }}', changed_when: false, notify: [heard]",
    "ansible.builtin.shell: 'echo never >> {{ log }}', when: not truth",
    "ansible.builtin.shell: 'echo maybe >> {{ log }}', when: said is defined and said.rc == 0",
    "ansible.builtin.copy: {content: 'x{{ truth }}', dest: '{{ work }}/file'}",
    "ansible.builtin.file: {path: '{{ work }}/file', state: absent}",
    "ansible.builtin.stat: {path: '{{ work }}/file'}, register: there",
    "ansible.builtin.file: {path: '{{ work }}/late', state: touch}, when: there.stat.exists",
    "ansible.builtin.set_fact: {truth: '{{ not truth }}'}",
    "ansible.builtin.set_fact: {said: '{{ said | default(1) }}'}",
    "ansible.builtin.debug: {msg: 'x{{ truth }}'}, register: said, changed_when: true, notify: [heard]",
    "ansible.builtin.debug: {var: there.stat.exists}, when: truth",
    "ansible.builtin.assert: {that: truth}, ignore_errors: true",
    "ansible.builtin.set_fact: {log: '{{ log }}', cacheable: true}, when: not truth",
    "ansible.builtin.command: 'echo held', when: not truth, register: there, changed_when: truth",
    "ansible.builtin.command: 'echo {{ item }}', loop: [1, 2, 3], register: said",
    f"{ITEM}, loop: [0, 0, 0]",
    f'{ITEM}, loop: \'{{{{ range(20) | map("int") | map("bool") | map("int") | list }}}}\', ignore_errors: true',
    f"{ITEM}, loop: [0, 1, 0], register: said, ignore_errors: true",
    f"{ITEM}, loop: [0, 1, 0]",
    f"{ITEM}, loop: [0, 1, 2], when: item != 1, failed_when: false, notify: [heard]",
    f"{ITEM}, loop: [], register: there",
    f"{ITEM}, with_items: [0, [0, 0]], changed_when: false, loop_control: {{label: 'x{{{{ item }}}}'}}",
    f"{ITEM}, loop: '{{{{ said.results | default([0]) | map(\"length\") | list }}}}', ignore_errors: true",
    "ansible.builtin.command: 'echo {{ item if item < 3 else said.rc | default(5) }}', loop: [1, 2, 3, 4]",
    "ansible.builtin.command: 'echo {{ item if item < 3 else nothing }}', loop: [1, 2, 3, 4], ignore_errors: true",
    "ansible.builtin.copy: {content: '{{ item }}', dest: '{{ work }}/file{{ item }}'}, loop: [1, 2, 3]",
    "ansible.builtin.stat: {path: '{{ work }}/file{{ item }}'}, loop: [1, 2], register: there",
)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(entries=st.lists(st.sampled_from(ENTRIES), min_size=2, max_size=12))
def test_all_is_as_without(sent: list[str], tmp_path: Path, entries: list[str]) -> None:
    directory = tmp_path / os.urandom(4).hex()
    directory.mkdir()
    lines = "".join(f"- {{name: 't{number}', {entry}}}\n" for number, entry in enumerate(entries))
    both(directory, lines)


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("ansible.builtin.ping: {}", True),
        ("ansible.builtin.ping: {}, register: said, notify: [x], when: [a is b], changed_when: false", True),
        ("ansible.builtin.ping: {}, ignore_errors: true", True),
        ("ansible.builtin.ping: {}, register: ansible_host", False),
        ("ansible.builtin.ping: {}, notify: ['{{ x }}']", False),
        ("ansible.builtin.ping: {}, loop: [1], register: said", True),
        ("ansible.builtin.ping: {}, loop: [1], loop_control: {pause: 1}", False),
        ("ansible.builtin.ping: {}, loop: [1], loop_control: {break_when: [x]}", False),
        ("ansible.builtin.debug: {msg: a}, loop: [1]", False),
        ("ansible.builtin.ping: {}, run_once: true", False),
        ("ansible.builtin.ping: {}, throttle: 1", False),
        ("ansible.builtin.ping: {}, debugger: on_failed", False),
        ("ansible.builtin.ping: {}, ignore_unreachable: true", False),
        ("ansible.builtin.ping: {}, failed_when: [x is y]", False),
        ("ansible.builtin.ping: {}, failed_when: true", False),
        ("ansible.builtin.ping: {}, changed_when: [x is y]", False),
        ("ansible.builtin.ping: {}, until: [x]", False),
        ("ansible.builtin.ping: {}, delegate_to: x", False),
        ("ansible.builtin.ping: {}, async: 3", False),
        ("ansible.builtin.ping: {}, timeout: 3", False),
        ("ansible.builtin.setup: {}", False),
        ("ansible.builtin.set_fact: {a: 1}", True),
        ("ansible.builtin.debug: {msg: a}, until: [x]", False),
        ("ansible.builtin.fail: {msg: a}", False),
        ("ansible.builtin.fetch: {src: a, dest: b}", False),
        ("ansible.builtin.pause: {}", False),
    ],
)
def test_which_tasks(tmp_path: Path, entry: str, expected: bool) -> None:  # noqa: FBT001  # a table
    (task,) = tasks_of(f"- {{{entry}}}")
    assert may_be_in_stretch(task, Bench(str(tmp_path)).settings) is expected


class Place:
    """A turn in lane 1."""

    lane = 1

    def __init__(self, follows: list[list[object]] | None, group: int) -> None:
        self.follows, self.group = follows, group

    def goes(self, way: object) -> bool:
        return way is not None

    def sent(self) -> None:
        pass

    def withdrawn(self) -> None:
        pass


@pytest.mark.parametrize("ends", ["false", "true", "kill -9 $$; kill -9 $PPID"])
def test_the_runner_bars_what_follows_a_call_that_did_not_end_well(tmp_path: Path, ends: str) -> None:
    async def scene() -> None:
        module = builder().build("ansible.builtin.command")

        def call(line: str, follows: list[list[object]] | None, group: int) -> Any:
            return client.call(module, {"_raw_params": line, "_uses_shell": True}, turn=Place(follows, group))

        async with runner() as client:
            calls = [
                call(f"sleep 0.05; {ends}", None, 1),
                call(f"touch {tmp_path}/a", [], 2),
                call(f"touch {tmp_path}/b", [], 2),
            ]
            answers = await asyncio.gather(*calls, return_exceptions=True)
            held = [isinstance(answer, CallHeld) for answer in answers]
            well = ends == "true"
            assert held == [False, not well, not well]
            assert [(tmp_path / name).exists() for name in "ab"] == [well, well]

    drive(scene())


def test_an_item_that_failed_bars_the_next_task_and_no_other_item(tmp_path: Path) -> None:
    async def scene() -> None:
        module = builder().build("ansible.builtin.command")

        def call(line: str, follows: list[list[object]] | None, group: int) -> Any:
            return client.call(module, {"_raw_params": line, "_uses_shell": True}, turn=Place(follows, group))

        changed = [[str(tmp_path), 1, 2, 3]]
        async with runner() as client:
            calls = [
                call("sleep 0.05", None, 1),
                call("false", [], 2),
                call(f"touch {tmp_path}/a", [], 2),
                call(f"touch {tmp_path}/b", changed, 2),  # is not started, and so are those after it
                call(f"touch {tmp_path}/c", [], 2),
                call(f"touch {tmp_path}/d", [], 3),
            ]
            answers = await asyncio.gather(*calls, return_exceptions=True)
            assert [isinstance(answer, CallHeld) for answer in answers] == [False, False, False, True, True, True]
            assert [(tmp_path / name).exists() for name in "abcd"] == [True, False, False, False]

    drive(scene())


@pytest.mark.parametrize("change", ["", "touch FILE", "rm FILE; touch FILE"])
def test_the_runner_bars_what_was_made_of_a_file_that_changed(tmp_path: Path, change: str) -> None:
    source = tmp_path / "source"
    source.write_text("")
    state = source.stat()
    stamp = [str(source), state.st_ctime_ns, state.st_size, state.st_ino]

    async def scene() -> None:
        module = builder().build("ansible.builtin.command")
        first = {"_raw_params": change.replace("FILE", str(source)) or "true", "_uses_shell": True}
        async with runner() as client:
            calls = [
                client.call(module, first, turn=Place(None, 1)),
                client.call(
                    module, {"_raw_params": "true"}, turn=Place([stamp, [f"{tmp_path}/elsewhere", 1, 2, 3]], 2)
                ),
            ]
            answers = await asyncio.gather(*calls, return_exceptions=True)
        assert isinstance(answers[1], CallHeld) is bool(change)

    drive(scene())
