"""Which variables hosts may set: every name that our code reads, and every option of a plugin, is in the table."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyplay.connection.engines import ALL
from pyplay.connection.kinds import BECOME_METHODS
from pyplay.diagnostics.errors import OptionsError
from pyplay.source import reads
from pyplay.source.foreign_settings import FOREIGN
from pyplay.source.plugin_settings import PLUGIN_OPTIONS
from pyplay.source.reads import By, check_words, is_data, set_by
from pyplay.source.settings import SETTINGS
from pyplay.source.text import SourceList, SourceMap, Trusted
from pyplay.variables.facts import may_be_injected
from pyplay.variables.magic import FALLBACKS, HOST_MAGIC, MAGIC
from pyplay.workers.connection_options import _OF_PARAMIKO  # pyright: ignore[reportPrivateUsage]
from pyplay.workers.option_words import NAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE = Path(reads.__file__).parents[1]
WORKERS = Path(__file__).parents[1] / "workers"

WITH_READ = ("workers/become_options.py", "workers/connection_options.py")
"""Where `read` and `_read` read variables."""

GENERAL = {
    "actions/include_vars.py": "merges with what users' variables hold",
    "actions/validate_argument_spec.py": "the names of a role's own specification",
    "cli/early.py": "whether a role's argument is defined",
    "templating/context.py": "what templates name",
    "templating/shims/plugin_options.py": "options of users' plugins: facts do not count, see `option_variable`",
    "templating/templar.py": "what templates name",
    "templating/watchful.py": "what templates name",
    "templating/environment.py": "what templates name",
    "variables/magic.py": "the other name of the same thing",
    "templating/own_variables.py": "the accessor itself",
    "workers/connection_options.py": "hands on what its callers name, and the table of paramiko",
    "workers/destinations.py": "the names of option_words.NAMES",
    "workers/engine_options.py": "the tables of engines",
    "workers/loops.py": "whether a loop's variable hides another",
    "workers/option_words.py": "the accessor itself",
    "workers/values.py": "the accessor itself",
    "workers/remote.py": "the program that the first line of a module names",
}
"""Files that read by a name which is not spelled there, and what the name is."""


def calls() -> Iterator[tuple[str, ast.expr]]:
    """Yield file and argument of each call in our code that reads a variable by name."""
    for path in sorted(SOURCE.rglob("*.py")):
        place = path.relative_to(SOURCE).as_posix()
        if place.startswith("remote/"):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                yield from ((place, word) for word in words_of(node, place))


def words_of(call: ast.Call, place: str) -> list[ast.expr]:
    function = call.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    if isinstance(function, ast.Attribute) and name in ("get", "find"):
        owner = ast.unparse(function.value)
        is_scope = re.search(r"\b_?scope$", owner) or (owner == "there" and place.startswith("workers/"))
        return call.args[:1] if is_scope else []
    if name in ("variable", "read_option", "option_variable") and not isinstance(function, ast.Attribute):
        return call.args[1:2]
    if name == "check_program":
        return call.args[:1]
    reads_names = name == "variable" or (name in ("read", "_read") and place in WITH_READ)
    return list(call.args) if reads_names else []


def named_in_expressions() -> Iterator[tuple[str, str]]:
    """Yield the names in expressions that our code has evaluated: `ansible_x | default(…)`, `hostvars[…].ansible_x`."""
    for path in sorted(SOURCE.rglob("*.py")):
        place = path.relative_to(SOURCE).as_posix()
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and not place.startswith("remote/"):
                found = re.findall(r"(?<=[\])}]\.)(ansible_\w+)|\b(ansible_\w+)(?= \| default\()", node.value)
                yield from ((place, name) for pair in found for name in pair if name and not name.endswith("_"))


def names() -> Iterator[tuple[str, str]]:
    """Yield the names that calls spell, made whole where a method or a program's name is a part of them."""
    for place, word in calls():
        if isinstance(word, ast.Constant) and isinstance(word.value, str):
            yield place, word.value
        elif isinstance(word, ast.JoinedStr):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in word.values)
            fillers = BECOME_METHODS if "_{}_" in text and "interpreter" not in text else ("ruby",)
            if text.startswith("ansible_{}") and text.count("{}") == 1 and text.endswith("{}"):
                fillers = ("pkg_mgr", "service_mgr")
            yield from ((place, text.replace("{}", filler)) for filler in fillers)


READ_BY_NAME = sorted({(place, name) for place, name in (*names(), *named_in_expressions()) if "ansible" in name})


def test_reads_of_names_that_are_not_spelled_are_known() -> None:
    unseen = {place for place, word in calls() if not isinstance(word, (ast.Constant, ast.JoinedStr))}
    assert unseen == set(GENERAL)


def test_calls_are_seen() -> None:
    assert {
        *("ansible_facts_modules", "ansible_async_dir", "ansible_inject_invocation", "ansible_ssh_executable"),
        *("ansible_become_exe", "ansible_sudo_flags", "ansible_paramiko_proxy_command"),
        *("ansible_interpreter_python_fallback", "ansible_pkg_mgr", "ansible_service_mgr"),
    } <= {name for _, name in READ_BY_NAME}


