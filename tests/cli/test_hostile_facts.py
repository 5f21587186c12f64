"""A host that says what it likes: no word of it chooses a program, a file or a module of the controller."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pyplay.source.reads import By, set_by

if TYPE_CHECKING:
    from conftest import CommandLine

SECRET = "open sesame"


def says(facts: dict[str, object]) -> str:
    """Return a module that says `facts`, as any program on the host may."""
    return f"#!/bin/sh\ncat <<'END'\n{json.dumps({'changed': False, 'ansible_facts': facts})}\nEND\n"


def start(pyplay: CommandLine, facts: dict[str, object], tasks: str, *words: str) -> tuple[str, list[str]]:
    """Return what a run shows in which a host says `facts` before `tasks`, and which files it left here."""
    pyplay.write({
        "vaultpw": SECRET,
        "library/evil": says(facts),
        "inv": "h0 ansible_connection=local ansible_python_interpreter=/usr/bin/python3\n",
        "site.yml": f"- hosts: all\n  gather_facts: false\n  ignore_errors: true\n  tasks:\n  - evil:\n{tasks}",
    })  # fmt: skip
    before = {path.name for path in pyplay.root.iterdir()}
    done = pyplay("site.yml", "-i", "inv", *words)
    shown = done.out + done.err
    assert SECRET not in shown
    return shown, sorted({path.name for path in pyplay.root.iterdir()} - before)


PLACES = ["{root}/vaultpw", "../vaultpw", "./vaultpw", "library/../vaultpw", "ansible.builtin./vaultpw"]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    ("name", "task"),
    [
        ("ansible_facts_modules", "gather_facts:"),
        ("facts_modules", "gather_facts:"),
        ("ansible_pkg_mgr", "package: {name: x, state: present}"),
        ("pkg_mgr", "package: {name: x, state: present}"),
        ("ansible_service_mgr", "service: {name: x, state: started}"),
        ("service_mgr", "service: {name: x, state: started}"),
        ("word", 'package: {name: x, use: "{{ word }}"}'),
        ("word", 'action: "{{ word }} a=b"'),
    ],
)
def test_no_word_of_a_host_is_a_file_here(pyplay: CommandLine, name: str, task: str, place: str) -> None:
    path = place.format(root=pyplay.root)
    shown, _ = start(pyplay, {name: path}, f"  - {task}\n")
    assert "cannot be run" not in shown  # the file was sent to the host
    assert "vaultpw:" not in shown.replace(path, "")


def test_a_hosts_manager_is_one_that_is_known(pyplay: CommandLine) -> None:
    shown, _ = start(pyplay, {"ansible_pkg_mgr": "command"}, "  - package: {name: touch pwned, state: x}\n")
    assert "which is none that is known here" in shown


def test_a_users_own_variable_names_any_module(pyplay: CommandLine) -> None:
    pyplay.write({"library/mine": says({"mine": "ran"}), "group_vars/all": "ansible_pkg_mgr: mine\n"})
    shown, _ = start(pyplay, {}, "  - package: {name: x}\n  - debug: {var: mine}\n")
    assert '"mine": "ran"' in shown


TOUCH = "touch pwned"
WAYS = {
    "paramiko": {"ansible_paramiko_proxy_command": TOUCH},
    "ssh": {"ansible_ssh_common_args": f"-o ProxyCommand='{TOUCH}'", "ansible_ssh_args": f"-o ProxyCommand='{TOUCH}'"},
    "openssh": {"ansible_ssh_executable": "./pwn", "ansible_ssh_extra_args": f"-o ProxyCommand='{TOUCH}'"},
    "chroot": {"ansible_chroot_exe": TOUCH},
    "nspawn": {"ansible_nspawn_exe": TOUCH, "ansible_nspawn_extra_args": "x"},
    "podman": {"ansible_podman_executable": "./pwn", "ansible_podman_extra_args": "x"},
    "docker": {"ansible_docker_extra_args": "--config ./pwned", "ansible_docker_docker_host": "x"},
    "kubectl": {"ansible_kubectl_kubeconfig": "./pwn", "ansible_kubectl_extra_args": "x"},
    "local": {
        "ansible_python_interpreter": "sh -c 'touch pwned' x",
        "ansible_shell_executable": "./pwn",
        "ansible_become": True,
        "ansible_become_exe": "./pwn",
    },
}
PWN = "#!/bin/sh\ntouch pwned\n"


@pytest.mark.parametrize("way", WAYS)
def test_no_fact_runs_a_program_here(pyplay: CommandLine, way: str) -> None:
    pyplay.write({"pwn": PWN})
    told = f"    vars: {{ansible_connection: {way}, ansible_host: 127.0.0.1, ansible_port: 9}}\n"
    _, left = start(pyplay, WAYS[way], f"  - ping:\n{told}  - raw: 'true'\n{told}")
    assert left == []


@pytest.mark.parametrize("way", WAYS)
def test_nor_does_one_that_a_playbook_sets_by_the_hosts_names(pyplay: CommandLine, way: str) -> None:
    """The names and values of `set_fact` are the host's: it sets what playbooks may set from data, and no more."""
    pyplay.write({"pwn": PWN})
    facts: dict[str, object] = {"words": [{"key": key, "value": value} for key, value in WAYS[way].items()]}
    told = f"    vars: {{ansible_connection: {way}, ansible_host: 127.0.0.1, ansible_port: 9}}\n"
    tasks = f"  - set_fact: {{'{{{{ item.key }}}}': '{{{{ item.value }}}}'}}\n    loop: '{{{{ words }}}}'\n  - ping:\n{told}"
    shown, left = start(pyplay, facts, tasks)
    assert left == []
    if any(set_by(name) is By.USERS for name in WAYS[way]) or way == "local":
        assert "its value is data" in shown or "its value came from a result" in shown


