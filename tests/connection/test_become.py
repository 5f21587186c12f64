"""Becoming another user: the conversation, with stand-ins for sudo, su and doas on this machine."""

from __future__ import annotations

import resource
import shlex
import time
from typing import TYPE_CHECKING

import pytest
from hosts import LAB, builder, drive, lab_options, local_options, runner

from pyplay.connection.base import BecomeOptions
from pyplay.connection.become import METHODS, NotStarted, start_program
from pyplay.connection.kinds import BECOME_METHODS
from pyplay.connection.open import Connector
from pyplay.diagnostics.errors import BecomeError
from pyplay.shipping.client import RunnerClient
from pyplay.shipping.result import parse_result

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

# A stand-in reads the words before the command as sudo would, then does what its first lines say.
SUDO = """#!/bin/sh
prompt=; interactive=yes
while [ $# -gt 0 ]; do
  case "$1" in
    -p) prompt=$2; shift 2;;
    -u) user=$2; shift 2;;
    -n) interactive=no; shift;;
    --) shift; break;;
    *) shift;;
  esac
done
ask() { printf '%s' "$prompt" >&2; read -r answer; }
"""
GRANT = 'exec "$@"\n'
RS = 'printf "[sudo: %s] Password: " "$prompt" >&2; read -r answer; echo >&2\n'
"""How sudo-rs asks (0.2.5)."""


def sudo(tmp_path: Path, body: str) -> str:
    """Write a stand-in and give its path."""
    path = tmp_path / "sudo"
    path.write_text(SUDO + body)
    path.chmod(0o755)
    return str(path)


def become(
    options: BecomeOptions, argv: Sequence[str] = ("sh", "-c", "echo; echo MARK hello; cat"), seconds: float = 3
) -> str:
    """Start a program and give what its marker's line says."""

    async def go() -> str:
        connector = Connector()
        connection = await connector.open(local_options())
        try:
            started = await start_program(
                connection, options, argv, marker="MARK", timeout=seconds, first=b"first words\n"
            )
            started.process.write_eof()
            rest = started.rest + await started.process.read(100)
            assert rest == b"first words\n"
            return started.line
        finally:
            await connector.close()

    return str(drive(go()))


@pytest.mark.parametrize(
    ("body", "password"),
    [
        pytest.param(GRANT, None, id="no password wanted"),
        pytest.param(GRANT, "unused", id="a password that nobody asks for is not sent"),
        pytest.param('ask; [ "$answer" = right ] || exit 1\n' + GRANT, "right", id="asked and right"),
        pytest.param('echo "Lecture: with great power: password comes" >&2\nask\n' + GRANT, "x", id="lecture"),
        pytest.param("echo 'sudo: unable to resolve host h1: Name unknown' >&2\n" + GRANT, None, id="noise"),
        pytest.param("echo welcome; echo 'market day'\n" + GRANT, None, id="noise on the output"),
        pytest.param("printf 'Kennwort: ' >&2; sleep 0.3; printf ''; ask\n" + GRANT, "x", id="odd prompts"),
        pytest.param(f'{RS}[ "$answer" = right ] || exit 1\n{GRANT}', "right", id="sudo-rs"),
        pytest.param('tty -s || { echo "sudo: sorry, you must have a tty to run sudo" >&2; exit 1; }\n' + GRANT, None, id="requiretty"),
        pytest.param('tty -s || { echo "sudo: sorry, you must have a tty to run sudo" >&2; exit 1; }\nask; [ "$answer" = right ] || exit 1\n' + GRANT, "right", id="requiretty and password"),
    ],
)  # fmt: skip
def test_it_becomes(tmp_path: Path, body: str, password: str | None) -> None:
    assert become(BecomeOptions(exe=sudo(tmp_path, body), password=password)).endswith("hello")


def test_the_method_is_run_where_it_is_told_to(tmp_path: Path) -> None:
    here = f'[ "$(pwd)" = "{tmp_path}" ] || exit 1\n' + GRANT
    options = BecomeOptions(exe=sudo(tmp_path, here), chdir=str(tmp_path))
    assert become(options).endswith("hello")
    with pytest.raises(BecomeError, match="nowhere"):
        become(BecomeOptions(exe=sudo(tmp_path, GRANT), chdir="/nowhere"))


