"""Programs behind an engine: what the engine says is never the program's, and the other way round."""

from __future__ import annotations

import asyncio
import http.server
import os
import shutil
import ssl
import subprocess
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from hosts import LAB, drive
from standins import stand_in

from pyplay.connection.base import BecomeOptions, ConnectionOptions
from pyplay.connection.open import Connector
from pyplay.diagnostics.errors import HostUnreachable, RunnerError
from pyplay.shipping.client import RunnerClient

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence
    from pathlib import Path

    from pyplay.connection.base import Connection

DOCKER = ("exec", "-i", "web1")


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory whose programs are found first."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    return tmp_path / "bin"


def docker(**changes: Any) -> ConnectionOptions:
    return ConnectionOptions(**{"kind": "docker", "host": "h1", "address": "web1", **changes})


def over(options: ConnectionOptions, check: Callable[[Connection], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        connector = Connector()
        try:
            return await check(await connector.open(options))
        finally:
            await connector.close()

    return drive(run())


def needs(program: str) -> Any:
    return pytest.mark.skipif(not shutil.which(program), reason=f"needs {program}")


async def output(connection: Connection, argv: Sequence[str]) -> tuple[int, bytes, bytes]:
    process = await connection.start(argv)
    process.write_eof()
    out = error = b""
    while data := await process.read(65536):
        out += data
    while data := await process.read_error(65536):
        error += data
    return await process.wait(), out, error


@pytest.mark.parametrize(
    ("fault", "status", "said"),
    [
        pytest.param(
            "Error response from daemon: No such container: web1", 1, "No such container: web1", id="absent"
        ),
        pytest.param("Error: container state improper", 255, "container state improper", id="stopped"),
        pytest.param(
            "E1130 00:25:53.714568 10249 memcache.go:265] noise\nNotFound: pods web1", 1, "there: NotFound: pods web1",
            id="without its log",
        ),
        pytest.param("E1130 00:25:53.714568 10249 x.go:2] all", 1, "x.go:2] all", id="with its log if that is all"),
        pytest.param("one\ntwo\nthree\nfour", 125, "there: two; three; four", id="its last lines"),
    ],
)  # fmt: skip
def test_who_is_not_entered_is_unreachable_in_the_engines_words(
    programs: Path, fault: str, status: int, said: str
) -> None:
    stand_in(programs, "docker", DOCKER, fault=fault, status=status)
    with pytest.raises(HostUnreachable, match="docker starts no /bin/sh there: ") as caught:
        over(docker(), lambda connection: output(connection, ["true"]))
    assert str(caught.value).endswith(said)
    assert (caught.value.host, caught.value.address) == ("h1", "web1")


def test_an_engine_that_ends_without_a_word_is_told_by_its_status(programs: Path) -> None:
    stand_in(programs, "docker", DOCKER, fault=" ", status=9)
    with pytest.raises(HostUnreachable, match="status 9 without a word"):
        over(docker(), lambda connection: output(connection, ["true"]))


def test_an_engine_that_is_not_installed_is_named(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(programs))
    with pytest.raises(HostUnreachable, match="no program `docker` here"):
        over(docker(), lambda connection: output(connection, ["true"]))


def test_an_engine_that_never_answers_is_not_waited_for(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyplay.connection.engine_connection.GRACE", 0.1)
    programs.mkdir()
    (programs / "docker").write_text("#!/bin/sh\necho thinking >&2\nsleep 30\n")
    (programs / "docker").chmod(0o755)
    with pytest.raises(HostUnreachable, match=r"no answer within 0\.5 s; last heard: thinking"):
        over(docker(timeout=0.4), lambda connection: output(connection, ["true"]))


def test_a_programs_own_failure_is_its_answer(programs: Path) -> None:
    stand_in(programs, "docker", DOCKER)
    argv = ["sh", "-c", "echo out; echo 'Error response from daemon: no' >&2; exit 125"]
    found = over(docker(), lambda connection: output(connection, argv))
    assert found == (125, b"out\n", b"Error response from daemon: no\n")


def test_what_an_engine_says_before_is_no_output(programs: Path) -> None:
    programs.mkdir()
    (programs / "docker").write_text('#!/bin/sh\necho Emulating Docker\nshift 3\nexec "$@"\n')
    (programs / "docker").chmod(0o755)
    assert over(docker(), lambda connection: output(connection, ["echo", "mine"])) == (0, b"mine\n", b"")


def test_a_container_without_python_is_named_with_the_mend(programs: Path) -> None:
    async def check(connection: Connection) -> None:
        await RunnerClient.start(connection, host="h1", address="web1")

    programs.mkdir()
    # `command -v` finds nothing in there: what stands in for the container hides this machine's programs
    hide = 'exec /bin/sh -c "command() { false; }; $(printf "%s" "$2")" "$3" "$4"'
    (programs / "docker").write_text(f'#!/bin/sh\nshift 7\necho "$1"; shift 2\n{hide}\n')
    (programs / "docker").chmod(0o755)
    with pytest.raises(RunnerError, match=r"no usable Python on the host.*raw module"):
        over(docker(), check)


def test_secrets_are_read_from_a_file_that_has_no_name(programs: Path) -> None:
    programs.mkdir()
    (programs / "kubectl").write_text(
        "#!/bin/sh\n"
        'echo "$@" | tr "\\n" " " >&2\n'
        'for file in $(echo "$KUBECONFIG" | tr : " "); do cat $file >&2; done\n'
        'while [ "$1" != -- ]; do shift; done; shift; exec "$@"\n'
    )
    (programs / "kubectl").chmod(0o755)
    usual = programs / "config"
    usual.write_text("usual ")
    given = (("kubeconfig", str(usual)), ("token", "s3cret"))
    options = ConnectionOptions(kind="kubectl", host="h1", address="pod", engine_options=given)
    status, out, error = over(options, lambda connection: output(connection, ["echo", "in"]))
    words, _, files = error.decode().partition("usual ")
    assert (status, out) == (0, b"in\n")
    assert "s3cret" not in words
    assert '"token": "s3cret"' in files


class _Api(http.server.BaseHTTPRequestHandler):
    """Knows nothing, and keeps who asked."""

    asked: ClassVar[set[str | None]] = set()

    def do_GET(self) -> None:
        self.asked.add(self.headers.get("Authorization"))
        self.send_error(404)

    do_POST = do_GET  # noqa: N815  # http.server's name

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@needs("kubectl")
@needs("openssl")
def test_the_real_kubectl_logs_in_with_what_is_in_that_file(tmp_path: Path) -> None:
    pem = tmp_path / "pem"
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", pem, "-out", tmp_path / "cert"]
    name = ["-subj", "/CN=h", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run([*words, *name], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert", pem)
    _Api.asked.clear()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Api) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"https://127.0.0.1:{server.server_port}"
        given = (("server", address), ("ca_cert", str(tmp_path / "cert")), ("token", "s3cret"))
        options = ConnectionOptions(kind="kubectl", host="h1", address="pod", engine_options=given)
        with pytest.raises(HostUnreachable, match="kubectl starts no /bin/sh there"):
            over(options, lambda connection: output(connection, ["true"]))
        server.shutdown()
    assert _Api.asked == {"Bearer s3cret"}


# -- the real ones that are at hand ---------------------------------------------------------------------------------

AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")


@pytest.fixture
def root(tmp_path: Path) -> Iterator[str]:
    """A system in a directory: this machine's /usr, and little else."""
    folder = tmp_path / "root"
    for name in ("usr", "etc", "root", "tmp", "dev", "proc"):
        (folder / name).mkdir(parents=True)
    for name in ("bin", "sbin", "lib", "lib64"):
        (folder / name).symlink_to(f"usr/{name}")
    (folder / "etc/passwd").write_text("root:x:0:0::/root:/bin/sh\ndeploy:x:1000:1000::/tmp:/bin/sh\n")
    (folder / "etc/group").write_text("root:x:0:\ndeploy:x:1000:\n")
    (folder / "etc/os-release").write_text("ID=small\n")
    (folder / "etc/pam.d").mkdir()
    permit = "".join(f"{kind} sufficient pam_permit.so\n" for kind in ("auth", "account", "session"))
    (folder / "etc/pam.d/su").write_text(permit)
    if subprocess.run(["mount", "--bind", "/usr", folder / "usr"], capture_output=True, check=False).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        yield str(folder)
    finally:
        subprocess.run(["umount", "--lazy", folder / "usr"], check=True)


REAL = [
    pytest.param("chroot", id="chroot"),
    pytest.param("nspawn", marks=needs("systemd-nspawn"), id="nspawn"),
]


@AS_ROOT
@pytest.mark.parametrize("kind", REAL)
def test_a_real_root_is_entered(root: str, kind: str) -> None:
    options = ConnectionOptions(kind=kind, host="h1", address=root)
    line = "id -un; cat /etc/os-release; echo err >&2; exit 7"
    found = over(options, lambda connection: output(connection, ["sh", "-c", line]))
    assert found[:2] == (7, b"root\nID=small\n")
    assert found[2].startswith(b"err\n")  # where /run is a disk, nspawn takes its leave with a complaint


@AS_ROOT
@pytest.mark.parametrize("kind", REAL)
def test_two_programs_are_in_a_real_root_at_once(root: str, kind: str) -> None:
    async def check(connection: Connection) -> list[Any]:
        return await asyncio.gather(*(output(connection, ["sh", "-c", f"sleep 0.2; echo {n}"]) for n in range(2)))

    found = over(ConnectionOptions(kind=kind, host="h1", address=root), check)
    assert [(status, out) for status, out, _ in found] == [(0, b"0\n"), (0, b"1\n")]


@AS_ROOT
@needs("systemd-nspawn")
def test_nspawn_takes_a_user(root: str) -> None:
    options = ConnectionOptions(kind="nspawn", host="h1", address=root, user="deploy")
    assert over(options, lambda connection: output(connection, ["id", "-un"]))[:2] == (0, b"deploy\n")


@AS_ROOT
@needs("su")
@pytest.mark.parametrize("kind", REAL)
def test_one_becomes_another_user_in_a_real_root(root: str, kind: str) -> None:
    async def check(connection: Connection) -> tuple[int, ...]:
        become = BecomeOptions(method="su", user="deploy")
        client = await RunnerClient.start(connection, become, "/usr/bin/python3", host="h1", address=root)
        version = client.interpreter.version
        await client.close()
        return version

    (major, *_) = over(ConnectionOptions(kind=kind, host="h1", address=root), check)
    assert major == 3


@AS_ROOT
@pytest.mark.parametrize("kind", REAL)
def test_a_root_that_is_not_there_is_unreachable(kind: str) -> None:
    options = ConnectionOptions(kind=kind, host="h1", address="/nonexistent/root")
    with pytest.raises(HostUnreachable, match="No such file or directory"):
        over(options, lambda connection: output(connection, ["true"]))


@pytest.mark.lab
@pytest.mark.skipif(not LAB, reason="no lab")
def test_a_real_systemd_runs_programs_in_its_machine(programs: Path) -> None:
    """The machine that systemd calls `.host`, as seen from a host of the lab."""
    programs.mkdir()
    (programs / "systemd-run").write_text(f'#!/bin/sh\nexec {LAB} exec h1 -- systemd-run "$@"\n')
    (programs / "systemd-run").chmod(0o755)
    options = ConnectionOptions(kind="machinectl", host="m1", address=".host", user="deploy")
    line = "id -un; echo err >&2; exit 7"
    assert over(options, lambda connection: output(connection, ["sh", "-c", line])) == (7, b"deploy\n", b"err\n")
    with pytest.raises(HostUnreachable, match="Failed to connect to bus"):
        over(replace(options, address="absent"), lambda connection: output(connection, ["true"]))