@pytest.mark.parametrize("way", ["paramiko", "ssh", "chroot"])
def test_nor_for_a_host_that_add_host_made(pyplay: CommandLine, way: str) -> None:
    name, value = next(iter(WAYS[way].items()))
    tasks = (
        f"  - add_host: {{name: new, ansible_connection: {way}, ansible_host: 127.0.0.1, ansible_port: 9, "
        f"{name}: '{{{{ word }}}}'}}\n  - ping:\n    delegate_to: new\n"
    )
    shown, left = start(pyplay, {"word": value}, tasks)
    assert left == []
    assert f"{name} chooses a program" in shown


def test_items_of_a_loop_do_not_see_more_facts_than_tasks_do(pyplay: CommandLine) -> None:
    pyplay.write({"pwn": PWN})
    facts = {name: value for way in WAYS.values() for name, value in way.items()} | {"ansible_connection": "paramiko"}
    _, left = start(
        pyplay, facts, "  - evil:\n    loop: [1, 2, 3]\n  - evil:\n    until: false\n    retries: 1\n    delay: 0\n"
    )
    assert left == []


WRITTEN = [
    "{{ playbook_dir }}/key",
    "{{ playbook_dir ~ '/key' }}",
    "{{ base }}/key",
    "{{ hostvars['h0'].base }}/key",
    "{{ lookup('env', 'HOME') }}/key",
    "{{ groups['all'][0] }}",
    "plain",
    "{{ 'a' if inventory_hostname == 'h0' else 'b' }}",
]


@pytest.mark.parametrize("text", WRITTEN)
@pytest.mark.parametrize("action", ["set_fact", "add_host"])
def test_what_users_wrote_goes_through_set_fact_and_add_host(pyplay: CommandLine, action: str, text: str) -> None:
    pyplay.write({"group_vars/all": "base: /here\n"})
    name = "name: new, ansible_connection: local, ansible_python_interpreter: /usr/bin/python3, " * (
        action == "add_host"
    )
    over = "    delegate_to: new\n" * (action == "add_host")
    tasks = f'  - {action}: {{{name}ansible_shell_executable: "{text}"}}\n  - ping:\n{over}  - debug: {{msg: went}}\n'
    shown, _ = start(pyplay, {}, tasks)
    assert "data-as-option" not in shown
    assert "its value" not in shown
    assert "went" in shown