def test_prompts_in_words_of_the_users_own_are_answered(tmp_path: Path) -> None:
    body = "printf 'Geheimnis für root: ' >&2; read -r answer; [ \"$answer\" = right ] || exit 1\n" + GRANT
    options = BecomeOptions(exe=sudo(tmp_path, body), password="right", prompts=("Losung", "Geheimnis für root:"))
    assert become(options).endswith("hello")


def test_becoming_may_have_a_limit_of_its_own(tmp_path: Path) -> None:
    with pytest.raises(BecomeError, match=r"no answer within 0\.2 s"):
        become(BecomeOptions(exe=sudo(tmp_path, "sleep 9\n"), timeout=0.2), seconds=30)


@pytest.mark.parametrize(
    ("body", "password", "reason"),
    [
        pytest.param("ask; sleep 0.2; echo 'Sorry, try again.' >&2; ask; exit 1\n", "bad", "Incorrect sudo password", id="wrong"),
        pytest.param("ask; ask; exit 1\n", "bad", "Incorrect sudo password", id="a second prompt"),
        pytest.param("printf 'Password: ' >&2; sleep 9\n", None, "Missing sudo password: give it with -K", id="none given"),
        pytest.param('[ $interactive = no ] && echo "sudo: a password is required" >&2; exit 1\n', None, "Missing sudo password", id="-n"),
        pytest.param("ask; echo 'joe is not in the sudoers file.' >&2; exit 1\n", "x", "does not allow it: joe is not", id="sudoers"),
        pytest.param("echo 'sudo: unknown user nobody' >&2; exit 1\n", None, "the user does not exist", id="user"),
        pytest.param("echo 'strange things' >&2; exit 7\n", None, "ended with status 7: strange things", id="status"),
        pytest.param("for n in 1 2 3; do printf '\\001\\377a\\002\\375b' >&2; done; exit 7\n", None, "status 7: bytes that are no text", id="no text"),
        pytest.param("printf 'beep\\007 and more of it all' >&2; exit 7\n", None, "status 7: beep… and more", id="a control character"),
        pytest.param("printf '%01000dend' 0 >&2; exit 7\n", None, "status 7: 0{150} … 0{147}end$", id="a long one"),
        pytest.param(f"{RS}exit 1\n", "bad", "Incorrect sudo password", id="sudo-rs, wrong at the one try"),
        pytest.param(f"{RS}echo 'sudo-rs: Authentication failed, try again.' >&2; sleep 9\n", "bad", "Incorrect sudo password", id="sudo-rs, wrong"),
        pytest.param(f"{RS}echo \"sudo-rs: I'm sorry joe. I'm afraid I can't do that\" >&2; exit 1\n", "x", "does not allow it: sudo-rs: I'm sorry", id="sudo-rs, not allowed"),
        pytest.param("echo 'sudo-rs: interactive authentication is required' >&2; exit 1\n", None, "Missing sudo password", id="sudo-rs, -n"),
        pytest.param("echo \"sudo-rs: user 'nobody2' not found\" >&2; exit 1\n", None, "the user does not exist there", id="sudo-rs, user"),
        pytest.param("echo 'thinking' >&2; sleep 30\n", None, "no answer within 1 s; last heard: 'thinking'", id="silence"),
    ],
)  # fmt: skip
def test_it_is_refused(tmp_path: Path, body: str, password: str | None, reason: str) -> None:
    start = time.monotonic()
    with pytest.raises(BecomeError, match=reason) as caught:
        become(BecomeOptions(exe=sudo(tmp_path, body), password=password), seconds=1)
    assert time.monotonic() - start < 5
    assert (caught.value.method, caught.value.user) == ("sudo", "root")


def test_our_own_command_is_not_shown(tmp_path: Path) -> None:
    argv = ["sh", "-c", "echo MARK " + "x" * 400, "MARK"]
    stub = tmp_path / "sudo"
    stub.write_text("#!/bin/sh\ncat <<'END'\n" + f"no such command: {shlex.join(argv)}!\nEND\nexit 128\n")
    stub.chmod(0o755)
    with pytest.raises(BecomeError, match=r"status 128: no such command: …!$"):
        become(BecomeOptions(exe=str(stub)), argv)


@pytest.mark.parametrize("tail", ["", "!", "!!", " and more"])
def test_who_repeats_our_command_has_not_run_it(tmp_path: Path, tail: str) -> None:
    with pytest.raises(BecomeError, match="ended with status 3"):
        become(BecomeOptions(exe=sudo(tmp_path, f"echo 'you said MARK{tail}'; exit 3\n")))


