"""Where and as whom a task runs: variables over keywords over command line over settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from bench import make_task

from pyplay.connection.base import BecomeOptions
from pyplay.diagnostics.errors import BecomeError, OptionsError
from pyplay.source.options import RunOptions
from pyplay.source.settings import load_settings
from pyplay.source.text import Trusted
from pyplay.workers.connection_options import OptionReader
from pyplay.workers.option_words import defined_names

if TYPE_CHECKING:
    from bench import Bench

    from pyplay.workers.connection_options import Destination


def read(
    bench: Bench, text: str = "ping:", *, delegated: bool = False, environ: dict[str, str] | None = None,
    options: RunOptions | None = None, **variables: Any,
) -> Destination:  # fmt: skip
    bench.base = {}
    bench.variables = variables
    task = make_task(text)
    settings = load_settings(environ or {}, bench.basedir)
    templar = bench.templar("h1", bench.play, task)
    return OptionReader(
        "h1",
        templar,
        task,
        options or RunOptions(),
        settings,
        defined=defined_names(templar.scope, {}),
        delegated=delegated,
    ).destination()


USER = [
    ({"environ": {"ANSIBLE_REMOTE_USER": "setting"}}, "setting"),
    ({"options": RunOptions(user="cli")}, "cli"),
    ({"text": 'ping:\nremote_user: \'{{ "key" ~ "word" }}\''}, "keyword"),
    ({"ansible_user": "variable"}, "variable"),
    ({"ansible_ssh_user": "specific"}, "specific"),
]


@pytest.mark.parametrize("level", range(1, len(USER)))
def test_each_level_beats_the_one_before(bench: Bench, level: int) -> None:
    given: dict[str, Any] = {}
    for values, _ in USER[: level + 1]:
        given.update(values)
    assert read(bench, **given).connection.user == USER[level][1]


@pytest.mark.parametrize(
    ("given", "field", "expected"),
    [
        ({}, "kind", "ssh"),
        ({}, "address", "h1"),
        ({"ansible_host": "10.0.0.1"}, "address", "10.0.0.1"),
        ({"ansible_port": "2222"}, "port", 2222),
        ({"text": "ping:\nport: 23"}, "port", 23),
        ({"text": "ping:\nport: 23", "delegated": True}, "port", None),
        ({"ansible_connection": "paramiko"}, "kind", "ssh"),
        ({"ansible_connection": "ansible.builtin.local"}, "kind", "local"),
        ({"text": "ping:\nconnection: local"}, "kind", "local"),
        ({"options": RunOptions(connection="local")}, "kind", "local"),
        ({"ansible_ssh_pass": "p"}, "password", "p"),
        ({"options": RunOptions(connection_password="q")}, "password", "q"),
        ({"ansible_ssh_private_key_file": "/k"}, "private_key_file", "/k"),
        ({"options": RunOptions(private_key_file="/c")}, "private_key_file", "/c"),
        ({"ansible_ssh_common_args": "-o A=b"}, "ssh_common_args", "-o A=b"),
        ({"options": RunOptions(ssh_extra_args="-v")}, "ssh_extra_args", "-v"),
        ({"environ": {"ANSIBLE_HOST_KEY_CHECKING": "false"}}, "host_key_checking", False),
        (
            {"ansible_host_key_checking": "yes", "environ": {"ANSIBLE_HOST_KEY_CHECKING": "false"}},
            "host_key_checking",
            True,
        ),
        ({"options": RunOptions(timeout=3)}, "timeout", 3.0),
        ({"ansible_ssh_timeout": 4}, "timeout", 4.0),
        ({"ansible_shell_executable": "/bin/bash"}, "shell_executable", "/bin/bash"),
        ({"ansible_paramiko_user": "p"}, "user", None),
        ({"ansible_connection": "ssh", "ansible_paramiko_proxy_command": "nc %h %p"}, "ssh_extra_args", ""),
    ],
)
def test_connection(bench: Bench, given: dict[str, Any], field: str, expected: Any) -> None:
    assert getattr(read(bench, **given).connection, field) == expected


@pytest.mark.parametrize(
    ("name", "value", "field", "expected"),
    [
        ("host", "10.0.0.9", "address", "10.0.0.9"),
        ("port", 23, "port", 23),
        ("user", "p", "user", "p"),
        ("pass", "s", "password", "s"),
        ("password", "s", "password", "s"),
        ("private_key_file", "/p", "private_key_file", "/p"),
        ("host_key_checking", "no", "host_key_checking", False),
        ("timeout", 7, "timeout", 7.0),
        ("proxy_command", "nc %h %p", "ssh_extra_args", " -o 'ProxyCommand=nc %h %p'"),
    ],
)
@pytest.mark.parametrize("kind", ["paramiko", "paramiko_ssh", "ansible.builtin.paramiko_ssh"])
def test_ssh_does_paramikos_job_by_its_variables(
    bench: Bench, kind: str, name: str, value: Any, field: str, expected: Any
) -> None:
    usual = {"ansible_host": "h", "ansible_port": 1, "ansible_user": "u", "ansible_password": "w", "ansible_timeout": 2}
    found = read(bench, ansible_connection=kind, **usual, **{f"ansible_paramiko_{name}": value}).connection
    assert (found.kind, getattr(found, field)) == ("ssh", expected)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, None),
        ({"text": "ping:\nbecome: true"}, BecomeOptions()),
        (
            {"options": RunOptions(become=True, become_user="cli", become_password="p")},
            BecomeOptions(user="cli", password="p"),
        ),
        ({"options": RunOptions(become=True), "text": "ping:\nbecome: false"}, None),
        ({"text": "ping:\nbecome: false", "ansible_become": "yes"}, BecomeOptions()),
        (
            {"text": "ping:\nbecome: true\nbecome_user: key", "options": RunOptions(become_user="cli")},
            BecomeOptions(user="key"),
        ),
        ({"text": "ping:\nbecome: true\nbecome_user: key", "ansible_become_user": "var"}, BecomeOptions(user="var")),
        (
            {"text": "ping:\nbecome: true", "ansible_become_pass": "a", "ansible_become_password": "b"},
            BecomeOptions(password="a"),
        ),
        (
            {"text": "ping:\nbecome: true\nbecome_method: ansible.builtin.su", "ansible_su_user": "s"},
            BecomeOptions(method="su", user="s"),
        ),
        ({"text": "ping:\nbecome: true\nbecome_flags: -H\nbecome_exe: /s"}, BecomeOptions(flags="-H", exe="/s")),
        ({"environ": {"ANSIBLE_BECOME": "true", "ANSIBLE_BECOME_USER": "set"}}, BecomeOptions(user="set")),
        (
            {"text": "ping:\nbecome: true", "ansible_sudo_chdir": "/v", "environ": {"ANSIBLE_SUDO_CHDIR": "/e"}},
            BecomeOptions(chdir="/v"),
        ),
        ({"text": "ping:\nbecome: true", "environ": {"ANSIBLE_SUDO_CHDIR": "/e"}}, BecomeOptions(chdir="/e")),
        (
            {"text": "ping:\nbecome: true\nbecome_method: su", "ansible_sudo_chdir": "/v"},
            BecomeOptions(method="su"),
        ),
        (
            {
                "text": "ping:\nbecome: true",
                "environ": {
                    "ANSIBLE_SUDO_EXE": "/s",
                    "ANSIBLE_SUDO_FLAGS": "-E",
                    "ANSIBLE_SUDO_USER": "own",
                    "ANSIBLE_SU_EXE": "/other",
                    "ANSIBLE_BECOME_USER": "set",
                    "ANSIBLE_BECOME_FLAGS": "-n",
                },
            },
            BecomeOptions(user="own", exe="/s", flags="-E"),
        ),
    ],
)
def test_become(bench: Bench, given: dict[str, Any], expected: BecomeOptions | None) -> None:
    assert read(bench, **given).become == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [({}, None), ({"ansible_python_interpreter": "auto_silent"}, None), ({"ansible_python_interpreter": "/p"}, "/p"),
     ({"environ": {"ANSIBLE_PYTHON_INTERPRETER": "/s"}}, "/s"),
     ({"environ": {"ANSIBLE_PYTHON_INTERPRETER": "/s"}, "ansible_python_interpreter": Trusted("{{ omit }}")}, None)],
)  # fmt: skip
def test_interpreter(bench: Bench, given: dict[str, Any], expected: str | None) -> None:
    assert read(bench, **given).interpreter == expected


def test_connection_variables_may_be_omitted(bench: Bench) -> None:
    found = read(bench, ansible_user=Trusted("{{ omit }}"), ansible_port=Trusted("{{ omit }}"))
    assert found == read(bench)


def test_the_shell_of_hosts_may_be_set(bench: Bench) -> None:
    assert read(bench, environ={"ANSIBLE_EXECUTABLE": "/bin/bash"}).connection.shell_executable == "/bin/bash"
    assert read(bench).connection.shell_executable == "/bin/sh"


def test_local_connections_are_all_the_same(bench: Bench) -> None:
    assert read(bench, ansible_connection="local", ansible_host="a") == read(
        bench, ansible_connection="local", ansible_user="b"
    )


def test_a_connection_that_we_do_not_have_is_refused(bench: Bench) -> None:
    with pytest.raises(OptionsError, match="h1: connection 'winrm' is not supported"):
        read(bench, ansible_connection="winrm")


@pytest.mark.parametrize(
    ("given", "becomes"),
    [
        pytest.param({"ansible_user": "root"}, False, id="the login user is nobody to become"),
        pytest.param({"ansible_user": "ops"}, True, id="another user"),
        pytest.param({}, True, id="a login user that is not known"),
        pytest.param({"ansible_user": "root", "environ": {"ANSIBLE_BECOME_ALLOW_SAME_USER": "1"}}, True, id="allowed"),
        pytest.param({"ansible_user": "ops", "ansible_become_user": "ops"}, False, id="the same other user"),
    ],
)
def test_becoming_the_login_user_is_left_out(bench: Bench, given: dict[str, Any], becomes: bool) -> None:  # noqa: FBT001
    assert (read(bench, "ping:\nbecome: true", **given).become is not None) is becomes


def test_a_become_method_that_is_not_there_is_a_fault_even_for_the_login_user(bench: Bench) -> None:
    with pytest.raises(BecomeError, match="unknown become method"):
        read(bench, "ping:\nbecome: true\nbecome_method: nope", ansible_user="root")