def test_users_words_stay_theirs_from_one_set_fact_to_the_next(pyplay: CommandLine) -> None:
    pyplay.write({"group_vars/all": "base: /bin\n"})
    tasks = (
        "  - set_fact: {one: '{{ base }}'}\n  - set_fact: {two: '{{ one }}/sh'}\n"
        "  - add_host: {name: new, ansible_connection: local, ansible_shell_executable: '{{ two }}',\n"
        "      ansible_python_interpreter: /usr/bin/python3}\n  - ping:\n    delegate_to: new\n"
        "  - set_fact: {three: '{{ word }}'}\n  - set_fact: {four: '{{ three }}/sh'}\n"
        "  - add_host: {name: other, ansible_connection: local, ansible_shell_executable: '{{ four }}'}\n"
        "  - ping:\n    delegate_to: other\n"
    )
    shown, _ = start(pyplay, {"word": "/bin"}, tasks)
    assert "ok: [h0 -> new" in shown
    assert "ansible_shell_executable chooses a program" in shown


def test_addresses_may_be_data(pyplay: CommandLine) -> None:
    tasks = (
        "  - set_fact: {ansible_host: '{{ word }}', ansible_user: '{{ word }}', ansible_port: 9}\n"
        "  - ping:\n    vars: {ansible_connection: ssh}\n"
    )
    shown, _ = start(pyplay, {"word": "127.0.0.1"}, tasks)
    assert "h0 (127.0.0.1): port 9" in shown


@pytest.mark.parametrize("address", ["-oProxyCommand=touch pwned", "x;touch pwned", "$(touch pwned)", "`touch pwned`",
                                     "x\ntouch pwned", "x|touch pwned", "x y"])  # fmt: skip
@pytest.mark.parametrize("way", ["ssh", "openssh"])
@pytest.mark.parametrize("name", ["ansible_host", "ansible_user"])
def test_but_nothing_that_a_shell_reads(pyplay: CommandLine, address: str, way: str, name: str) -> None:
    tasks = (
        f"  - set_fact: {{{name}: '{{{{ word }}}}'}}\n  - ping:\n    vars:\n      ansible_connection: {way}\n"
        "      ansible_ssh_common_args: -o ProxyCommand='false %h %r'\n"
    )
    shown, left = start(pyplay, {"word": address}, tasks)
    assert left == []
    if name == "ansible_host" or address != "x y":
        assert "holds what a shell would read, or begins with '-'" in shown


def test_magic_variables_are_never_a_hosts(pyplay: CommandLine) -> None:
    names = ("inventory_hostname", "group_names", "groups", "role_path", "playbook_dir", "inventory_dir", "omit")
    tasks = "".join(f"  - debug: {{msg: 'is {{{{ {name} | default(0) }}}}'}}\n" for name in names)
    shown, _ = start(pyplay, dict.fromkeys(names, "a hosts word"), tasks)
    assert "is a hosts word" not in shown


PLUGIN = """
from ansible.plugins.inventory import BaseInventoryPlugin

DOCUMENTATION = "options: {plugin: {required: true}}"


class InventoryModule(BaseInventoryPlugin):
    NAME = "mine"

    def verify_file(self, path):
        return True

    def parse(self, inventory, loader, path, cache=True):
        super().parse(inventory, loader, path, cache)
        inventory.add_host("h0")
        inventory.set_variable("h0", "ansible_connection", "local")
        inventory.set_variable("h0", "ansible_shell_executable", "/bin/" + "sh")
"""
COMPOSED = {"a.yml": "all: {hosts: {h0: {base: /bin}}}\n"}
SHELL = "ansible_shell_executable"
INVENTORIES = {
    "constructed": COMPOSED | {
        "b.yml": f"plugin: constructed\ncompose: {{ansible_connection: \"'local'\", {SHELL}: base ~ '/sh'}}\n"
    },
    "plugin": {"b.yml": "plugin: mine\n", "inventory_plugins/mine.py": PLUGIN},
    "script": {
        "b.sh": "#!/bin/sh\necho '"
        + json.dumps({"_meta": {"hostvars": {"h0": {"ansible_connection": "local", SHELL: "/bin/sh"}}}, "all": {"hosts": ["h0"]}})
        + "'\n"
    },
    "yaml": {"b.yml": f"all: {{hosts: {{h0: {{ansible_connection: local, {SHELL}: /bin/sh}}}}}}\n"},
    "ini": {"b.ini": f"h0 ansible_connection=local {SHELL}=/bin/sh\n"},
    "toml": {"b.toml": f'[all.hosts]\nh0 = {{ ansible_connection = "local", {SHELL} = "/bin/sh" }}\n'},
    "group_vars": {"b.ini": "h0\n", "group_vars/all.json": json.dumps({"ansible_connection": "local", SHELL: "/bin/sh"})},
}  # fmt: skip


