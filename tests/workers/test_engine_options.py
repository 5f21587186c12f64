"""Hosts in containers, pods and roots: from variables to the exact words of each engine, and what each name does."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from bench import Bench, make_task
from standins import stand_in

from pyplay.connection.engine import PRIVATE, Target
from pyplay.connection.engines import ALL, ENGINES
from pyplay.diagnostics.errors import AuthorError
from pyplay.source.options import RunOptions
from pyplay.workers.connection_options import OptionReader
from pyplay.workers.option_words import defined_names

if TYPE_CHECKING:
    from pyplay.connection.base import ConnectionOptions
    from pyplay.connection.engine import Engine, Entry
    from pyplay.workers.connection_options import Destination

KNOWN: list[dict[str, Any]] = json.loads((Path(__file__).parent / "ansible_engine_options.json").read_text())
"""What `ansible-doc` of the package `ansible` 14 tells of the plugins: the names of options, and those that set each."""

COMMON = {
    *("inventory_hostname", "ansible_host", "ansible_user", "ANSIBLE_REMOTE_USER", "defaults.remote_user"),
    *("ANSIBLE_TIMEOUT", "defaults.timeout", "ANSIBLE_EXECUTABLE", "defaults.executable"),
}
"""Names that every connection has, or that `engine_options` gets from the others."""

IDLE = ("tls_hostname", "disable_root_check")
"""What has nothing left to do, as the documentation says."""

DOCS = (Path(__file__).parents[2] / "docs" / "connections.md").read_text("utf-8")


def read(bench: Bench, text: str = "ping:", options: RunOptions | None = None, **variables: Any) -> Destination:
    bench.base = {}
    bench.variables = variables
    task = make_task(text)
    templar = bench.templar("h1", bench.play, task)
    return OptionReader(
        "h1", templar, task, options or RunOptions(), bench.settings, defined=defined_names(templar.scope, {})
    ).destination()


def enter(options: ConnectionOptions, *, pty: bool = False) -> Entry:
    given = dict(options.engine_options)
    return ENGINES[options.kind].entry(Target(address=options.address, user=options.user, options=given, pty=pty))


NSPAWN = "systemd-nspawn --quiet --as-pid2 --register=no --keep-unit --console=pipe"
WORDS: list[tuple[str, dict[str, Any], str]] = [
    ("docker", {}, "docker exec -i h1"),
    ("community.docker.docker", {"ansible_host": "web"}, "docker exec -i web"),
    ("community.docker.docker", {"ansible_host": "no", "ansible_docker_host": "web"}, "docker exec -i web"),
    ("docker", {"ansible_user": "bob"}, "docker exec -i -u bob h1"),
    ("docker", {"ansible_user": "no", "ansible_docker_user": "bob"}, "docker exec -i -u bob h1"),
    (
        "docker",
        {"ansible_docker_extra_args": "-H tcp://x:1", "ansible_docker_working_dir": "/w", "ansible_docker_privileged": "yes"},
        "docker -H tcp://x:1 exec -i --privileged -w /w h1",
    ),
    ("docker", {"ansible_docker_extra_env": {"A": "b c"}}, "docker exec -i -e A h1"),
    (
        "community.docker.docker_api",
        {"ansible_docker_docker_host": "tcp://x:1", "ansible_docker_tls": True, "ansible_docker_ca_path": "/ca.pem"},
        "docker --host=tcp://x:1 --tlscacert=/ca.pem --tls exec -i h1",
    ),
    ("podman", {"ansible_user": "bob"}, "podman exec -i --user bob h1"),
    (
        "containers.podman.podman",
        {"ansible_podman_executable": "/opt/podman", "ansible_podman_extra_args": "--log-level debug"},
        "/opt/podman --log-level debug exec -i h1",
    ),
    ("containers.podman.buildah", {"ansible_user": "bob"}, "buildah run --terminal=false --user bob h1 --"),
    ("community.general.lxd", {}, "lxc exec --force-noninteractive local:h1 --"),
    (
        "lxd",
        {"ansible_lxd_project": "p", "ansible_lxd_remote": "r", "ansible_user": "root"},
        "lxc --project p exec --force-noninteractive r:h1 --",
    ),
    (
        "community.general.incus",
        {"ansible_incus_host": "web", "ansible_user": "bob"},
        "incus exec --force-noninteractive local:web -- /bin/su -s /bin/sh bob -c 'exec \"$0\" \"$@\"'",
    ),
    ("community.general.lxc", {"ansible_lxc_host": "web"}, "lxc-attach --name web --clear-env --"),
    (
        "community.libvirt.libvirt_lxc",
        {"ansible_libvirt_lxc_noseclabel": True},
        "virsh -q -c lxc:/// lxc-enter-namespace --noseclabel h1 --",
    ),
    ("chroot", {"ansible_host": "/srv/root", "ansible_user": "bob"}, "chroot /srv/root"),
    ("community.general.chroot", {"ansible_chroot_exe": "/sbin/chroot"}, "/sbin/chroot h1"),
    (
        "nspawn",
        {"ansible_host": "/srv/root", "ansible_user": "bob", "ansible_nspawn_extra_args": "--bind=/mnt"},
        f"{NSPAWN} --directory=/srv/root --user=bob --bind=/mnt --",
    ),
    (
        "nspawn",
        {"ansible_host": "debian"},
        f"{NSPAWN} --machine=debian --",
    ),
    (
        "machinectl",
        {"ansible_host": "m1", "ansible_user": "bob"},
        "systemd-run --machine=m1 --quiet --collect --wait --pipe --uid=bob --",
    ),
    ("jail", {"ansible_user": "bob"}, "jexec -U bob h1"),
    ("community.general.iocage", {"ansible_iocage_host": "web.1"}, "jexec ioc-web_1"),
    (
        "community.docker.nsenter",
        {"ansible_nsenter_pid": 7},
        "nsenter --ipc --mount --net --pid --uts --preserve-credentials --target=7 --",
    ),
    ("kubernetes.core.kubectl", {"ansible_user": "bob"}, "kubectl exec -i h1 --"),
    (
        "kubectl",
        {
            "ansible_kubectl_pod": "web-0", "ansible_kubectl_namespace": "ns", "ansible_kubectl_container": "c",
            "ansible_kubectl_context": "cx", "ansible_kubectl_kubeconfig": "/kc", "ansible_kubectl_host": "https://k",
            "ansible_kubectl_verify_ssl": False,
        },
        (
            "kubectl --namespace=ns --context=cx --server=https://k --kubeconfig=/kc --insecure-skip-tls-verify=true "
            "exec -i web-0 -c c --"
        ),
    ),
    ("kubectl", {"ansible_kubectl_token": "t"}, "kubectl --user=pyplay exec -i h1 --"),
    ("community.okd.oc", {"ansible_oc_pod": "web-0", "ansible_oc_namespace": "ns"}, "oc --namespace=ns exec -i web-0 --"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "variables", "words"), WORDS)
def test_words(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, variables: dict[str, Any], words: str
) -> None:
    """The words are those expected, and a program that wants exactly them runs a task."""
    found = enter(read(bench, ansible_connection=kind, **variables).connection)
    if 'exec "$0"' in words:
        assert " ".join(found.words[:-1]) + f" '{found.words[-1]}'" == words
        return
    assert " ".join(found.words) == words
    program, *rest = found.words
    if program.startswith("/"):
        return
    environment = {name: value for name, value in found.environment.items() if PRIVATE not in value}
    stand_in(tmp_path / "bin", program, rest, environment=environment)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    bench.variables = {**bench.variables, "ansible_connection": kind, "ansible_python_interpreter": "/usr/bin/python3"}
    assert bench.run("ping:").result.get("ping") == "pong"


TERMINAL = [
    ("docker", "-t"), ("podman", "-t"), ("buildah", "--terminal=true"), ("lxd", "--force-interactive"),
    ("kubectl", "-t"), ("oc", "-t"), ("nspawn", "--console=interactive"), ("machinectl", "--pty"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "word"), TERMINAL)
def test_a_terminal_is_asked_for(bench: Bench, kind: str, word: str) -> None:
    connection = read(bench, ansible_connection=kind).connection
    assert word in enter(connection, pty=True).words
    assert word not in enter(connection).words


TASKS = """
- raw: echo $PWD $0
  register: line
