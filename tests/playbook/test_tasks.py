from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pyplay.diagnostics.model import Severity
from pyplay.playbook.model import TaskKind
from pyplay.source.text import Trusted

if TYPE_CHECKING:
    from conftest import Project


@pytest.mark.parametrize(
    ("task", "action", "args"),
    [
        ("ping:", "ping", {}),
        ("debug: {msg: x}", "debug", {"msg": "x"}),
        ("debug: msg=x verbosity=1", "debug", {"msg": "x", "verbosity": "1"}),
        ("action: debug msg='a b'", "debug", {"msg": "a b"}),
        ("action: {module: debug, msg: x}", "debug", {"msg": "x"}),
        ("action: {module: copy src=a, dest: b}", "copy", {"src": "a", "dest": "b"}),
        ("action: {module: assert, args: {that: [x]}, msg: y}", "assert", {"that": ["x"], "msg": "y"}),
        ("action: '{{ which }} msg=x'", "{{ which }}", {"msg": "x"}),
        ("action: '{{which}}'", "{{which}}", {}),
        ("action: {module: '{{ which }} msg=x', verbosity: 1}", "{{ which }}", {"msg": "x", "verbosity": 1}),
        ("set_fact: '{{ a }}={{ b }}'", "set_fact", {"{{ a }}": "{{ b }}"}),
        ("debug: '{{ {\"a\": {\"b\": \"}}\"}} }}'", "debug", {"_variable_params": '{{ {"a": {"b": "}}"}} }}'}),
        ("shell: echo a=1 chdir=/tmp", "shell", {"_raw_params": "echo a=1", "chdir": "/tmp"}),
        ("ansible.builtin.command: ls creates=/x", "ansible.builtin.command", {"_raw_params": "ls", "creates": "/x"}),
        ("command: {cmd: ls, chdir: /}", "command", {"cmd": "ls", "chdir": "/"}),
        ("raw: echo a=b", "raw", {"_raw_params": "echo a=b"}),
        ("script: x.sh a b creates=/x", "script", {"_raw_params": "x.sh a b", "creates": "/x"}),
        ("set_fact: a=1 b={{ c }}", "set_fact", {"a": "1", "b": "{{ c }}"}),
        ("debug: '{{ options }}'", "debug", {"_variable_params": "{{ options }}"}),
        ("meta: flush_handlers", "meta", {"_raw_params": "flush_handlers"}),
        ("command: 1", "command", {"_raw_params": "1"}),
        ("include_vars: x.yml", "include_vars", {"_raw_params": "x.yml"}),
        ("include_tasks: x.yml", "include_tasks", {"_raw_params": "x.yml"}),
        ("include_tasks: {file: x.yml}", "include_tasks", {"_raw_params": "x.yml"}),
        ("include_role: {role: x, tasks_from: y}", "include_role", {"name": "x", "tasks_from": "y"}),
    ],
)  # fmt: skip
def test_actions_in_all_their_spellings(project: Project, task: str, action: str, args: dict[str, Any]) -> None:
    (found,) = project.tasks(f"- {task}")
    assert found.action == action
    assert found.args == args


def test_args_lie_beneath_what_stands_beside_the_name(project: Project) -> None:
    (task,) = project.tasks("- command: ls chdir=/\n  args: {chdir: /tmp, creates: /x}")
    assert task.args == {"_raw_params": "ls", "chdir": "/", "creates": "/x"}
    (task,) = project.tasks("- debug:\n  args: '{{ options }}'")
    assert task.args == {"_variable_params": "{{ options }}"}


def test_local_action_is_delegated(project: Project) -> None:
    (task,) = project.tasks("- local_action: command ls")
    assert (task.action, task.args, task.delegate_to) == ("command", {"_raw_params": "ls"}, "localhost")


def test_names_are_resolved_and_kept_as_written(project: Project) -> None:
    found = project.tasks("- copy: {}\n- ansible.legacy.copy: {}\n- yum: {}\n- a.b.c: {}\n- sysctl: {}\n- mine: {}")
    assert [(t.action, t.resolved_action) for t in found] == [
        ("copy", "ansible.builtin.copy"),
        ("ansible.legacy.copy", "ansible.builtin.copy"),
        ("yum", "ansible.builtin.dnf"),
        ("a.b.c", "a.b.c"),
        ("sysctl", "ansible.posix.sysctl"),
        ("mine", "mine"),
    ]


