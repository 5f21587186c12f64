"""Each deprecated spelling is taken, with a warning that names its place and what to write; ansible-core warns, too."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

import pytest

from pyplay.diagnostics.deprecated import (
    ADHOC_OPTIONS,
    CALLBACKS,
    MODULES,
    OPTIONS,
    SETTINGS,
    SPELLINGS,
    YAML_TAGS,
    deprecated,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

ORACLE = os.environ.get("PYPLAY_ORACLE")
HEAD = "[DEPRECATION WARNING]: "
OURS = {"playbook": [sys.executable, "-m", "pyplay"], "adhoc": [sys.executable, "-m", "pyplay", "adhoc"]}
THEIRS = {"playbook": [f"{ORACLE}/ansible-playbook"], "adhoc": [f"{ORACLE}/ansible"]}
with_core = pytest.mark.skipif(not ORACLE, reason="PYPLAY_ORACLE names no directory with ansible-playbook")


class Row(NamedTuple):
    """A task with the spelling `code`, which our warning points at where `at` begins; `ours`, `theirs` are words."""

    code: str
    ours: str
    theirs: str
    task: str
    at: str = ""


def message(code: str, ours: str, theirs: str, expression: str) -> Row:
    return Row(code, ours, theirs, f'debug: {{msg: "{{{{ {expression} }}}}"}}', f'"{{{{ {expression}')


def noted(code: str, ours: str, theirs: str, expression: str) -> Row:
    return Row(code, ours, theirs, f'debug: {{msg: "{{{{ {expression} }}}}"}}')


ROWS = [
    Row("action-mapping", "'action'", "mapping for `action`", "action: {module: debug, msg: hi}", "{module: debug, msg"),
    Row("action-mapping", "'local_action'", "mapping for `action`", "local_action: {module: debug}", "{module: debug}"),
    message("play-hosts", "ansible_play_batch", "play_hosts", "play_hosts"),
    message("play-hosts", "ansible_play_batch", "play_hosts", "lookup('vars', 'play_hosts')"),
    message("vars-dictionary", "lookup('vars', name)", '"vars" dictionary', "vars['ansible_check_mode']"),
    message("vars-dictionary", "lookup('vars', name)", '"vars" dictionary', "'play_hosts' in vars"),
    message("injected-fact", "ansible_facts['system']", "INJECT_FACTS_AS_VARS", "ansible_system"),
    message("injected-fact", "ansible_facts['kernel']", "INJECT_FACTS_AS_VARS", "hostvars.localhost.ansible_kernel"),
    noted("injected-fact", "ansible_facts['machine']", "INJECT_FACTS_AS_VARS", "lookup('template', 'facts.j2')"),
    Row("delimited-condition", "leave out the {{ }}", "delimiters", "debug: {}\n      when: '{{ true }}'", "'{{ true"),
    *(
        Row("yaml-tag", f"'{tag}'", tag, f"debug: {{}}\n      vars: {{a: {tag} {value}}}", tag)
        for tag, value in zip(YAML_TAGS, ("x", "[{a: 1}]", "[a: 1]"), strict=True)
    ),
    Row("ignore-files-text", "write a list", "ignore_files", "include_vars: {dir: v, ignore_files: a.yml}", "a.yml"),
    noted("first-found-split", "several files", "of files on", "lookup('first_found', 'a;site.yml')"),
    noted("first-found-split", "several paths", "paths", "query('first_found', {'files': ['x'], 'paths': 'a:b', 'skip': true})"),
    noted("template-lookup-option", "'convert_data'", "convert_data", "lookup('template', 't.j2', convert_data=true)"),
    noted("template-lookup-option", "'jinja2_native'", "jinja2_native", "lookup('template', 't.j2', jinja2_native=true)"),
    noted("follow-redirects", "write all", "lookup plugin 'url'", "query('url', 'http://127.0.0.1:1', follow_redirects='yes', errors='ignore')"),
    Row("follow-redirects", "write none", "module 'uri'", "uri: {url: 'http://127.0.0.1:1', follow_redirects: 'no'}\n      ignore_errors: true"),
    noted("bool-coercion", "'maybe'", "'maybe'", "'maybe' | bool"),
    noted("bool-coercion", "None", "None", "none | bool"),
    noted("from-yaml-object", "(int)", "from_yaml", "1 | from_yaml"),
    Row("module-alias", "write '_old_name'", "'old_name'", "old_name:", "old_name:"),
    *(
        Row("module", f"use {instead}", f"{short} has been", f"{short}: {{{argument}: x, state: absent}}\n      check_mode: true\n      ignore_errors: true", f"{short}: {{{argument}")
        for short, instead, argument in zip((name.rpartition(".")[2] for name in MODULES), MODULES.values(), ("id", "repo"), strict=True)
    ),
]  # fmt: skip
SITE = "- hosts: localhost\n  gather_subset: [min]\n  tasks:\n" + "".join(f"    - {row.task}\n" for row in ROWS)
FILES = {
    "site.yml": SITE,
    "facts.j2": "{{ ansible_machine }}",
    "t.j2": "x",
    "library/_old_name.py": "#!/usr/bin/python3\nprint('{}')\n",
    "v/b.yml": "b: 1",
    "h.yml": "all:\n  hosts: {localhost: {ansible_connection: local, a-b: 1}}\n",
    "h.ini": "localhost ansible_connection=local\n[all:vars]\nc-d=1\n",
}
PLAIN = {"site.yml": "- hosts: localhost\n  gather_facts: false\n  tasks: [{debug: {}}]\n"}


class Run(NamedTuple):
    """A whole run with deprecated spellings outside of tasks: each of `ours` and of `theirs` is said."""

    code: str
    ours: Sequence[str]
    theirs: Sequence[str]
    words: Sequence[str] = ("site.yml",)
    environment: dict[str, str] = {}  # noqa: RUF012  # read only
    config: str = ""
    command: str = "playbook"


def value_of(name: str) -> str:
    return "jinja2.ext.do" if "JINJA2_EXT" in name.upper() else "allow_unsafe_attributes" if "SANDBOX" in name else "1"


RUNS = [
    Run(
        "setting", [f"{old.env[0]} is" for old in SETTINGS.values() if old.env], [name for name, old in SETTINGS.items() if old.env],
        environment={name: value_of(name) for old in SETTINGS.values() for name in old.env},
    ),
    Run(
        "setting", [f"[{old.section}] {key} is" for old in SETTINGS.values() for key in old.keys], [name for name, old in SETTINGS.items() if old.keys],
        config="".join(f"[{section}]\n" + "".join(f"{key} = {value_of(key)}\n" for old in SETTINGS.values() if old.section == section for key in old.keys) for section in dict.fromkeys(old.section for old in SETTINGS.values())),
    ),
    *(
        Run("callback", [f"'{name}'"], [f"{name} has been"], environment={"ANSIBLE_CALLBACKS_ENABLED" if name == "tree" else "ANSIBLE_STDOUT_CALLBACK": name, "ANSIBLE_CALLBACK_TREE_DIR": "t"})
        for name in sorted(CALLBACKS)
    ),
    Run("command-option", [f"'{name}'" for name in OPTIONS], list(OPTIONS), words=("--inventory-file", "localhost,", "-c", "local", "site.yml")),
    Run("command-option", [f"'{name}'" for name in ADHOC_OPTIONS], [f"'{name}'" for name in ADHOC_OPTIONS], words=("localhost", "-m", "ping", "-o", "-t", "t"), command="adhoc"),
    Run("variable-name", ["'a-b'", "h.yml:2:50", "'c-d'", "h.ini:3"], ["'a-b'", "'c-d'"], words=("-i", "h.yml", "-i", "h.ini", "site.yml")),
]  # fmt: skip


def run(command: list[str], directory: Path, files: dict[str, str], **environment: str) -> str:
    """Give what `command` writes to standard error in `directory` with `files`; it must succeed."""
    for name, text in files.items():
        path = directory / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("ANSIBLE_", "PYPLAY_"))}
    clean |= {"HOME": str(directory), "ANSIBLE_NOCOLOR": "1", "ANSIBLE_PYTHON_INTERPRETER": sys.executable}
    found = subprocess.run(command, cwd=directory, env=clean | environment, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr + found.stdout
    return found.stderr


@pytest.fixture(scope="module")
def text_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """Give a function that tells what a command writes for all rows, run once."""

    @functools.cache
    def text_of(which: str) -> str:
        commands = OURS if which == "ours" else THEIRS
        return run([*commands["playbook"], "site.yml"], tmp_path_factory.mktemp(which), FILES)

    return text_of


def place_of(row: Row) -> str:
    """Give `line:column` in the playbook where `row.at` begins."""
    start = SITE.index(row.at, SITE.index(f"    - {row.task}\n"))
    return f"{SITE.count(chr(10), 0, start) + 1}:{start - SITE.rfind(chr(10), 0, start)}"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.code} {row.ours}")
def test_a_deprecated_spelling_is_taken_with_a_warning(row: Row, text_of: Callable[[str], str]) -> None:
    told = [part for part in text_of("ours").split(HEAD)[1:] if row.ours in part]
    if row.at:
        told = [part for part in told if f"site.yml:{place_of(row)}\n" in part]
    assert len(told) == 1, text_of("ours")


@with_core
@pytest.mark.parity
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.code} {row.ours}")
def test_core_warns_of_it_as_well(row: Row, text_of: Callable[[str], str]) -> None:
    assert any(row.theirs in part for part in text_of("theirs").split(HEAD)[1:])


def outside(case: Run, commands: dict[str, list[str]], directory: Path) -> list[str]:
    files = {**FILES, **PLAIN, **({"ansible.cfg": case.config} if case.config else {})}
    return run([*commands[case.command], *case.words], directory, files, **case.environment).split(HEAD)[1:]


@pytest.mark.parametrize("case", RUNS, ids=lambda case: f"{case.code} {case.ours[0]}")
def test_one_outside_of_tasks_is_taken_with_a_warning(case: Run, tmp_path: Path) -> None:
    told = outside(case, OURS, tmp_path)
    assert [sum(word in part for part in told) for word in case.ours] == [1] * len(case.ours), told


@with_core
@pytest.mark.parity
@pytest.mark.parametrize("case", RUNS, ids=lambda case: f"{case.code} {case.ours[0]}")
def test_core_warns_of_that_as_well(case: Run, tmp_path: Path) -> None:
    told = outside(case, THEIRS, tmp_path)
    assert all(any(word in part for part in told) for word in case.theirs), told


def test_every_row_has_a_case() -> None:
    assert {case.code for case in (*ROWS, *RUNS)} == set(SPELLINGS)


def test_settings_silence_them(tmp_path: Path) -> None:
    command = [*OURS["playbook"], "site.yml"]
    told = run(command, tmp_path, FILES, ANSIBLE_DEPRECATION_WARNINGS="0")
    assert HEAD not in told
    decided = run(command, tmp_path, FILES, ANSIBLE_INJECT_FACT_VARS="1")
    assert "play_hosts" in decided
    assert "ansible_facts" not in decided


def test_a_fact_is_told_once_and_a_value_of_its_name_never(tmp_path: Path) -> None:
    use = "    - debug: {{msg: '{{{{ ansible_system }}}} {{{{ {} }}}}'}}\n"
    site = "- hosts: localhost\n  gather_subset: [min]\n  tasks:\n" + use.format(1) + use.format("ansible_machine")
    site += "    - set_fact: {ansible_kernel: mine}\n" + use.format("ansible_kernel")
    told = run([*OURS["playbook"], "site.yml"], tmp_path, {"site.yml": site})
    assert [told.count(f"'{name}' as") for name in ("ansible_system", "ansible_machine", "ansible_kernel")] == [1, 1, 0]


def test_the_words_of_a_row_are_needed() -> None:
    with pytest.raises(KeyError):
        deprecated("action-mapping", {})
