"""Files that other users put where we are: they bring no code in, and no name from a host leads out of a directory."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import CommandLine

FILES = {
    "here/library/mine": '#!/bin/sh\necho \'{"changed": false, "hi": "from the module"}\'\n',
    "here/filter_plugins/mine.py": "class FilterModule:\n    def filters(self):\n        return {'mine': str.upper}\n",
    "away/site.yml": "- hosts: localhost\n  gather_facts: false\n  tasks:\n  - mine:\n  - debug: {msg: '{{ \"x\" | mine }}'}\n",
}
COMMANDS = [("adhoc", "localhost", "-c", "local", "-m", "mine"), ("playbook", "../away/site.yml")]


def run(pyplay: CommandLine, words: tuple[str, ...]) -> str:
    root, pyplay.root = pyplay.root, pyplay.root / "here"
    try:
        done = pyplay(*words)
    finally:
        pyplay.root = root
    return done.out + done.err


@pytest.mark.parametrize("words", COMMANDS)
def test_a_directory_in_the_hands_of_others_brings_no_code(pyplay: CommandLine, words: tuple[str, ...]) -> None:
    pyplay.write(FILES)
    here = pyplay.root / "here"
    assert "there is no module" not in run(pyplay, words)
    here.chmod(0o777)
    shown = run(pyplay, words)
    assert "there is no module" in shown
    assert f"plugins and modules in {here} are not used: anybody may write to it" in shown
    here.chmod(0o755)
    if os.geteuid() == 0:
        os.chown(here, 12345, -1)
        assert "are not used: it belongs to another user, 12345" in run(pyplay, words)


def test_but_one_that_is_named_does(pyplay: CommandLine) -> None:
    pyplay.write(FILES)
    (pyplay.root / "here").chmod(0o777)
    shown = run(pyplay, (*COMMANDS[0], "--playbook-dir", "."))
    assert "from the module" in shown
    assert "are not used" not in shown


def test_a_poisoned_fact_cache_says_no_more_than_a_host(pyplay: CommandLine) -> None:
    facts = {
        "ansible_connection": "ssh", "ansible_ssh_executable": "./pwn", "ansible_shell_executable": "./pwn",
        "ansible_python_interpreter": "./pwn", "ansible_facts_modules": ["/etc/passwd"], "inventory_hostname": "x",
        "ansible_pkg_mgr": "../x", "mine": "{{ lookup('pipe', 'touch pwned') }}", "__ansible_type": "_AnsibleTaggedStr",
    }  # fmt: skip
    pyplay.write({
        "pwn": "#!/bin/sh\ntouch pwned\n",
        "cache/s1_h0": json.dumps({"__payload__": json.dumps(facts)}),
        "inv": "h0 ansible_connection=local\n",
        "site.yml": "- hosts: all\n  gather_facts: false\n  tasks:\n"
        "  - raw: 'true'\n  - ping:\n  - gather_facts:\n  - debug: {msg: '{{ inventory_hostname }} {{ mine }}'}\n",
    })  # fmt: skip
    done = pyplay(
        "site.yml", "-i", "inv", ANSIBLE_CACHE_PLUGIN="jsonfile", ANSIBLE_CACHE_PLUGIN_CONNECTION=f"{pyplay.root}/cache"
    )
    assert done.code == 0, done.out + done.err
    assert '"msg": "h0 {{ lookup' in done.out
    assert not (pyplay.root / "pwned").exists()


@pytest.mark.parametrize("name", ["../../out", "a/../../../out", "..", "/out/of/it", "./x", "a/b"])
def test_fetch_stays_below_its_directory_whatever_a_host_is_called(pyplay: CommandLine, name: str) -> None:
    tasks = f"""\
- add_host: {{name: '{{{{ word }}}}', ansible_connection: local, ansible_python_interpreter: /usr/bin/python3}}
- fetch: {{src: '{pyplay.root}/src', dest: got}}
  delegate_to: '{{{{ word }}}}'
"""
    pyplay.write({"src": "content"})
    before = {path.name for path in pyplay.root.iterdir()} | {"got", "site.yml"}
    done = pyplay.play(tasks, "-e", f"word={name}")
    assert {path.name for path in pyplay.root.iterdir()} <= before
    assert ("leads out of its directory" in done.out) is (".." in name.split("/"))
    if ".." not in name.split("/"):
        parts = [part for part in name.split("/") if part not in ("", ".")]
        assert (pyplay.root.joinpath("got", *parts) / str(pyplay.root / "src").lstrip("/")).read_text() == "content"
