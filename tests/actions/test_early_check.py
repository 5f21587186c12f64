"""What is told about tasks before anything runs: playbook text in, rendered diagnostics out."""

from __future__ import annotations

from textwrap import dedent, indent
from typing import TYPE_CHECKING, Any

import pytest

from pyplay.actions.early_check import EarlyCheck
from pyplay.actions.tables import OptionTables
from pyplay.diagnostics.render import render_text
from pyplay.playbook.loader import PlaybookLoader
from pyplay.shipping.search import ModuleSearch
from pyplay.source.options import RunOptions
from pyplay.source.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pyplay.playbook.model import Play, Task


class Elsewhere:
    """Plays that have hosts, none of them this machine."""

    def __init__(self, *, hosts: bool = True, here: bool = False) -> None:
        self._hosts, self._here = hosts, here

    def has_hosts(self, play: Play) -> bool:
        return self._hosts

    def has_variable(self, play: Play, task: Task, name: str) -> bool:
        return name == "known"

    def runs_here(self, play: Play) -> bool:
        return self._here

    def search_path(self, play: Play, task: Task) -> Sequence[str]:
        roles = (task.role.path,) if task.role else ()
        return (*roles, *task.search_dirs, play.basedir)


def told(root: Path, playbook: str, around: Elsewhere | None = None, **options: Any) -> list[str]:
    """Give the rendered diagnostics of a playbook, with `root` as `@`."""
    path = root / "site.yml"
    path.write_text(dedent(playbook))
    plays = PlaybookLoader(Settings()).load_playbook(str(path))
    tables = OptionTables(ModuleSearch(None, [str(root)]))
    found = EarlyCheck(tables, RunOptions(**options), around or Elsewhere()).check(plays)
    return [render_text(fault).replace(str(root), "@") for fault in found]


def heads(root: Path, tasks: str, around: Elsewhere | None = None, **options: Any) -> list[str]:
    """Give the first line of each diagnostic of a play with `tasks`."""
    playbook = "- hosts: all\n  tasks:\n" + indent(dedent(tasks).strip("\n"), "    ") + "\n"
    return [text.partition("\n")[0] for text in told(root, playbook, around, **options)]


def test_faults_are_shown_where_they_are_written(tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "site.conf.j2").write_text("")
    playbook = """\
        - hosts: all
          tasks:
            - copy: {content: a, dset: /a, dest: /b, mode: 644}
            - file:
                path: /a
                state: dirctory
            - template: src=site.cnf.j2 dest=/a
              when: false
            - debug: {msg: a}
              notify: restart ngnix
          handlers:
            - {name: restart nginx, ping: }
        """
    assert "\n\n".join(told(tmp_path, playbook)) == dedent("""\
        error[unknown-option]: 'copy' has no option 'dset'
          --> @/site.yml:3:25
          |
        3 |     - copy: {content: a, dset: /a, dest: /b, mode: 644}
          |                          ^^^^
          = help: did you mean 'dest'?

        warning[decimal-mode]: file mode is read as a decimal number
          --> @/site.yml:3:50
          |
        3 |     - copy: {content: a, dset: /a, dest: /b, mode: 644}
          |                                                    ^^^ means 0o1204
          = help: quote it: '0644'

        error[bad-choice]: file: value of state must be one of: absent, directory, file, hard, link, touch, got: dirctory
          --> @/site.yml:6:16
          |
        6 |         state: dirctory
          |                ^^^^^^^^
          = help: did you mean 'directory'?

        warning[missing-file]: template: there is no file 'site.cnf.j2'
          --> @/site.yml:7:21
          |
        7 |     - template: src=site.cnf.j2 dest=/a
          |                     ^^^^^^^^^^^
          = note: searched: @/templates/site.cnf.j2, @/site.cnf.j2
          = help: did you mean 'site.conf.j2'?

        warning[unknown-handler]: requested handler 'restart ngnix' was not found: none has that name or listens to it
           --> @/site.yml:10:15
           |
        10 |       notify: restart ngnix
           |               ^^^^^^^^^^^^^
           = help: did you mean 'restart nginx'?""").replace("@/site.yml:3:25", "@/site.yml:3:26").replace(
        "@/site.yml:3:50", "@/site.yml:3:52"
    )