ALL_KEYWORDS = """
- name: n
  debug: {msg: x}
  async: '60'
  become: yes
  become_exe: e
  become_flags: -n
  become_method: su
  become_user: u
  changed_when: [a, b]
  check_mode: false
  collections: [a.b]
  connection: local
  debugger: never
  delay: 1
  delegate_facts: true
  delegate_to: h
  diff: true
  environment: {A: b}
  failed_when: x
  any_errors_fatal: true
  ignore_errors: '{{ i }}'
  ignore_unreachable: true
  loop: [1]
  loop_control: {loop_var: v, index_var: i, label: l, pause: 1, extended: yes, extended_allitems: no, break_when: c}
  module_defaults: [{copy: {mode: x}}]
  no_log: true
  notify: h
  poll: 0
  port: 22
  register: r
  remote_user: 12
  retries: 3
  run_once: true
  tags: a,b
  throttle: 2
  timeout: 2.5
  until: u
  vars: {k: v}
  when: w
"""


def test_every_keyword_reaches_the_task(project: Project) -> None:
    (task,) = project.tasks(ALL_KEYWORDS)
    expected = {
        "name": "n", "async_seconds": 60, "become": True, "become_exe": "e", "become_flags": "-n", "become_method": "su",
        "become_user": "u", "changed_when": ("a", "b"), "check_mode": False, "collections": ("a.b",),
        "connection": "local", "debugger": "never", "delay": 1, "delegate_facts": True, "delegate_to": "h", "diff": True,
        "environment": ({"A": "b"},), "failed_when": ("x",), "any_errors_fatal": True, "ignore_errors": "{{ i }}",
        "ignore_unreachable": True, "loop": [1], "loop_with": None, "module_defaults": ({"copy": {"mode": "x"}},),
        "no_log": True, "notify": ("h",), "poll": 0, "port": 22, "register": "r", "remote_user": "12", "retries": 3,
        "run_once": True, "tags": ("a", "b"), "throttle": 2, "timeout": 2.5, "until": ("u",), "vars": {"k": "v"},
        "when": ("w",),
    }  # fmt: skip
    assert {name: getattr(task, name) for name in expected} == expected
    assert isinstance(task.when[0], Trusted)
    control = task.loop_control
    assert control
    assert (control.loop_var, control.index_var, control.label, control.pause) == ("v", "i", "l", 1)
    assert (control.extended, control.extended_allitems, control.break_when) == (True, False, ("c",))


def test_with_x_is_a_loop_over_a_lookup(project: Project) -> None:
    (task,) = project.tasks("- debug: {}\n  with_nested: [[1], [2]]")
    assert (task.loop, task.loop_with) == ([[1], [2]], "nested")


def test_kinds(project: Project) -> None:
    found = project.tasks("- ping:\n- meta: noop\n- include_tasks: x\n- include_role: {name: y}")
    assert [t.kind for t in found] == [
        TaskKind.TASK, TaskKind.META, TaskKind.INCLUDE_TASKS, TaskKind.INCLUDE_ROLE,
    ]  # fmt: skip


def test_arguments_know_where_they_stand(project: Project) -> None:
    (task,) = project.tasks("- copy:\n    src: a\n    dest: b")
    assert task.origin.line == 3
    assert (task.arg_origins["dest"].line, task.arg_origins["dest"].column) == (5, 9)