def test_a_host_that_never_stops_talking_fills_no_memory(tmp_path: Path) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(BecomeError, match="it wrote more than 1048576 bytes before it began"):
        become(BecomeOptions(exe=sudo(tmp_path, "exec yes\n")), seconds=2)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 60_000


def test_a_password_reaches_neither_words_nor_environment_nor_messages(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    body = f'cat /proc/$$/cmdline /proc/$$/environ > {seen}; ask; echo "you said $answer" >&2; exit 9\n'
    with pytest.raises(BecomeError) as caught:
        become(BecomeOptions(exe=sudo(tmp_path, body), password="s3cret"))
    assert "s3cret" not in seen.read_text()
    assert "s3cret" not in str(caught.value)
    assert "you said ********" in str(caught.value)


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(BecomeError, match="unknown become method; known are doas, su, sudo"):
        become(BecomeOptions(method="pfexec"))


def test_a_program_that_ends_early_is_told() -> None:
    async def go() -> None:
        connector = Connector()
        connection = await connector.open(local_options())
        with pytest.raises(NotStarted, match="status 4 before it began: oops") as caught:
            await start_program(connection, None, ["sh", "-c", "echo oops >&2; exit 4"], marker="MARK")
        assert caught.value.status == 4
        await connector.close()

    drive(go())


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        pytest.param(BecomeOptions(), "sudo -H -S -n -u root -- id", id="plain"),
        pytest.param(BecomeOptions(password="x"), "sudo -H -S -p PROMPT -u root -- id", id="password"),
        pytest.param(
            BecomeOptions(flags="-Hn", password="x"), "sudo -H -S -p PROMPT -u root -- id", id="-n inside a word"
        ),
        pytest.param(BecomeOptions(flags=""), "sudo -n -u root -- id", id="no flags"),
        pytest.param(
            BecomeOptions(flags="-E --login", user="a"), "sudo -E --login -n -u a -- /bin/sh -c SHELL", id="login"
        ),
        pytest.param(BecomeOptions(exe="/opt/x/sudo -k"), "/opt/x/sudo -k -H -S -n -u root -- id", id="exe"),
        pytest.param(
            BecomeOptions(chdir="/a b"),
            """/bin/sh -c 'cd "$1" && shift && exec "$@"' sh '/a b' sudo -H -S -n -u root -- id""",
            id="chdir",
        ),
        pytest.param(BecomeOptions(method="su", user="b"), "su -s /bin/sh b -c 'exec id'", id="su"),
        pytest.param(BecomeOptions(method="su", flags="-l"), "su -l root -c 'exec id'", id="su with flags"),
        pytest.param(BecomeOptions(method="doas"), "doas -n -u root id", id="doas"),
        pytest.param(BecomeOptions(method="doas", password="x"), "doas -u root id", id="doas with password"),
    ],
)
def test_words(options: BecomeOptions, expected: str) -> None:
    words = METHODS[options.method].command(options, ["id"], "KEY")
    shown = ["PROMPT" if "KEY" in word else "SHELL" if word.startswith("eval") else word for word in words]
    assert shown == shlex.split(expected)


@pytest.mark.parametrize(
    ("method", "said", "asks", "refused"),
    [
        ("su", "Password: ", True, False),
        ("su", "Passwort: ", True, False),
        ("su", "Mot de passe : ", True, False),
        ("su", "Пароль: ", True, False),
        ("su", "密码：", True, False),  # noqa: RUF001  # as su prints it
        ("su", "Password: \nsu: Authentication failure\n", False, True),
        ("su", "su: user x does not exist or the user entry does not contain all the required fields\n", False, True),
        ("su", "Last login: today\n", False, False),
        ("doas", "doas (joe@h1) password: ", True, False),
        ("doas", "doas: Authorization failed\n", False, True),
        ("doas", "doas: Authentication required\n", False, True),
    ],
)
def test_what_methods_say(method: str, said: str, *, asks: bool, refused: bool) -> None:
    known = METHODS[method]
    assert known.asks(said.encode(), "KEY") is asks
    assert (known.refusal(said.encode()) is not None) is refused