@pytest.mark.parametrize(
    ("task", "marked"),
    [
        ("- file: path=/a stat=file", "stat"),
        ("- {file: path=/a stat=file}", "stat"),
        ("- action: file path=/a mode=0644 stat=file", "stat"),
        ("- file: path=/a state=dirctory", "dirctory"),
        ("- copy: dest=/a content='b state=1' state=1", "state=1"),
        ("- wait_for: host=a port=ssh", "ssh"),
        ("- template: dest=/a src=site.cnf.j2", "site.cnf.j2"),
        ("- file: path=/a state='dirctory'", "'dirctory'"),
        ("- file: >\n    path=/a\n    state=dirctory", ">"),
    ],
)
def test_what_is_wrong_in_options_of_one_text_is_marked_itself(tmp_path: Path, task: str, marked: str) -> None:
    (text,) = told(tmp_path, "- hosts: all\n  tasks:\n" + indent(task, "    "))
    line, marks = (row.partition("| ")[2] for row in text.splitlines()[3:5])
    found = line[marks.index("^") :]
    assert found.startswith(marked)
    assert line.rindex(marked) == marks.index("^")
    assert marks.count("^") == 1 or found.startswith(marked[: marks.count("^")])


ROWS = [
    ("- ping: {dat: 1}", ["error[unknown-option]: 'ping' has no option 'dat'"]),
    ("- ansible.builtin.ping: {dat: 1}", ["error[unknown-option]: 'ansible.builtin.ping' has no option 'dat'"]),
    ("- file: {state: touch}", ["error[missing-option]: file: missing required arguments: path"]),
    ("- command: {cmd: a, argv: [b]}", ["error[exclusive-options]: command: parameters are mutually exclusive: cmd|argv"]),
    ("- command: {chdir: /}",
     ["error[missing-option]: command: one of the following is required: _raw_params, cmd, argv"]),
    ("- wait_for: {port: ssh}", ["error[wrong-type]: wait_for: option 'port' must be a whole number"]),
    ("- copy: {src: '', dest: /a}", ["error[missing-option]: copy: one of the following is required: src, content"]),
    ("- copy: {dest: /a}", ["error[missing-option]: copy: one of the following is required: src, content"]),
    ("- debug: {msg: a, var: b}", ["error[exclusive-options]: debug: parameters are mutually exclusive: msg|var"]),
    ("- iptables: {chain: INPUT, tcp_flags: {flagz: [a]}}",
     [("error[unknown-option]: iptables: Unsupported parameters: tcp_flags.flagz. "
      "Supported parameters include: flags, flags_set.")]),
    ("- include_role: {name: x, public: perhaps}",
     ["error[wrong-type]: include_role: option 'public' must be a truth value (true or false)"]),
    # what Ansible passes over, or what may not be reached
    ("- fetch: {src: a, dest: b, foo: 1}", ["warning[unknown-option]: 'fetch' has no option 'foo' and passes over it"]),
    *[(f"- ping: {{dat: 1}}\n  {keyword}", ["warning[unknown-option]: 'ping' has no option 'dat'"])
      for keyword in ("when: x", "ignore_errors: true", "ignore_errors: '{{ x }}'", "failed_when: false", "loop: '{{ x }}'",
                      "loop: []", "with_dict: {a: 1}", "tags: never", "tags: '{{ x }}'")],
    *[(f"- ping: {{dat: 1}}\n  {keyword}", ["error[unknown-option]: 'ping' has no option 'dat'"])
      for keyword in ("when: true", "ignore_errors: false", "loop: [1]", "with_items: [1]", "tags: a", "register: x")],
    ("- block: [{ping: {dat: 1}}]\n  when: x", ["warning[unknown-option]: 'ping' has no option 'dat'"]),
    ("- block: [{ping: {dat: 1}}]\n  rescue: [{ping: }]", ["warning[unknown-option]: 'ping' has no option 'dat'"]),
    ("- block: [{ping: }]\n  rescue: [{ping: {dat: 1}}]", ["warning[unknown-option]: 'ping' has no option 'dat'"]),
    ("- block: [{ping: }]\n  always: [{ping: {dat: 1}}]", ["error[unknown-option]: 'ping' has no option 'dat'"]),
    ("- meta: end_play\n  when: x\n- ping: {dat: 1}", ["warning[unknown-option]: 'ping' has no option 'dat'"]),
    # what is not known yet
    *[(text, []) for text in (
        "- file: {path: '{{ a }}', state: '{{ b }}', force: '{{ c }}'}",
        '- command: {cmd: "{{ a | default(omit) }}", argv: [b]}',
        "- copy: {src: '', content: a, dest: /b}",
        "- wait_for: {port: 1, path: ''}",
        "- file:\n  args: '{{ options }}'",
        "- file: '{{ options }}'",
        "- file: {state: touch}\n  module_defaults: {file: {path: /a}}",
        "- file: {state: touch}\n  module_defaults: {group/x: {path: /a}}",
        "- ping: {data: !unsafe '{{ x }}'}",
        "- foreign: {whatever: 1}",
        "- namespace.collection.module: {whatever: 1}",
        "- package: {name: a, update_cache: true}",
        "- service: {daemon_reload: true}",
        "- gather_facts: {gather_subset: min}",
        "- set_fact: {a: 1, '{{ b }}': 2}",
        "- add_host: {name: a, foo: 1}",
        "- template: {src: '{{ a }}', dest: /a, remote_src: true, newline_sequence: \"\\n\"}",
        "- apt: {upgrade: yes}",
        "- user: {name: a, password_lock: yes, groups: 'a,b'}",
        "- command: /bin/true creates=/a",
        "- raw: echo a=b",
        "- shell: echo",
        "- assert: {that: true}",
        "- assert: {that: a is defined, fail_msg: [a, b]}",
        "- pause: {minutes: 1}",
        "- wait_for_connection: {timeout: 1.5}",
        "- copy: {src: /etc/passwd, dest: /a, remote_src: true}",
        "- unarchive: {src: 'https://x/y.tgz', dest: /a}",
        "- unarchive: {src: y.tgz, dest: /a, copy: no}",
        "- file: {path: /a, mode: 0644}",
        "- file: {path: /a, mode: '644'}",
        "- file: {path: /a, mode: 420}",
        "- include_tasks: {file: '{{ x }}', apply: {tags: a}}",
    )],
]  # fmt: skip


