"""Every option of Ansible's ssh, local, sudo and su plugins, under each of its names: it takes effect, or says why not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from bench import make_task

from pyplay.source.catalogue import find_row
from pyplay.source.options import RunOptions
from pyplay.source.plugin_settings import PLUGIN_OPTIONS
from pyplay.source.settings import load_settings
from pyplay.source.text import Trusted
from pyplay.workers.connection_options import OptionReader
from pyplay.workers.destinations import Destinations
from pyplay.workers.option_words import defined_names

if TYPE_CHECKING:
    from bench import Bench

    from pyplay.workers.connection_options import Destination

KNOWN: list[dict[str, Any]] = json.loads((Path(__file__).parent / "ansible_connection_options.json").read_text())
"""What `ansible-doc` of ansible-core 2.21 tells of the plugins: the names of options, and those that set each."""

DOCS = (Path(__file__).parents[2] / "docs" / "connections.md").read_text("utf-8")

# option → (text that sets it, where it is found, what is found there)
EFFECTS: dict[str, tuple[str, str, Any]] = {
    "connection.ssh.host": ("203.0.113.9", "connection.address", "203.0.113.9"),
    "connection.ssh.host_key_checking": ("no", "connection.host_key_checking", False),
    "connection.ssh.password": ("pw", "connection.password", "pw"),
    "connection.ssh.pkcs11_provider": ("/lib/p.so", "connection.pkcs11_provider", "/lib/p.so"),
    "connection.ssh.port": ("2222", "connection.port", 2222),
    "connection.ssh.private_key": ("-----BEGIN", "connection.private_key", "-----BEGIN"),
    "connection.ssh.private_key_file": ("/k/id", "connection.private_key_file", "/k/id"),
    "connection.ssh.private_key_passphrase": ("pass phrase", "connection.passphrase", "pass phrase"),
    "connection.ssh.reconnection_retries": ("3", "connection.retries", 3),
    "connection.ssh.remote_user": ("ops", "connection.user", "ops"),
    "connection.ssh.ssh_args": ("-C", "connection.ssh_args", "-C"),
    "connection.ssh.ssh_common_args": ("-J b", "connection.ssh_common_args", "-J b"),
    "connection.ssh.ssh_executable": ("/opt/ssh", "connection.ssh_executable", "/opt/ssh"),
    "connection.ssh.ssh_extra_args": ("-4", "connection.ssh_extra_args", "-4"),
    "connection.ssh.timeout": ("42", "connection.timeout", 42.0),
    "connection.local.become_success_timeout": ("17", "become.timeout", 17.0),
    **{
        f"become.{method}.{option}": row
        for method in ("sudo", "su")
        for option, row in {
            "become_exe": ("/opt/it", "become.exe", "/opt/it"),
            "become_flags": ("-E", "become.flags", "-E"),
            "become_pass": ("secret", "become.password", "secret"),
            "become_user": ("app", "become.user", "app"),
        }.items()
    },
    "become.sudo.sudo_chdir": ("/srv", "become.chdir", "/srv"),
    "become.su.prompt_l10n": ("Geheim", "become.prompts", ("Geheim",)),
}
IDLE = frozenset(
    {
        "connection.local.become_strip_preamble", "connection.local.pipelining",
        *(f"connection.ssh.{name}" for name in (
            "control_path", "control_path_dir", "password_mechanism", "pipelining", "scp_executable", "scp_extra_args",
            "sftp_batch_mode", "sftp_executable", "sftp_extra_args", "ssh_transfer_method", "sshpass_prompt", "use_tty",
            "verbosity",
        )),
    }
)  # fmt: skip
UNSETTABLE = "inventory_hostname"  # a name of the host, no variable that sets anything


def spellings() -> list[Any]:
    """Give (option, kind of name, name) for every name of every option."""
    return [
        pytest.param(known["option"], kind, name, id=f"{known['option']}-{kind}-{name}")
        for known in KNOWN
        for kind in ("vars", "env", "ini", "cli", "keyword")
        for name in known[kind]
        if known["option"] in EFFECTS and name != UNSETTABLE
    ]


def destination(
    bench: Bench,
    option: str,
    given: dict[str, Any],
    words: str = "",
    known: Destinations | None = None,
    **options: Any,
) -> Destination:
    """Read where a task runs that becomes another user over the plugin's connection; `known` are those read before."""
    known = Destinations() if known is None else known
    type_, plugin, _ = option.split(".")
    bench.base = {}
    bench.variables = {"ansible_connection": plugin if type_ == "connection" else "ssh", **given.get("vars", {})}
    method = plugin if type_ == "become" else "sudo"
    words += "\nbecome_user: somebody-else" if plugin == "local" else ""
    task = make_task(f"ping:\nbecome: true\nbecome_method: {method}\n{words}")
    config = Path(bench.basedir, "ansible.cfg")
    config.write_text(given.get("ini", ""))
    environ = {"ANSIBLE_CONFIG": str(config), "HOME": "/nonexistent", **given.get("env", {})}
    templar = bench.templar("h1", bench.play, task)
    settings = load_settings(environ, bench.basedir)
    defined = defined_names(templar.scope, {})
    return known.read(OptionReader("h1", templar, task, RunOptions(**options), settings, defined=defined))


