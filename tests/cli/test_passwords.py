"""Passwords from pipes, files and programs, and how they are asked for on a terminal."""

from __future__ import annotations

import os
import pty
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine

PLAY = """
- hosts: localhost
  gather_facts: false
  tasks:
    - debug: {msg: "login {{ (ansible_password | default('none')) | length }}"}
    - command: whoami
      become: true
      ignore_errors: true
"""


@pytest.fixture
def files(pyplay: CommandLine) -> CommandLine:
    pyplay.write({
        "site.yml": PLAY,
        "plain": "  12345 \n\n",
        "script": "#!/bin/sh\nprintf ' 123456\\r\\n\\n'\n",
        "named": '#!/bin/sh\nbasename "$0"\n',
        "broken": "#!/bin/sh\nexit 3\n",
        "empty": "",
        "noexec": "pw\n",
    })  # fmt: skip
    (pyplay.root / "noexec").chmod(0o755)
    (pyplay.root / "my-link").symlink_to("named")
    return pyplay


@pytest.mark.parametrize(
    ("words", "length"),
    [
        (["--connection-password-file", "plain"], 5),
        (["--conn-pass-file", "script"], 7),
        (["--conn-pass-file", "my-link"], 7),
        (["--conn-pass-file", "-"], 3),
        (["-k"], 3),
        (["-kK"], 3),
        (["--ask-p"], 3),
        (["-K"], 4),
        ([], 4),
    ],
)
def test_a_login_password(files: CommandLine, words: list[str], length: int) -> None:
    done = files("site.yml", *words, stdin="one\ntwo45\n")
    assert f'"msg": "login {length}"' in done.out, done.out + done.err


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("broken", "the password script broken ended with 3"),
        ("empty", "the password from empty is empty"),
        ("absent", "cannot read the password file absent: No such file"),
        ("noexec", "must not be executable"),
        (".", "cannot read the password file ."),
    ],
)
@pytest.mark.parametrize("option", ["--connection-password-file", "--become-password-file"])
def test_a_password_file_that_gives_none(files: CommandLine, option: str, file: str, said: str) -> None:
    done = files("site.yml", option, file)
    assert (done.code, said in done.err) == (1, True), done.err


@pytest.mark.parametrize(
    "words",
    [["-k", "--conn-pass-file", "plain"], ["-K", "--become-pass-file", "plain"], ["-J", "--vault-pass-file", "plain"]],
)
def test_asking_and_a_file_exclude_each_other(files: CommandLine, words: list[str]) -> None:
    done = files("site.yml", *words)
    assert (done.code, "exclude each other" in done.err) == (2, True)


@pytest.mark.parametrize(
    ("words", "prompts"),
    [
        (["-k"], ["SSH password: "]),
        (["-K"], ["BECOME password: "]),
        (["-kK"], ["SSH password: ", "BECOME password[defaults to SSH password]: "]),
        (["-J"], ["Vault password: "]),
        (["--vault-id", "dev@prompt"], ["Vault password (dev): "]),
    ],
)
def test_prompts_that_wrappers_wait_for(tmp_path: Path, words: list[str], prompts: list[str]) -> None:
    (tmp_path / "site.yml").write_text("- hosts: localhost\n  gather_facts: false\n")
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(tmp_path)
        os.execv(sys.executable, [sys.executable, "-m", "pyplay", *words, "site.yml"])
    written = b""
    for prompt in prompts:
        while not written.endswith(prompt.encode()):
            written += os.read(terminal, 1)
        os.write(terminal, b"secret\n")
    while True:
        try:
            written += os.read(terminal, 4096)
        except OSError:  # the terminal's other end is closed
            break
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0, written
    assert b"secret" not in written
    assert b": :" not in written