@pytest.mark.parametrize(("place", "name"), READ_BY_NAME)
def test_every_read_is_in_the_table(place: str, name: str) -> None:
    assert set_by(name) is not None, f"{place} reads {name}: say in source/reads.py who may set it"


def option_names() -> Iterator[str]:
    """Yield every variable that is an option of something: of ours, or of Ansible's plugins."""
    yield from NAMES
    for names_of_paramiko in _OF_PARAMIKO.values():
        yield from names_of_paramiko
    for engine in ALL:
        yield from (*engine.hosts, *engine.users, *engine.shells)
        for row in engine.options:
            yield from row.variables
    for option in PLUGIN_OPTIONS:
        yield from option.variables
    for row in (*SETTINGS, *FOREIGN):
        yield from row.variables
    for file in ("ansible_connection_options.json", "ansible_engine_options.json"):
        for entry in json.loads((WORKERS / file).read_text()):
            yield from entry["vars"]


OPTIONS = sorted(set(option_names()))


def test_options_are_seen() -> None:
    assert len(OPTIONS) > 150
    assert {"ansible_podman_executable", "ansible_chroot_exe", "ansible_kubectl_kubeconfig"} <= set(OPTIONS)


@pytest.mark.parametrize("name", OPTIONS)
def test_no_fact_is_an_option(name: str) -> None:
    assert not may_be_injected(name)


@pytest.mark.parametrize("name", sorted({*MAGIC, *HOST_MAGIC, *FALLBACKS, *reads.NEVER}))
def test_no_fact_is_what_pyplay_says_itself(name: str) -> None:
    assert not may_be_injected(name)


@given(st.sampled_from(reads.FAMILIES), st.from_regex(r"[a-z][a-z_]{0,12}", fullmatch=True))
def test_no_fact_is_an_option_of_a_known_plugin(family: str, option: str) -> None:
    name = f"ansible_{family}_{option}"
    assert may_be_injected(name) is name.startswith("ansible_ssh_host_key_")


FACTS = Path(__file__).parents[2] / "src/pyplay/remote/module_utils/facts/collect.py"


@pytest.mark.parametrize(
    "name",
    [
        *("ansible_python_version", "ansible_distribution", "ansible_default_ipv4", "ansible_local", "ansible_pkg_mgr"),
        *("ansible_service_mgr", "ansible_ssh_host_key_ed25519_public", "ansible_user_id", "ansible_user_dir"),
        *("ansible_virtualization_type", "ansible_python", "ansible_selinux", "ansible_system", "ansible_lsb"),
        *("ansible_env", "ansible_eth0", "ansible_lvm", "ansible_net_hostname", "ansible_network_resources"),
        *("services", "packages", "my_app", "ansible_my_app", "docker_container", "ansible_is_chroot"),
    ],
)
def test_facts_of_playbooks_stay_variables(name: str) -> None:
    assert may_be_injected(name)


def test_what_setup_says_stays_a_variable() -> None:
    table = re.findall(r'^    \("(\w+)", "', FACTS.read_text(), re.MULTILINE)
    assert len(table) > 20
    assert [name for name in table if not may_be_injected(f"ansible_{name}")] == []


DATA: list[Any] = ["x", ["x"], {"a": "x"}, [SourceList(["x"]), "x"]]
WRITTEN: list[Any] = [Trusted("x"), "", 3, True, None, [], SourceList(["x"]), SourceMap({"a": "x"}), [1, 2]]


@pytest.mark.parametrize("value", DATA)
def test_text_of_no_user_is_data(value: object) -> None:
    assert is_data(value)
    with pytest.raises(OptionsError, match="ansible_ssh_args"):
        check_words("ansible_ssh_args", value)
    check_words("ansible_host", value)
    check_words("my_own", value)


@pytest.mark.parametrize("value", WRITTEN)
def test_what_a_user_wrote_is_none(value: object) -> None:
    assert not is_data(value)
    check_words("ansible_ssh_args", value)


PROGRAMS = re.compile(r"exe$|executable$|_args$|flags$|command$|_file$|_cert$|_key$|kubeconfig$|provider$|method$")
"""Options that choose programs, words for them, or files here."""


@pytest.mark.parametrize(
    "name", [name for name in OPTIONS if PROGRAMS.search(name) and not name.endswith("private_key")]
)
def test_what_chooses_programs_and_files_takes_what_users_wrote(name: str) -> None:
    assert set_by(name) is By.USERS


@pytest.mark.parametrize("name", ["ansible_host", "ansible_user", "ansible_port", "ansible_password", "ansible_become",
                                  "ansible_ssh_user", "ansible_kubectl_pod", "ansible_docker_user"])  # fmt: skip
def test_where_and_as_whom_may_come_from_data(name: str) -> None:
    assert set_by(name) is By.PLAYBOOKS