FAULTS = [
    ("- debug: {}\n  wehn: x", [("unknown-keyword", 4)]),
    ("- debug: {}\n  hosts: x", [("unknown-keyword", 4)]),
    ("- debug: {}\n  block: []", [("unknown-keyword", 3)]),
    ("- debug: {}\n  copy: {}", [("two-actions", 4)]),
    ("- action: debug\n  copy: {}", [("two-actions", 4)]),
    ("- name: x", [("no-action", 3)]),
    ("- debugg: {}", [("unknown-module", 3)]),
    ("- wehn: x", [("unknown-keyword", 3)]),
    ("- just text", [("not-a-mapping", 3)]),
    ("a: b", [("not-a-list", 3)]),
    ("- debug: [1]", [("bad-arguments", 3)]),
    ("- gather_facts: {}\n  debug: {}", [("unknown-keyword", 3)]),
    ('- copy: a="b', [("unbalanced-quote", 3)]),
    ("- ping:\n  args: 3", [("bad-value", 4)]),
    ("- ping:\n  register: 1x", [("bad-value", 4)]),
    ("- ping:\n  name: [a]", [("bad-value", 4)]),
    *[(f"- ping:\n  tags: {value}", [("bad-value", 4)]) for value in ("3", "true", "1.5", "2020-01-01", "{a: 1}")],
    ("- ping:\n  vars: [a]", [("bad-value", 4)]),
    ("- ping:\n  vars:\n    a-b: 1", [("bad-value", 5)]),
    ("- ping:\n  loop_control: {lable: x}", [("bad-value", 4)]),
    ("- ping:\n  loop: []\n  with_items: []", [("two-loops", 5)]),
    ("- block: []\n  loop: []", [("unknown-keyword", 4)]),
    ("- ping:\n  with_items:", [("empty-loop", 4)]),
    ("- ping:\n  register: '{{ x }}'", [("bad-value", 4)]),
    ("- meta: flush_handler", [("unknown-meta", 3)]),
    ("- include: x.yml", [("removed-include", 3)]),
    ("- import_playbook: x.yml", [("misplaced-import", 3)]),
    ("- include_tasks: x.yml\n  become: true", [("keyword-on-include", 4)]),
    ("- include_tasks: {file: x.yml, aply: {}}", [("unknown-option", 3)]),
    ("- include_tasks: {file: x.yml, apply: {loop: []}}", [("unknown-keyword", 3)]),
    ("- include_tasks:", [("no-target", 3)]),
    ("- include_role: {tasks_from: x}", [("no-target", 3)]),
    ("- import_tasks: gone.yml", [("missing-file", 3)]),
    ("- import_tasks: x.yml\n  loop: []", [("loop-on-import", 4), ("missing-file", 3)]),
    ("- import_role: {name: gone}", [("missing-role", 3)]),
    ("- debug: {}\n  wehn: x\n- name: y\n- copy:\n  register: 1x", [("unknown-keyword", 4), ("no-action", 5), ("bad-value", 7)]),
    ("- ping:\n  throttle: few", [("bad-value", 4)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), FAULTS)
def test_faults_are_all_found_at_their_lines(
    project: Project, text: str, expected: list[tuple[str, int]], known_only: dict[str, Any]
) -> None:
    play = "- hosts: all\n  tasks:\n" + "".join(f"    {line}\n" for line in text.split("\n"))
    assert project.faults(play, **known_only) == expected


@pytest.mark.parametrize(
    ("text", "line", "field", "kept"),
    [
        ("- ping:\n  become: maybe", 4, "become", "maybe"),
        ("- ping:\n  become: [1]", 4, "become", [1]),
        ("- ping:\n  retries: few", 4, "retries", "few"),
        ("- ping:\n  delay: ''", 4, "delay", ""),
        ("- ping:\n  when:\n    - a: b", 5, "when", ({"a": "b"},)),
        ("- ping:\n  environment: [x, {a: b}]", 4, "environment", ({"a": "b"},)),
        ("- ping:\n  until: {a: b}", 4, "until", ({"a": "b"},)),
        ("- block: [ping: ]\n  ignore_errors: maybe", 4, "ignore_errors", "maybe"),
    ],
)
def test_a_value_that_is_read_late_is_warned_about_and_kept(
    project: Project, text: str, line: int, field: str, kept: Any
) -> None:
    (task,) = project.tasks(text)
    assert getattr(task, field) == kept
    assert [(w.code, w.origin.line if w.origin else 0) for w in project.warnings] == [("bad-value", line)]


@pytest.mark.parametrize("option", ["loop_var: '0'", "index_var: a b", "pause: x", "extended: x", "break_when: {a: 1}"])
def test_loop_control_is_judged_when_the_task_is_reached(project: Project, option: str) -> None:
    project.tasks("- ping:\n  loop: []\n  loop_control: {" + option + "}")
    assert [w.code for w in project.warnings] == ["bad-value"]


def test_a_task_that_is_just_named_meta_runs(project: Project) -> None:
    (task,) = project.tasks("- name: meta\n  debug: {msg: x}")
    assert task.kind is TaskKind.TASK


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("- ping:\n-", "empty-item"),
        ("- ping: some text", "free-form"),
        ("- always:\n    - ping:", "no-block"),
        ("- import_tasks: t.yml\n  register: x", "no-effect"),
    ],
)
def test_what_core_takes_in_silence_is_a_warning(project: Project, text: str, code: str) -> None:
    assert [t.action for t in project.tasks(text, {"t.yml": "- ping:\n"})] == ["ping"]
    assert [w.code for w in project.warnings] == [code]


def test_a_module_may_be_called_as_a_keyword_of_other_objects(project: Project) -> None:
    (task,) = project.tasks("- gather_facts:\n    parallel: true")
    assert (task.resolved_action, task.args) == ("ansible.builtin.gather_facts", {"parallel": True})


def test_lookups_of_loops_are_judged_where_they_are_known(project: Project) -> None:
    known = ["items", "dict", "fileglob"]
    play = "- hosts: all\n  tasks:\n    - ping:\n      with_itmes: []\n    - ping:\n      with_dict: {}\n"
    found = project.faults(play, find_lookup=known.__contains__, known_lookups=lambda: known)
    assert found == [("unknown-lookup", 4)]


@pytest.mark.parametrize("text", ["action: debugg", "local_action: debugg a=1", "action: {module: debugg}"])
def test_a_module_that_action_names_is_missed_only_when_it_is_reached(
    project: Project, text: str, known_only: dict[str, Any]
) -> None:
    (task,) = project.tasks(f"- {text}", **known_only)
    assert task.action == "debugg"
    (warning,) = [warning for warning in project.warnings if warning.severity is Severity.WARNING]
    assert (warning.code, warning.help) == ("unknown-module", "did you mean 'debug'?")
