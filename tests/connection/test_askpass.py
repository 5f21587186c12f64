"""What ssh asks while it logs in, and what it is told."""

from __future__ import annotations

import asyncio
import stat
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from hosts import drive

from pyplay.connection.askpass import Answers, Askpass, write_program
from pyplay.connection.base import ConnectionOptions
from pyplay.connection.ssh_config import SshConfig
from pyplay.connection.ssh_target import find_target

if TYPE_CHECKING:
    from pathlib import Path

    from pyplay.connection.host_key_texts import HostKeyQuestion

KEY_PROMPT = (
    "The authenticity of host '[203.0.113.1]:2222 ([203.0.113.1]:2222)' can't be established.\n"
    "ED25519 key fingerprint is SHA256:WTESDKIF.\n"
    "This key is not known by any other names.\n"
    "Are you sure you want to continue connecting (yes/no/[fingerprint])? "
)


def answers(**options: Any) -> Answers:
    """Give what a login to web1 may be told."""
    given = ConnectionOptions(host="web1", address="203.0.113.1", user="ops", **options)
    return Answers(given, find_target(given, lambda _: SshConfig([])))


@pytest.mark.parametrize(
    ("options", "prompt", "kind", "expected"),
    [
        pytest.param({"password": "pw"}, "ops@203.0.113.1's password: ", "", "pw", id="password"),
        pytest.param({"password": "pw"}, "(ops@203.0.113.1) Password: ", "", "pw", id="keyboard-interactive"),
        pytest.param({"password": "pw"}, "Password: ", "", "pw", id="older releases"),
        pytest.param({"password": "pw"}, "joe@bastion's password: ", "", None, id="a jump host's password is another"),
        pytest.param({"password": "pw"}, "(joe@bastion) Password: ", "", None, id="a jump host's prompt"),
        pytest.param({}, "ops@203.0.113.1's password: ", "", None, id="there is none"),
        pytest.param({"passphrase": "pp"}, "Enter passphrase for key '/k': ", "", "pp", id="passphrase"),
        pytest.param({"password": "pw"}, "Enter passphrase for key '/k': ", "", None, id="a password is no passphrase"),
        pytest.param({"password": "1", "pkcs11_provider": "/p"}, "Enter PIN for 'card': ", "", "1", id="PIN"),
        pytest.param({"password": "pw"}, "Enter PIN for 'card': ", "", None, id="a password is no PIN"),
        pytest.param({"password": "1", "pkcs11_provider": "/p"}, "ops@203.0.113.1's password: ", "", None, id="a PIN is no password"),
        pytest.param({"password": "pw"}, "Allow use of key /k?", "confirm", None, id="nobody can confirm"),
        pytest.param({"password": "pw"}, "Confirm user presence for key", "none", None, id="a notice"),
        pytest.param({}, KEY_PROMPT, "", "no", id="an unknown key without anybody to ask"),
    ],
)  # fmt: skip
def test_answers(options: dict[str, Any], prompt: str, kind: str, expected: str | None) -> None:
    told = answers(**options)
    assert drive(told.answer(kind, prompt)) == expected
    assert (told.unanswered == prompt) is (expected is None)


def test_a_secret_is_given_once() -> None:
    told = answers(password="pw")
    assert [drive(told.answer("", "Password: ")) for _ in range(3)] == ["pw", None, None]
    assert told.wrong == {"password"}


def test_a_user_is_asked_for_passphrases_so_often_and_no_more() -> None:
    asked: list[tuple[str, int]] = []

    async def ask(path: str, times: int) -> str:
        asked.append((path, times))
        return f"try {times}"

    told = answers()
    told.ask_passphrase = ask
    prompts = ["Enter passphrase for key '/a b': "] * 4 + ["Enter passphrase for key '/c': "]
    assert [drive(told.answer("", prompt)) for prompt in prompts] == ["try 0", "try 1", "try 2", None, "try 0"]
    assert asked == [("/a b", 0), ("/a b", 1), ("/a b", 2), ("/c", 0)]


@pytest.mark.parametrize(("trusted", "expected"), [(True, "yes"), (False, "no")])
def test_a_user_is_asked_about_host_keys(*, trusted: bool, expected: str) -> None:
    asked: list[HostKeyQuestion] = []

    async def ask(question: HostKeyQuestion) -> bool:
        asked.append(question)
        return trusted

    told = answers()
    told.ask_key = ask
    assert drive(told.answer("", KEY_PROMPT)) == expected
    assert [(one.host, one.address, one.key_type, one.fingerprint) for one in asked] == [
        ("web1", "203.0.113.1", "ED25519", "SHA256:WTESDKIF")
    ]
    assert told.key == "ED25519 SHA256:WTESDKIF"


def test_the_program_asks_over_a_socket_of_ours(tmp_path: Path) -> None:
    async def go() -> None:
        program = write_program(tmp_path)
        askpass = Askpass(tmp_path / "ask", answers(password="s3cret"))
        await askpass.open()
        environment = askpass.environment(program)
        assert stat.S_IMODE((tmp_path / "ask").stat().st_mode) == 0o600
        assert stat.S_IMODE(program.stat().st_mode) == 0o700
        assert "s3cret" not in program.read_text() + str(environment)

        def run(prompt: str) -> subprocess.CompletedProcess[bytes]:
            return subprocess.run([program, prompt], env=environment, capture_output=True, check=False)

        done = await asyncio.to_thread(run, "Password: ")
        assert (done.returncode, done.stdout) == (0, b"s3cret\n")
        assert (await asyncio.to_thread(run, "Password: ")).returncode == 1
        await askpass.close()
        assert not (tmp_path / "ask").exists()

    drive(go())