@pytest.mark.parametrize("kind", INVENTORIES)
def test_what_any_inventory_says_a_user_wrote(pyplay: CommandLine, kind: str) -> None:
    files = INVENTORIES[kind]
    sources = [name for name in files if "/" not in name]
    pyplay.write({**files, "site.yml": "- hosts: h0\n  gather_facts: false\n  tasks:\n  - ping:\n"})
    done = pyplay("site.yml", *(word for name in sources for word in ("-i", name)))
    assert "ok: [h0]" in done.out, done.out + done.err


@pytest.mark.parametrize("words", [("-e", "ansible_connection=local"), ("-e", '{"ansible_connection": "local"}'),
                                   ("-e", "@x.json"), ("-e", "@x.yml"), ("-c", "local")])  # fmt: skip
def test_so_it_is_with_words_of_the_command_line(pyplay: CommandLine, words: tuple[str, ...]) -> None:
    pyplay.write({
        "x.json": '{"ansible_connection": "local"}', "x.yml": "ansible_connection: local\n",
        "site.yml": "- hosts: h0\n  gather_facts: false\n  tasks:\n  - ping:\n",
    })  # fmt: skip
    assert "ok: [h0]" in pyplay("site.yml", "-i", "h0,", *words).out


@pytest.mark.parametrize(
    "name", ["add_host", "fetch", "copy", "include_vars", "set_fact", "script", "template", "pause"]
)
def test_no_word_of_a_host_is_an_action_of_the_controller(pyplay: CommandLine, name: str) -> None:
    for task in ('action: "{{ word }} name=x"', 'action: "{{ ansible_facts.word }} name=x"',
                 'action: "{{ hostvars.h0.word | trim }} name=x"', 'action: {module: "{{ word }}", name: x}'):  # fmt: skip
        shown, _ = start(pyplay, {"word": name}, f"  - {task}\n")
        assert f"'{name}' works on the controller, and its name came from a result" in shown
    shown, _ = start(pyplay, {"word": "ping"}, "  - action: '{{ word }}'\n")
    assert "ok=2" in shown


def test_a_users_word_is_one(pyplay: CommandLine) -> None:
    pyplay.write({"group_vars/all": "mine: set_fact\n"})
    tasks = "  - action: '{{ item }} a=1'\n    loop: [set_fact]\n  - action: '{{ mine }} a=1'\n  - action: \"{{ 'set_fact' if a == 1 else 'debug' }} b=2\"\n  - debug: {var: b}\n"
    shown, _ = start(pyplay, {}, tasks.replace("a == 1", "a is defined"))
    assert shown.count("ok: [h0]") == 5


def test_localhost_may_be_told_where_its_own_python_is(pyplay: CommandLine) -> None:
    done = pyplay.play(
        """
        - command: which python3
          register: found
        - set_fact: {ansible_python_interpreter: "{{ found.stdout }}"}
        - ping:
        - set_fact: {ansible_python_interpreter: "{{ ansible_playbook_python }}"}
        - ping:
        """
    )
    assert done.code == 0, done.out + done.err


@pytest.mark.parametrize("text", ["{{ ansible_playbook_python }}", "/usr/bin/python3", "{{ where }}/python3 -B"])
def test_a_users_word_is_a_python_of_the_controller(pyplay: CommandLine, text: str) -> None:
    pyplay.write({"group_vars/all": "where: /usr/bin\n"})
    tasks = f"  - set_fact: {{ansible_python_interpreter: '{text}'}}\n  - ping:\n  - debug: {{msg: went}}\n"
    shown, _ = start(pyplay, {}, tasks)
    assert "ok=4" in shown
    assert "failed=0" in shown
    assert "ignored=0" in shown