def found(where: Destination, path: str) -> Any:
    """Give the part of a destination that `path` names."""
    part, name = path.split(".")
    return getattr(getattr(where, part), name)


@pytest.mark.parametrize(("option", "kind", "name"), spellings())
def test_a_name_takes_effect(bench: Bench, option: str, kind: str, name: str) -> None:
    text, path, expected = EFFECTS[option]
    if kind == "vars":
        template = Trusted(f"{{{{ '{text[:2]}' ~ '{text[2:]}' }}}}")
        where = destination(bench, option, {"vars": {name: template}})
    elif kind == "ini":
        section, _, key = name.partition(".")
        where = destination(bench, option, {"ini": f"[{section}]\n{key} = {text}\n"})
    elif kind == "env":
        where = destination(bench, option, {"env": {name: text}})
    elif kind == "cli":
        value = int(text) if name == "timeout" else text
        where = destination(bench, option, {}, **{name: value})
    else:
        where = destination(bench, option, {}, f"{name}: \"{{{{ '{text[:2]}' ~ '{text[2:]}' }}}}\"")
    assert found(where, path) == expected
    assert found(destination(bench, option, {}), path) != expected  # by nothing but that name


def test_a_variable_may_change_from_task_to_task(bench: Bench) -> None:
    read = Destinations()
    for known in KNOWN:
        option = known["option"]
        for name in known["vars"] if option in EFFECTS else ():
            text, path, expected = EFFECTS[option]
            if name != UNSETTABLE:
                before = destination(bench, option, {"vars": {name: None}}, known=read)
                after = destination(bench, option, {"vars": {name: text}}, known=read)
                assert (name, found(before, path) == expected, found(after, path)) == (name, False, expected)


KEYWORDS = (
    "become_user: app",
    "become_method: su",
    "become_flags: -E",
    "become_exe: /x",
    "remote_user: ops",
    "port: 2",
    "connection: local",
)


@pytest.mark.parametrize("words", KEYWORDS)
def test_a_keyword_counts_for_its_task_alone(bench: Bench, words: str) -> None:
    bench.base = {}
    read, texts = Destinations(), ("ping:\nbecome: true", f"ping:\nbecome: true\n{words}", "ping:")

    def where(text: str, known: Destinations) -> Destination:
        task = make_task(text)
        templar = bench.templar("h1", bench.play, task)
        return known.read(OptionReader("h1", templar, task, RunOptions(), bench.settings, defined=set()))

    again = [where(text, read) for text in texts * 2]
    assert again == [where(text, Destinations()) for text in texts * 2]
    assert len(set(again)) == 3
    assert again[0] is again[3]


def test_what_templates_give_is_read_anew(bench: Bench) -> None:
    read = Destinations()
    for port in (1, 2):
        bench.variables["nr"] = port
        given = {"vars": {"ansible_port": Trusted("{{ nr }}"), "nr": port}}
        assert destination(bench, "connection.ssh.port", given, known=read).connection.port == port


def test_every_option_takes_effect_or_has_a_reason() -> None:
    assert {known["option"] for known in KNOWN} == EFFECTS.keys() | IDLE
    assert not EFFECTS.keys() & IDLE


@pytest.mark.parametrize("option", sorted(IDLE))
def test_what_has_nothing_left_to_do_says_why(option: str) -> None:
    rows = [
        row for known in PLUGIN_OPTIONS if f"{known.type}.{known.plugin}.{known.name}" == option for row in known.rows
    ]
    assert all(row.idle for row in rows)
    known = next(known for known in KNOWN if known["option"] == option)
    assert rows or not known["env"]
    for name in known["vars"]:
        assert f"`{name}`" in DOCS


@pytest.mark.parametrize("option", sorted(EFFECTS))
def test_the_configuration_knows_the_settings_of_an_option(option: str) -> None:
    known = next(known for known in KNOWN if known["option"] == option)
    rows = [row for each in PLUGIN_OPTIONS if f"{each.type}.{each.plugin}.{each.name}" == option for row in each.rows]
    assert set(known["env"]) <= {name for row in rows for name in row.env}
    assert set(known["ini"]) <= {".".join(place) for row in rows for place in row.ini}
    assert not any(row.idle for row in rows)


def test_secrets_are_known_as_such() -> None:
    for name in ("ANSIBLE_BECOME_PASS", "ANSIBLE_SUDO_PASS", "ANSIBLE_PRIVATE_KEY", "ANSIBLE_PRIVATE_KEY_PASSPHRASE"):
        row = next(row for each in PLUGIN_OPTIONS for row in each.rows if name in row.env)
        assert row.secret
    assert find_row("DEFAULT_REMOTE_USER").secret is False
