"""What a command loads: heavy libraries only where a run needs them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

IMPORTED = re.compile(r"^import time:.*\|\s+(\S+)$", re.MULTILINE)

PLAYBOOK = """
- hosts: all
  gather_facts: false
  tasks:
    - ansible.builtin.debug: {msg: hello}
    - ansible.builtin.set_fact: {word: "{{ inventory_hostname }}"}
"""


def loads(*words: str) -> list[str]:
    """Give the modules that a run of pyplay imports, as often as its processes do."""
    command = [sys.executable, "-X", "importtime", "-m", "pyplay", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stdout + done.stderr
    return IMPORTED.findall(done.stderr)


def imported(*words: str) -> set[str]:
    """Give the modules that a run of pyplay imports, in all of its processes."""
    return set(loads(*words))


def packages(names: set[str]) -> set[str]:
    return {name.partition(".")[0] for name in names}


@pytest.mark.parametrize("inventory", ["localhost,", "away.example.com,"])
def test_a_debug_playbook_loads_no_ssh_and_no_live_output(tmp_path: Path, inventory: str) -> None:
    path = tmp_path / "site.yml"
    path.write_text(PLAYBOOK)
    names = imported("-i", inventory, str(path))
    assert not packages(names) & {"asyncssh", "cryptography", "rich", "matplotlib"}


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_telling_about_itself_loads_next_to_nothing(option: str) -> None:
    heavy = {"asyncio", "jinja2", "yaml", "asyncssh", "cryptography", "rich", "json", "ssl"}
    names = imported(option)
    assert not packages(names) & (heavy - ({"json"} if option == "--version" else set()))
    assert len(names) < 260


UNUSED = {"gettext", "inspect", "ast", "dis", "tokenize", "linecache", "copy", "locale", "pathlib", "textwrap"}
"""What click and `dataclasses` import, and no run needs."""


@pytest.mark.parametrize("option", ["--list-tasks", "--list-tags", "--list-hosts"])
def test_a_listing_loads_no_template_engine_and_nothing_that_a_run_needs(tmp_path: Path, option: str) -> None:
    path = tmp_path / "site.yml"
    path.write_text(PLAYBOOK)
    names = imported("-i", "away.example.com,", option, str(path))
    heavy = {"jinja2", "asyncio", "ssl", "asyncssh", "cryptography", "rich", "json", "subprocess", "hashlib", "tomllib"}
    heavy |= {"configparser", "string", "zipfile"} | UNUSED | {"urllib"}
    assert not packages(names) & (heavy | {"traceback", "shutil", "tempfile", "pickle"})
    ours = {name.split(".")[1] for name in names if name.startswith("pyplay.")}
    assert not ours & {"actions", "report", "shipping", "variables", "connection"}
    assert "pyplay.workers.messages" not in names
    assert len(names) < 225


def test_a_listing_loads_the_template_engine_for_a_name_that_is_a_template(tmp_path: Path) -> None:
    path = tmp_path / "site.yml"
    path.write_text("- hosts: all\n  name: '{{ 1 + 1 }}'\n  tasks: []\n")
    assert "jinja2" in imported("-i", "away.example.com,", "--list-tasks", str(path))


def test_a_syntax_check_reads_tables_without_what_ships_modules(tmp_path: Path) -> None:
    path = tmp_path / "site.yml"
    path.write_text(PLAYBOOK + "    - ansible.builtin.copy: {content: x, dest: /x}\n")
    names = imported("-i", "away.example.com,", "--syntax-check", str(path))
    heavy = {"jinja2", "asyncio", "asyncssh", "cryptography", "rich", "json", "zipfile", "hashlib", "shutil"}
    assert not packages(names) & heavy
    assert "pyplay.shipping.build" not in names


CONTROLLERS = """
import sys
import pyplay.cli.edge
from pyplay.cli.session import Session
from pyplay.cli.playbook import command
from pyplay.workers import zygote
zygote.Zygote.__init__ = lambda *_, **__: print(*sorted(sys.modules)) or sys.exit(0)
command.main(sys.argv[1:], standalone_mode=False)
"""


def test_what_workers_are_made_of_is_loaded_in_the_zygote_alone(tmp_path: Path) -> None:
    path = tmp_path / "site.yml"
    path.write_text(PLAYBOOK)
    command = [sys.executable, "-c", CONTROLLERS, "-i", "away.example.com,", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    names = set(done.stdout.split())
    assert "pyplay.workers.pool" in names, done.stderr
    heavy = {"asyncio", "ssl", "asyncssh", "ctypes", "zipfile", "subprocess", "configparser", "csv", "jinja2", "json"}
    assert not packages(names) & (heavy | UNUSED | {"ipaddress", "urllib", "shlex", "random", "tempfile", "base64"})
    assert len(names) < 245
    assert not names & {"pyplay.workers.worker", "pyplay.shipping.build", "pyplay.connection.open", "pyplay.cli.early"}


def test_the_zygote_loads_neither_what_reads_playbooks_nor_ssh() -> None:
    script = "import sys; from pyplay.workers import early; early.load_shared(); early.load(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    names = set(done.stdout.split())
    assert "pyplay.workers.worker" in names
    assert not packages(names) & {"yaml", "click", "asyncssh", "cryptography", "rich"}


FORKED = """
import os, sys
from pyplay.cli.main import main
from pyplay.workers import worker

def telling(run):
    def told(channel, setup):
        before = set(sys.modules)
        run(channel, setup)
        os.write(2, " ".join({"loaded", *sys.modules} - before).encode() + b"\\n")
    return told

from pyplay.workers import early
loads = early.load
def load():
    loads()
    worker.run_worker = telling(worker.run_worker)
    sys.modules["pyplay.workers.founding"].run_worker = worker.run_worker
early.load = load
main()
"""


@pytest.mark.parametrize(
    "more", ["", "    - ansible.builtin.command: 'true'\n", "    - {ping: , register: it, when: 1.5 < 2}\n"]
)
def test_workers_load_nothing(tmp_path: Path, more: str) -> None:
    path = tmp_path / "site.yml"
    path.write_text(PLAYBOOK + more)
    command = [sys.executable, "-c", FORKED, "-i", "localhost,", "-c", "local", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert "failed=0" in done.stdout, done.stderr
    assert done.stderr.split() == ["loaded"]


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="on one core there is one process to load in")
def test_what_both_halves_of_a_run_need_is_loaded_once(tmp_path: Path) -> None:
    path = tmp_path / "site.yml"
    path.write_text(PLAYBOOK)
    times = Counter(loads("-i", "localhost,", str(path)))
    twice = {name for name, count in times.items() if count > 1}
    assert "jinja2.environment" in times
    assert not twice & {"pickle", "pyplay.inventory.members", "pyplay.playbook.model", "pyplay.source.setting"}


def test_what_talks_to_hosts_is_loaded_for_plays_that_do(tmp_path: Path) -> None:
    path = tmp_path / "site.yml"
    path.write_text(PLAYBOOK)
    names = imported("-i", "localhost,", "-c", "local", str(path))
    sending = {"pyplay.shipping.archive", "pyplay.connection.local", "asyncio.sslproto", "ssl"}
    assert not names & sending
    path.write_text(PLAYBOOK + "    - ansible.builtin.command: 'true'\n")
    assert imported("-i", "localhost,", "-c", "local", str(path)) & sending