- command: cat
  args: {stdin: in}
- copy: {content: "text", dest: "{{ there }}/copied"}
- fetch: {src: "{{ there }}/copied", dest: "{{ there }}/fetched", flat: true}
- script: s.sh
- setup: {gather_subset: "!all"}
"""


def test_every_kind_of_task_goes_through(bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path / "bin", "podman", ["exec", "-i", "h1"])
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    (tmp_path / "s.sh").write_text("#!/bin/sh\necho script\n")
    bench.base = {"inventory_hostname": "h1"}
    bench.variables = {"ansible_connection": "podman", "there": str(tmp_path)}
    raw, command, copy, fetch, script, setup = (found.result for found in bench.run_all(TASKS))
    assert raw["stdout"].split() == [str(Path.cwd()), "/bin/sh"]
    assert (command["stdout"], copy["changed"], script["stdout"]) == ("in", True, "script\n")
    assert (tmp_path / "fetched").read_text() == "text"
    assert fetch["changed"]
    assert setup["ansible_facts"]["ansible_system"] == os.uname().sysname


@pytest.mark.skipif(shutil.which("rsync") is None, reason="rsync is not installed")
def test_rsync_starts_its_other_half_through_the_engine(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(tmp_path / "bin", "docker", ["exec", "-i", "-e", "A", "h1"], environment={"A": "1"})
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    bench.variables = {"ansible_connection": "docker", "ansible_docker_extra_env": {"A": 1}}
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "a b'c").write_text("1")
    push = f"synchronize: {{src: tree/, dest: {tmp_path}/there/}}"
    pull = f'synchronize: {{src: "{tmp_path}/there/a b\'c", dest: {tmp_path}/back, mode: pull}}'
    assert [bench.run(text).changed for text in (push, push, pull)] == [True, False, True]
    assert (tmp_path / "back").read_text() == "1"


def test_rsync_takes_no_token(bench: Bench) -> None:
    bench.variables = {"ansible_connection": "kubectl", "ansible_kubectl_token": "t"}
    found = bench.run("synchronize: {src: /tmp/, dest: /x/}")
    assert "synchronize cannot log in to the engine with a token" in found.result["msg"]


def test_a_container_that_is_gone_is_unreachable(bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path / "bin", "docker", ["exec", "-i", "h1"], fault="Error: No such container: h1")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    bench.variables = {"ansible_connection": "docker"}
    for task in ("ping:", "raw: echo"):
        found = bench.run(task)
        assert found.unreachable
        assert found.result["msg"].endswith("there: Error: No such container: h1")


def test_a_container_that_stops_between_tasks_is_unreachable_from_then_on(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped, group = tmp_path / "stopped", tmp_path / "group"
    (tmp_path / "docker").write_text(
        f'#!/bin/sh\n[ -e {stopped} ] && {{ echo "web is not running" >&2; exit 1; }}\n'
        f'echo $$ > {group}; shift 3; exec "$@"\n'
    )
    (tmp_path / "docker").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    bench.variables = {"ansible_connection": "docker"}
    stop = f"'touch {stopped}; (sleep 0.2; kill -9 -$(cat {group})) >/dev/null 2>&1 &'"
    wait = "wait_for: {timeout: 1}\n  delegate_to: here\n  vars: {ansible_connection: local}"
    before, last = bench.run_all(f"- shell: {stop}\n- {wait}\n- ping:")[::2]
    assert not before.failed
    assert last.unreachable
    assert last.result["msg"].endswith("docker starts no /bin/sh there: web is not running")


@pytest.mark.parametrize(
    ("level", "user"),
    [
        pytest.param({"options": RunOptions(user="cli")}, "cli", id="command line"),
        pytest.param({"options": RunOptions(user="cli"), "text": "ping:\nremote_user: key"}, "key", id="keyword"),
        pytest.param({"text": "ping:\nremote_user: key", "ansible_user": "var"}, "var", id="variable"),
        pytest.param({"ansible_user": "var", "ansible_docker_user": "own"}, "own", id="the engine's variable"),
    ],
)
def test_the_user(bench: Bench, level: dict[str, Any], user: str) -> None:
    assert read(bench, ansible_connection="docker", **level).connection.user == user


@pytest.mark.parametrize(
    ("variables", "becomes"),
    [
        pytest.param({"ansible_connection": "lxd"}, False, id="lxd is root"),
        pytest.param({"ansible_connection": "lxd", "ansible_user": "bob"}, True, id="lxd as somebody else"),
        pytest.param({"ansible_connection": "chroot"}, False, id="chroot is root"),
        pytest.param({"ansible_connection": "docker"}, True, id="nobody knows an image's user"),
        pytest.param({"ansible_connection": "docker", "ansible_user": "root"}, False, id="docker as root"),
        pytest.param({"ansible_connection": "kubectl", "ansible_user": "root"}, True, id="kubectl takes no user"),
    ],
)
def test_root_is_not_become_by_root(bench: Bench, variables: dict[str, Any], *, becomes: bool) -> None:
    assert (read(bench, "ping:\nbecome: true", **variables).become is not None) == becomes


# -- every documented name ------------------------------------------------------------------------------------------


def engine_of(row: dict[str, Any]) -> Engine:
    return ENGINES[row["option"].rpartition(".")[0]]


def named() -> list[Any]:
    """Give (plugin, way of setting, name) for every name that is documented."""
    found = {
        (row["option"].rpartition(".")[0], way, name)
        for row in KNOWN
        for way in ("vars", "env", "ini")
        for name in row[way]
        if name not in COMMON
    }
    return sorted(found)


def test_the_names_are_those_of_every_plugin_of_ansible_that_there_is_here() -> None:
    assert {engine_of(row).name for row in KNOWN} == {engine.name for engine in ALL} - {"nspawn", "machinectl"}


@pytest.mark.parametrize(("plugin", "way", "name"), named())
def test_every_name_takes_effect_or_says_why_not(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plugin: str, way: str, name: str
) -> None:
    idle = next((word for word in IDLE if name.lower().endswith(word)), None)
    if idle is not None:
        assert idle in DOCS
        return
    plain = _state(read(bench, ansible_connection=plugin, ansible_user="bob").connection)
    for text in ("yes", "no", "9", '{"a": "b"}'):
        value = json.loads(text) if text.startswith("{") else text
        given = {}
        if way == "vars":
            given[name] = value
        elif way == "env":
            monkeypatch.setenv(name, text)
        else:
            section, _, key = name.partition(".")
            (tmp_path / "ansible.cfg").write_text(f"[{section}]\n{key} = {text}\n")
            monkeypatch.setenv("ANSIBLE_CONFIG", str(tmp_path / "ansible.cfg"))
        try:
            found = read(bench, ansible_connection=plugin, **{"ansible_user": "bob", **given}).connection
            if _state(found) != plain:
                return
        except AuthorError:
            continue  # no value for this option
    pytest.fail(f"{name} changes nothing")


def _state(connection: ConnectionOptions) -> tuple[Any, ...]:
    """Give all that follows from options."""
    entry = enter(connection)
    return replace(connection, engine_options=()), entry.words, dict(entry.environment), entry.private


# -- connections that there are not ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "mend"),
    [
        ("winrm", "Windows hosts are not managed"),
        ("ansible.builtin.psrp", "Windows hosts are not managed"),
        ("ansible.netcommon.network_cli", "network devices are not managed"),
        ("netconf", "network devices are not managed"),
        ("httpapi", "network devices are not managed"),
        ("amazon.aws.aws_ssm", "ProxyCommand `aws ssm start-session"),
        ("community.general.qubes", "delegate such tasks"),
        ("dokcer", "did you mean 'docker'?"),
        ("carrier_pigeon", "there are buildah, chroot, docker"),
    ],
)
def test_another_connection_fails_the_task_that_needs_it_with_the_mend(bench: Bench, kind: str, mend: str) -> None:
    bench.variables = {"ansible_connection": kind}
    debug, ping = (bench.run(text) for text in ("debug:", "ping:"))
    assert not debug.failed
    assert ping.failed
    assert f"connection {kind!r} is not supported" in ping.result["msg"]
    assert mend in ping.result["msg"]
    assert "\n" not in ping.result["msg"]