@pytest.mark.parametrize(("tasks", "expected"), ROWS, ids=[tasks for tasks, _ in ROWS])
def test_tasks(tmp_path: Path, tasks: str, expected: list[str]) -> None:
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "foreign.py").write_text("from ansible.module_utils.basic import AnsibleModule\n")
    assert heads(tmp_path, tasks) == (
        ["warning[decimal-mode]: file mode is read as a decimal number"] if "420" in tasks else expected
    )


def test_a_users_module_is_checked_by_its_own_table(tmp_path: Path) -> None:
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "mine.py").write_text(
        "from pyplay.remote.module_utils.module import main\n\nOPTIONS = {'options': {'size': {'type': 'int'}}}\n"
    )
    assert heads(tmp_path, "- mine: {size: big, siez: 1}") == [
        "error[unknown-option]: 'mine' has no option 'siez'",
        "error[wrong-type]: mine: option 'size' must be a whole number",
    ]


def test_a_module_in_place_of_a_builtin_is_not_judged_by_the_builtins_table(tmp_path: Path) -> None:
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "ping.py").write_text("#!/usr/bin/python\n")
    tasks = "- ping: {dat: 1}\n- ansible.builtin.ping: {dat: 1}"
    assert heads(tmp_path, tasks) == ["error[unknown-option]: 'ansible.builtin.ping' has no option 'dat'"]


@pytest.mark.parametrize(
    ("around", "options"),
    [
        (Elsewhere(hosts=False), {}),
        (Elsewhere(), {"tags": ("other",)}),
        (Elsewhere(), {"skip_tags": ("untagged",)}),
        (Elsewhere(), {"start_at_task": "x"}),
    ],
)
def test_tasks_that_are_not_sure_to_run_are_warned_about(
    tmp_path: Path, around: Elsewhere, options: dict[str, Any]
) -> None:
    assert heads(tmp_path, "- ping: {dat: 1}\n  tags: tagged", around, **options)[0].startswith("warning") or options


FILES = [
    ("- copy: {src: nope, dest: /a}", "error"),
    ("- script: nope.sh --flag", "error"),
    ("- include_vars: nope.yml", "error"),
    ("- unarchive: {src: nope.tgz, dest: /a}", "error"),
    ("- copy: {src: nope, dest: /a}\n  when: x", "warning"),
    ("- fetch: {src: /a, dest: b}\n- copy: {src: nope, dest: /a}", "warning"),
    ("- command: touch nope\n  delegate_to: localhost\n- copy: {src: nope, dest: /a}", "warning"),
    ("- include_tasks: '{{ x }}'\n- copy: {src: nope, dest: /a}", "warning"),
]


@pytest.mark.parametrize(("tasks", "severity"), FILES, ids=[tasks for tasks, _ in FILES])
def test_a_missing_file_is_an_error_where_nothing_could_have_made_it(tmp_path: Path, tasks: str, severity: str) -> None:
    (head,) = heads(tmp_path, tasks)
    assert head.startswith(f"{severity}[missing-file]")


def test_a_file_may_come_from_a_task_on_this_machine(tmp_path: Path) -> None:
    (head,) = heads(tmp_path, "- copy: {src: nope, dest: /a}", Elsewhere(here=True))
    assert head.startswith("warning[missing-file]")


