"""Started under the names of Ansible's programs, and the links that make these names."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pyplay.cli.links import make_links
from pyplay.cli.names import ANSIBLE_NAMES, REFUSED_NAMES, program_of, refusal
from pyplay.diagnostics.errors import OptionsError

if TYPE_CHECKING:
    from conftest import CommandLine

SCRIPT = Path(sys.executable).with_name("pyplay")
VERSION_PATTERNS = {
    "ansible": r"^ansible \[(?:core|base) (?P<version>[^\]]+)\]",  # ansible-compat: Molecule, ansible-lint
    "ansible-playbook": r"^ansible-playbook \[core (\d+\.\d+\.\d+)\]\n",
    "ansible-vault": r"^ansible-vault \[core (\d+\.\d+\.\d+)\]\n",
}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/usr/bin/ansible", ("ansible", "adhoc")),
        ("ansible-playbook", ("ansible-playbook", "playbook")),
        ("/x/ansible-playbook.orig", ("pyplay", None)),
        ("/x/pyplay", ("pyplay", None)),
        ("__main__.py", ("pyplay", None)),
    ],
)
def test_what_a_name_stands_for(path: str, expected: tuple[str, str | None]) -> None:
    program = program_of(path)
    assert (program.name, program.command) == expected


@pytest.mark.parametrize("name", REFUSED_NAMES)
def test_names_that_it_is_not(name: str) -> None:
    said = refusal(f"/usr/bin/{name}")
    assert said is not None
    assert said.startswith(f"[ERROR]: pyplay is no {name}: ")
    assert "\n" not in said


@pytest.mark.parametrize("name", VERSION_PATTERNS)
def test_version_in_the_form_that_wrappers_parse(pyplay: CommandLine, name: str) -> None:
    pyplay.write({"ansible.cfg": "[defaults]\n"})
    done = pyplay.called(name, "--version")
    assert done.code == 0
    assert re.search(VERSION_PATTERNS[name], done.out, re.MULTILINE)
    assert f"  config file = {pyplay.root}/ansible.cfg\n" in done.out
    assert f"  executable location = {pyplay.root}/bin/{name}\n" in done.out
    assert re.search(r"^  python version = \d.*\((/\S+)\)$", done.out, re.MULTILINE)
    assert re.search(r"^  ansible collection location = /", done.out, re.MULTILINE)


@pytest.mark.parametrize(
    "words",
    [
        ["ansible-playbook", "--nope"],
        ["ansible", "--nope"],
        ["ansible-inventory", "--nope"],
        ["ansible-vault", "view", "--nope"],
        ["ansible-config", "dump", "--nope"],
        ["ansible-doc", "--nope"],
    ],
)
def test_usage_errors_name_the_program(pyplay: CommandLine, words: list[str]) -> None:
    done = pyplay.called(*words)
    assert done.code == 2
    assert done.err.startswith(f"Usage: {words[0]} ")


def test_a_module_is_run_without_a_command_word(pyplay: CommandLine) -> None:
    done = pyplay.called("ansible", "localhost", "-m", "ping")
    assert (done.code, done.out.split()[0:3]) == (0, ["localhost", "|", "SUCCESS"])


def test_a_command_word_of_pyplay_is_a_playbook_under_this_name(pyplay: CommandLine) -> None:
    done = pyplay.called("ansible-playbook", "vault")
    assert (done.code, "the playbook vault is not there" in done.err) == (1, True)


def test_faults_in_the_form_that_linters_parse(pyplay: CommandLine) -> None:
    pyplay.write({"site.yml": "- hosts: localhost\n  tasks:\n    - debgu:\n"})
    done = pyplay.called("ansible-playbook", "--syntax-check", "-i", "localhost,", "site.yml")
    assert done.code == 4
    found = re.search(r"^\[ERROR\]: (.+)\nOrigin: ([\w/.-]+):(\d+):(\d+)$", done.err, re.MULTILINE)
    assert found is not None
    assert found.groups() == ("there is no module 'debgu'", f"{pyplay.root}/site.yml", "3", "7")


@pytest.mark.parametrize("word", ["invntory", "vualt", "plabook"])
def test_a_mistyped_command_is_told_from_a_playbook(pyplay: CommandLine, word: str) -> None:
    done = pyplay(word, "--list")
    assert done.code == 2
    assert "did you mean 'pyplay " in done.err
    pyplay.write({word: "- hosts: localhost\n  gather_facts: false\n"})
    assert pyplay(word).code == 0


def test_links_are_made_once(tmp_path: Path) -> None:
    assert make_links(tmp_path / "bin", SCRIPT, force=False) == list(ANSIBLE_NAMES)
    assert make_links(tmp_path / "bin", SCRIPT, force=False) == []
    assert (tmp_path / "bin/ansible").readlink() == SCRIPT


@pytest.mark.parametrize("kind", ["file", "link", "dangling"])
def test_what_is_not_ours_is_left_alone_unless_forced(tmp_path: Path, kind: str) -> None:
    theirs = tmp_path / "ansible-vault"
    if kind == "file":
        theirs.write_text("theirs")
    else:
        theirs.symlink_to("/bin/true" if kind == "link" else "/nowhere")
    with pytest.raises(OptionsError, match="ansible-vault is there"):
        make_links(tmp_path, SCRIPT, force=False)
    assert os.listdir(tmp_path) == ["ansible-vault"]  # noqa: PTH208  # names
    assert "ansible-vault" in make_links(tmp_path, SCRIPT, force=True)
    assert theirs.readlink() == SCRIPT


def test_a_directory_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "ansible").mkdir()
    with pytest.raises(OptionsError, match="is a directory"):
        make_links(tmp_path, SCRIPT, force=True)


def test_the_command_tells_what_it_made(pyplay: CommandLine) -> None:
    done = pyplay("links", "bin")
    assert (done.code, len(done.out.splitlines())) == (0, len(ANSIBLE_NAMES))
    assert (pyplay.root / "bin/ansible-playbook").resolve().name == "pyplay"


VERSIONS = """
    - debug: {msg: "{{ ansible_version.full }} {{ ansible_version.revision }} {{ ansible_version is mapping }}"}
    - show_version:
    - debug: {msg: "{{ 'x' | release }}"}
