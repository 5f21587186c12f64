"""What was parsed reaches workers, by inheritance or as bytes, and the run is the same either way."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from pyplay.cli.names import will_run
from pyplay.inventory.model import Inventory
from pyplay.playbook.loader import PlaybookLoader
from pyplay.source.options import RunOptions
from pyplay.source.settings import load_settings
from pyplay.source.text import origin_of
from pyplay.workers import handover as handing
from pyplay.workers.early import early_zygote
from pyplay.workers.handover import Handover, hand_over, packed

if TYPE_CHECKING:
    from pathlib import Path

PASSWORD = "sesame open"
PROJECT = {
    "site.yml": """\
- hosts: all
  gather_facts: false
  vars_files: [extra.yml]
  tasks:
    - debug: {msg: "{{ inventory_hostname }} {{ of_group }} {{ of_host | default('-') }} {{ from_file }} {{ x }}"}
    - debug: {msg: "{{ 'a' | shout }} {{ query('inventory_hostnames', 'web:!b') }} {{ groups.web }}"}
    - debug: {msg: "the secret is {{ hidden }} and {{ lookup('file', 'sealed.txt') }}"}
    - debug: {msg: "{{ lookup('unvault', 'sealed.txt') }}"}
    - set_fact: {made: "{{ hostvars['a'].of_host }}!"}
    - add_host: {name: c, groups: new, of_host: from c}
    - include_tasks: more.yml
    - include_role: {name: r, public: true}
    - command: echo {{ made }} {{ of_role }}
    - fail: {msg: "{{ hidden }}"}
      when: inventory_hostname == 'b'
- hosts: new
  connection: local
  gather_facts: false
  tasks:
    - debug: {msg: "{{ of_host }} {{ group_names }}"}