@pytest.mark.parametrize(
    "playbook",
    [
        "- {hosts: all, tasks: [{ping: , notify: a}, {include_role: {name: '{{ x }}'}}]}",
        "- {hosts: all, tasks: [{ping: , notify: '{{ a }}'}]}",
        "- {hosts: all, tasks: [{ping: , notify: a}], handlers: [{name: '{{ b }}', ping: }]}",
        "- {hosts: all, tasks: [{ping: , notify: a}], handlers: [{name: b, listen: [c, a], ping: }]}",
        "- {hosts: all, tasks: [{ping: , notify: [a, 'r : a']}], roles: [r]}",
    ],
)
def test_notifications_that_something_may_answer(tmp_path: Path, playbook: str) -> None:
    (tmp_path / "roles" / "r" / "handlers").mkdir(parents=True)
    (tmp_path / "roles" / "r" / "handlers" / "main.yml").write_text("- {name: a, ping: }\n")
    assert told(tmp_path, playbook) == []


def test_a_fault_of_a_role_used_twice_stands_once_and_the_error_counts(tmp_path: Path) -> None:
    (tmp_path / "roles" / "r" / "tasks").mkdir(parents=True)
    (tmp_path / "roles" / "r" / "tasks" / "main.yml").write_text("- ping: {dat: 1}\n")
    found = told(tmp_path, "- hosts: all\n  roles: [{role: r, when: x}, {role: r, a: 1}]\n")
    assert [text.partition("\n")[0] for text in found] == ["error[unknown-option]: 'ping' has no option 'dat'"]


def test_the_value_of_a_secret_is_not_repeated(tmp_path: Path) -> None:
    (text,) = told(tmp_path, "- {hosts: all, tasks: [{wait_for: {port: hunter2}, no_log: true}]}\n")
    assert "whole number" not in text


ROLE = {
    "meta/argument_specs.yml": """\
        argument_specs:
          main:
            options:
              level: {type: int, required: true, aliases: [number]}
              state: {choices: [up, down]}
              known: {required: true}
              deep: {type: dict, options: {x: {type: int, required: true}, pin: {choices: [a], no_log: true}}}
        """,
    "tasks/main.yml": "[]\n",
}


@pytest.fixture
def role(tmp_path: Path) -> Path:
    for name, text in ROLE.items():
        file = tmp_path / "roles" / "r" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(dedent(text))
    return tmp_path


@pytest.mark.parametrize(
    ("roles", "expected"),
    [
        ("{role: r, level: 1, state: up}", []),
        ("{role: r, number: '2'}", []),
        ("{role: r, level: '{{ p }}', state: '{{ s }}', deep: {x: '{{ x }}'}}", []),
        ("{role: r, vars: {level: abc}}", ["error[wrong-type]: role 'r': option 'level' must be a whole number"]),
        (
            "{role: r, level: 1, state: over}",
            ["error[bad-choice]: role 'r': value of state must be one of: up, down, got: over"],
        ),
        ("r", ["error[missing-option]: role 'r': missing required arguments: level"]),
        ("{role: r, level: 1, deep: {}}", ["error[missing-option]: role 'r': missing required arguments: deep.x"]),
        (
            "{role: r, level: 1, deep: {x: 1, pin: secret}}",
            ["error[bad-choice]: role 'r': value of deep.pin must be one of: a, got: secret"],
        ),
        ("{role: r, level: abc, when: go}", ["warning[wrong-type]: role 'r': option 'level' must be a whole number"]),
    ],
)
def test_what_is_written_for_a_role_is_checked(role: Path, roles: str, expected: list[str]) -> None:
    told_now = told(role, f"- hosts: all\n  roles:\n    - {roles}\n")
    assert [text.partition("\n")[0] for text in told_now] == expected


@pytest.mark.parametrize(
    ("before", "severity"),
    [
        ("ping:", "error"),
        ("set_fact: {x: 1}", "warning"),
        ("command: 'true'\n      register: level", "warning"),
        ("include_tasks: x.yml", "warning"),
    ],
)
def test_later_variables_may_win_over_the_vars_of_an_import(role: Path, before: str, severity: str) -> None:
    tasks = f"- {before}\n- import_role: {{name: r}}\n  vars: {{level: abc}}\n".replace("      register", "  register")
    assert heads(role, tasks) == [f"{severity}[wrong-type]: role 'r': option 'level' must be a whole number"]


def test_a_variable_that_a_task_may_set_is_not_missed(role: Path) -> None:
    missing = ["error[missing-option]: role 'r': missing required arguments: level"]
    assert heads(role, "- import_role: {name: r}") == missing
    assert heads(role, "- ping:\n  register: level\n- import_role: {name: r}") == []
    assert heads(role, "- include_vars: {dir: x}\n- import_role: {name: r}") == []


def test_a_wrong_value_for_a_role_is_shown_where_it_is_written(role: Path) -> None:
    (text,) = told(role, "- hosts: all\n  roles:\n    - role: r\n      level: 1\n      state: over\n")
    assert "@/site.yml:5:14" in text