def test_words_survive_a_login_shell(tmp_path: Path) -> None:
    argv = ["printf", "[%s]", "$HOME", "`id`", "a'b\"c\\d", "%d\n", "ü", "!", "#"]
    words = METHODS["sudo"].command(BecomeOptions(flags="-i"), argv, "KEY")
    after = words[words.index("--") + 1 :]
    # sudo -i protects all but letters, digits, underscores, hyphens and dollar signs with a backslash.
    line = " ".join("".join(c if c.isalnum() or c in "_-$" else "\\" + c for c in word) for word in after)

    async def go() -> str:
        connector = Connector()
        process = await (await connector.open(local_options())).start(["sh", "-c", line])
        out = await process.read(1000)
        await connector.close()
        return out.decode()

    assert drive(go()) == "".join(f"[{word}]" for word in argv[2:])


def test_a_runner_runs_behind_sudo(tmp_path: Path) -> None:
    options = BecomeOptions(exe=sudo(tmp_path, 'ask; [ "$answer" = right ] || exit 1\n' + GRANT), password="right")

    async def go() -> None:
        async with runner(None, options) as client:
            assert parse_result(await client.call(builder().build("ping"), {}))["ping"] == "pong"

    drive(go())


def test_a_runner_runs_behind_a_terminal(tmp_path: Path) -> None:
    body = 'tty -s || { echo "sudo: sorry, you must have a tty to run sudo" >&2; exit 1; }\n' + GRANT
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "every.py").write_text(
        "import json, sys\na = json.load(sys.stdin)['ANSIBLE_MODULE_ARGS']\nprint(json.dumps({'n': len(a['x'])}))\n"
    )

    async def go() -> None:
        async with runner(None, BecomeOptions(exe=sudo(tmp_path, body))) as client:
            args = {"x": "\x03\x04\x1a\x1c\x11\x13\r\n\x7f" * 30000}
            assert parse_result(await client.call(builder(tmp_path / "lib").build("every"), args)) == {"n": 270000}

    drive(go())


LAB_CASES = [
    pytest.param("deploy", BecomeOptions(), "root", id="NOPASSWD"),
    pytest.param("deploy", BecomeOptions(user="plain"), "plain", id="to another user"),
    pytest.param("ops", BecomeOptions(password="ops-pass"), "root", id="password"),
    pytest.param("ops", BecomeOptions(password="ops-pass", flags="-i"), "root", id="login shell"),
    pytest.param("plain", BecomeOptions(method="su", password="root-pass"), "root", id="su"),
    pytest.param("plain", BecomeOptions(method="su", user="suser", password="suser-pass"), "suser", id="su to a user"),
    pytest.param("ops", BecomeOptions(password="bad"), BecomeError("sudo", "root", "Incorrect sudo password"), id="wrong"),
    pytest.param("ops", BecomeOptions(), BecomeError("sudo", "root", "Missing sudo password"), id="missing"),
    pytest.param("plain", BecomeOptions(method="su"), BecomeError("su", "root", "Missing su password"), id="su missing"),
]  # fmt: skip


@pytest.mark.lab
@pytest.mark.skipif(not LAB, reason="no lab")
@pytest.mark.parametrize(("login", "options", "expected"), LAB_CASES)
def test_on_real_hosts(tmp_path: Path, login: str, options: BecomeOptions, expected: object) -> None:
    (tmp_path / "who.py").write_text(
        "import json, os, pwd\nprint(json.dumps({'who': pwd.getpwuid(os.geteuid()).pw_name, 'home': os.environ['HOME']}))\n"
    )

    async def go() -> dict[str, str]:
        connector = Connector()
        try:
            connection = await connector.open(lab_options(user=login))
            client = await RunnerClient.start(connection, options, host="h1")
            try:
                return parse_result(await client.call(builder(tmp_path).build("who"), {}))
            finally:
                await client.close()
        finally:
            await connector.close()

    if isinstance(expected, BecomeError):
        with pytest.raises(BecomeError, match=expected.reason):
            drive(go(), 8)
    else:
        assert drive(go())["who"] == expected  # type: ignore[index]


def test_a_missing_program_is_not_a_refusal(tmp_path: Path) -> None:
    with pytest.raises(NotStarted) as caught:
        become(BecomeOptions(exe=sudo(tmp_path, GRANT)), ["/nonexistent/python"])
    assert caught.value.status == 127


def test_every_method_is_known_by_name() -> None:
    assert tuple(METHODS) == BECOME_METHODS