""",
    "more.yml": "- debug: {msg: 'more of {{ item }}'}\n  loop: [1, 2]\n",
    "extra.yml": "from_file: 2026-11-30\n",
    "inventory/hosts": "[web]\na\nb\n[web:vars]\nansible_connection=local\n",
    "inventory/group_vars/web.yml": "of_group: {list: [1, 2]}\nhidden: top-secret-word\n",
    "host_vars/a.yml": "of_host: '{{ of_group.list[0] }}'\n",
    "filter_plugins/loud.py": "class FilterModule:\n    def filters(self):\n        return {'shout': str.upper}\n",
    "filter_plugins/bad.py": "import nothing_of_that_name\n",
    "roles/r/defaults/main.yml": "of_role: '{{ from_file | roled }}'\n",
    "roles/r/tasks/main.yml": "- debug: {msg: '{{ role_name }} {{ of_role }}'}\n",
    "roles/r/filter_plugins/own.py": (
        "class FilterModule:\n    def filters(self):\n        return {'roled': lambda v: f'<{v}>'}\n"
    ),
    "sealed.txt": "a sealed text\n",
    "ansible.cfg": "[defaults]\nretry_files_enabled = true\n",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in PROJECT.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "password").write_text(PASSWORD)
    for name in ("sealed.txt", "inventory/group_vars/web.yml"):
        command = [sys.executable, "-m", "pyplay", "vault", "encrypt", "--vault-password-file", "password", name]
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    return tmp_path


def run(directory: Path, *words: str, cores: set[int] | None = None) -> tuple[int, str, str]:
    """Run a playbook. On one core the zygote is forked late."""
    command = [sys.executable, "-m", "pyplay", "--vault-password-file", "password", *words]
    done = subprocess.run(
        command, cwd=directory, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
        preexec_fn=None if cores is None else lambda: os.sched_setaffinity(0, cores),  # no threads here
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def lines(out: str) -> list[str]:
    """Give the lines of an output but for times, sorted: with one core hosts answer in another order."""
    return sorted(line for line in out.splitlines() if "delta" not in line)


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="one core: there is no early zygote")
@pytest.mark.parametrize("more", [(), ("-e", '{"x": {"deep": [1, "{{ of_group }}"]}}', "-v"), ("--check", "--diff")])
def test_a_run_is_the_same_whether_it_was_handed_over_or_inherited(project: Path, more: tuple[str, ...]) -> None:
    words = ("-i", "inventory", "-e", "x=1", *more, "site.yml")
    handed = run(project, *words)
    inherited = run(project, *words, cores={min(os.sched_getaffinity(0))})
    code, out, err = handed
    assert (code, lines(out), err) == (inherited[0], lines(inherited[1]), inherited[2])
    assert code == 2
    assert "top-secret-word" not in out + err
    assert "A ['a'] ['a', 'b']" in out
    assert err.count("Skipping filter plugin 'bad'") == 1


def test_values_of_a_plugin_that_ran_are_inherited(project: Path) -> None:
    (project / "inventory_plugins").mkdir()
    (project / "inventory_plugins" / "own.py").write_text(
        "from ansible.plugins.inventory import BaseInventoryPlugin\n"
        "class Odd(str):\n    pass\n"
        "class InventoryModule(BaseInventoryPlugin):\n"
        "    NAME = 'own'\n"
        "    def verify_file(self, path):\n        return True\n"
        "    def parse(self, inventory, loader, path, cache=True):\n"
        "        inventory.add_host('odd')\n"
        "        inventory.set_variable('odd', 'word', Odd('strange'))\n"
        "        inventory.set_variable('odd', 'ansible_connection', 'local')\n"
    )
    (project / "own.yml").write_text("plugin: own\n")
    (project / "odd.yml").write_text(
        "- hosts: odd\n  gather_facts: false\n  tasks:\n    - debug: {msg: 'it is {{ word }}'}\n"
    )
    code, out, err = run(project, "-i", "own.yml", "odd.yml")
    assert (code, "it is strange" in out) == (0, True), out + err


def handover(**changes: Any) -> Handover:
    given: dict[str, Any] = {
        "options": RunOptions(), "settings": load_settings({}, "/"), "directories": ["/"], "extra_vars": {}, "vault": None,
        "secrets": ("hush",), "inventory": Inventory(), "plays": {}, "roles": {}, "tasks": {},
    }  # fmt: skip
    return Handover(**given | changes)


def test_little_goes_to_the_zygote_that_is_there_much_to_a_new_one() -> None:
    for extra_vars, kept in ({"x": "y"}, True), ({"x": "y" * handing.MOST_BYTES}, False), ({"x": lambda: 0}, False):
        early = early_zygote()
        given = handover(extra_vars=extra_vars)
        log = os.open(os.devnull, os.O_RDWR)
        zygote = hand_over(given, log, early)
        os.close(log)
        worker = zygote.fork()
        worker.socket.close()  # it has nothing to do, and ends
        assert zygote.reap(worker.pid) == "exit status 0"
        assert (zygote is early) is kept
        zygote.close()
        early.close()  # nothing, the second time


def test_what_is_packed_is_whole() -> None:
    data = packed(handover(extra_vars={"x": [1, "z"]}))
    assert data is not None
    found = pickle.loads(data)  # our own
    assert (found.extra_vars, found.secrets, found.directories) == ({"x": [1, "z"]}, ("hush",), ["/"])


def test_tasks_travel_with_their_roles_and_without_blocks(tmp_path: Path) -> None:
    tasks = tmp_path / "roles" / "r" / "tasks" / "main.yml"
    tasks.parent.mkdir(parents=True)
    tasks.write_text("- debug: {msg: '{{ x }}'}\n  when: x is defined\n  vars: {y: [1]}\n" * 300)
    (tmp_path / "site.yml").write_text("- hosts: all\n  roles: [r]\n")
    loader = PlaybookLoader(load_settings({}, str(tmp_path)))
    loader.load_playbook(tmp_path / "site.yml")
    data = packed(handover(plays=loader.plays, roles=loader.roles, tasks=loader.tasks))
    assert data is not None
    found = pickle.loads(data)  # our own
    assert found.tasks.keys() == loader.tasks.keys()
    for number, task in loader.tasks.items():
        there = found.tasks[number]
        assert (there.args, there.when, there.vars, there.origin) == (task.args, task.when, task.vars, task.origin)
        assert [origin_of(value) for value in there.when] == [origin_of(value) for value in task.when]
        assert there.arg_origins == {}
        assert (there.role is None) == (task.role is None)
        assert there.role is None or there.role is found.roles[task.role.id]
    assert all(not block.tasks for role in found.roles.values() for block in role.tasks)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("pyplay site.yml", True),
        ("pyplay -i hosts --check site.yml", True),
        ("pyplay playbook site.yml", True),
        ("pyplay adhoc all -m ping", True),
        ("/usr/bin/ansible-playbook site.yml", True),
        ("ansible all -m ping", True),
        ("pyplay", False),
        ("pyplay --version", False),
        ("pyplay -h", False),
        ("pyplay site.yml --list-tasks", False),
        ("pyplay site.yml --syntax-c", False),
        ("pyplay vault view x", False),
        ("pyplay inventory --graph", False),
        ("ansible-doc ping", False),
        ("ansible-galaxy install x", False),
    ],
)
def test_the_zygote_is_forked_early_where_something_will_run(words: str, expected: bool) -> None:  # noqa: FBT001  # a table
    assert will_run(words.split()) is expected


@pytest.mark.parametrize("words", [("nothing.yml",), ("--no-such-option", "site.yml"), ("-i", "nowhere", "site.yml")])
def test_a_command_that_ends_early_leaves_no_process(project: Path, words: tuple[str, ...]) -> None:
    ours, theirs = os.pipe()
    command = [sys.executable, "-m", "pyplay", *words]
    process = subprocess.Popen(
        command, cwd=project, pass_fds=[theirs], stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(theirs)
    process.wait(20)
    os.set_blocking(ours, False)
    assert os.read(ours, 1) == b""  # at its end: nobody holds the other one any more
    os.close(ours)


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("ANSIBLE_JINJA2_EXTENSIONS", "nothing.Of", "jinja2_extensions names nothing.Of"),
        ("ANSIBLE_JINJA2_EXTENSIONS", "os.path", "it is no extension of Jinja"),
        ("ANSIBLE_CACHE_PLUGIN", "jsonfile", "needs a directory"),
    ],
)
def test_settings_of_no_use_are_told_once_and_by_the_controller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, value: str, said: str
) -> None:
    (tmp_path / "site.yml").write_text("- hosts: localhost\n  tasks: [{debug: {msg: x}}]\n")
    monkeypatch.setenv(variable, value)
    command = [sys.executable, "-m", "pyplay", "-i", "localhost,", "site.yml"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert (done.returncode, done.stdout, done.stderr.count("error["), said in done.stderr) == (5, "", 1, True)
    assert "bug" not in done.stderr