"""
MODULE = """
    from ansible.module_utils.basic import AnsibleModule
    module = AnsibleModule(argument_spec={})
    module.exit_json(told=module.ansible_version if hasattr(module, 'ansible_version') else module._ansible_version)
"""
FILTER = """
    from ansible.release import __version__
    class FilterModule:
        def filters(self):
            return {'release': lambda value: 'released ' + __version__}
"""


@pytest.mark.parametrize("version", ["2.21.5", "2.18.0", "2.22.11"])
def test_the_version_that_is_told_is_a_setting(pyplay: CommandLine, version: str) -> None:
    chosen = {"PYPLAY_COMPATIBLE_VERSION": version}
    assert pyplay.called("ansible-playbook", "--version", **chosen).out.startswith(
        f"ansible-playbook [core {version}]\n"
    )
    pyplay.write({"library/show_version.py": MODULE, "filter_plugins/release.py": FILTER})
    done = pyplay.play(VERSIONS, "-v", **chosen)
    assert done.code == 0, done.out + done.err
    for text in (f"{version} {version.rpartition('.')[2]} True", f'"told": "{version}"', f"released {version}"):
        assert text in done.out


@pytest.mark.parametrize("version", ["2.18", "x", "2.18.0rc1", "2.18.0.1"])
def test_what_is_no_version_is_refused(pyplay: CommandLine, version: str) -> None:
    pyplay.write({"ansible.cfg": f"[pyplay]\ncompatible_version = {version}\n"})
    done = pyplay.play("- debug:")
    assert (done.code, "ansible.cfg:2" in done.err, "three numbers" in done.err) == (5, True, True), done.err
