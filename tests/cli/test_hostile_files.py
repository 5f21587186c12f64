"""Files that other users put where we are: they bring no code in, and no name from a host leads out of a directory."""

from __future__ import annotations

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
