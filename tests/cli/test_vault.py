"""`pyplay vault`: what the files hold afterwards, and exit codes as ansible-core 2.21 gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine

EDITOR = '#!/bin/sh\necho more >> "$1"\n'


@pytest.fixture
def vault(pyplay: CommandLine) -> CommandLine:
    pyplay.write(
        {
            "one": "secret one\n",
            "two": "secret two\n",
            "empty": "",
            "plain": "text\n",
            "ed": EDITOR,
            "no": "#!/bin/sh\nexit 1\n",
        }
    )
    return pyplay


def header(vault: CommandLine, name: str) -> str:
    return (vault.root / name).read_text().split("\n", 1)[0]


def shown(vault: CommandLine, name: str, secret: str = "one") -> str:
    done = vault("vault", "view", "--vault-password-file", secret, name)
    assert done.code == 0, done.err
    return done.out


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--vault-password-file", "one"], "$ANSIBLE_VAULT;1.1;AES256"),
        (["--vault-pass-file", "one"], "$ANSIBLE_VAULT;1.1;AES256"),
        (["--vault-id", "one"], "$ANSIBLE_VAULT;1.1;AES256"),
        (["--vault-id", "dev@one"], "$ANSIBLE_VAULT;1.2;AES256;dev"),
        (
            ["--vault-id", "dev@one", "--vault-id", "prod@two", "--encrypt-vault-id", "dev"],
            "$ANSIBLE_VAULT;1.2;AES256;dev",
        ),
    ],
)
def test_encrypting_and_decrypting_a_file(vault: CommandLine, options: list[str], expected: str) -> None:
    path = vault.root / "plain"
    path.chmod(0o644)
    assert vault("vault", "encrypt", *options, "plain").code == 0
    assert header(vault, "plain") == expected
    assert path.stat().st_mode & 0o777 == 0o600
    assert shown(vault, "plain") == "text\n"
    assert vault("vault", "decrypt", *options[:2], "plain").code == 0
    assert path.read_text() == "text\n"


def test_standard_input_and_output(vault: CommandLine) -> None:
    encrypted = vault("vault", "encrypt", "--vault-id", "one", stdin="piped\n").out
    assert encrypted.startswith("$ANSIBLE_VAULT;1.1;AES256\n")
    assert vault("vault", "decrypt", "--vault-id", "one", "--output=-", stdin=encrypted).out == "piped\n"
    assert vault("vault", "encrypt", "--vault-id", "one", "--output", "out", stdin="piped\n").code == 0
    assert shown(vault, "out") == "piped\n"


def test_rekeying(vault: CommandLine) -> None:
    vault("vault", "encrypt", "--vault-id", "one", "plain")
    assert vault("vault", "rekey", "--vault-id", "one", "--new-vault-id", "new@two", "plain").code == 0
    assert header(vault, "plain") == "$ANSIBLE_VAULT;1.2;AES256;new"
    assert vault("vault", "view", "--vault-id", "one", "plain").code == 1
    assert vault("vault", "rekey", "--vault-id", "two", "--new-vault-password-file", "one", "plain").code == 0
    assert header(vault, "plain") == "$ANSIBLE_VAULT;1.1;AES256"
    assert shown(vault, "plain") == "text\n"


def test_editing_keeps_identity_and_password(vault: CommandLine) -> None:
    vault("vault", "encrypt", "--vault-id", "dev@one", "plain")
    assert vault("vault", "edit", "--vault-id", "other@one", "plain", EDITOR="./ed").code == 0
    assert header(vault, "plain") == "$ANSIBLE_VAULT;1.2;AES256;dev"
    assert shown(vault, "plain") == "text\nmore\n"
    before = (vault.root / "plain").read_bytes()
    assert vault("vault", "edit", "--vault-id", "one", "plain", EDITOR="./no").code == 1
    assert vault("vault", "edit", "--vault-id", "one", "plain", EDITOR="true").code == 0
    assert (vault.root / "plain").read_bytes() == before


def test_an_editor_leaves_no_text_behind(vault: CommandLine, tmp_path_factory: pytest.TempPathFactory) -> None:
    temporary: Path = tmp_path_factory.mktemp("tmp")
    vault("vault", "encrypt", "--vault-id", "one", "plain")
    for editor in ("./ed", "./no"):
        vault("vault", "edit", "--vault-id", "one", "plain", EDITOR=editor, TMPDIR=str(temporary))
    assert not list(temporary.iterdir())


def test_creating_a_file(vault: CommandLine) -> None:
    create = ("vault", "create", "--vault-id", "one", "new")
    assert vault(*create, EDITOR="./ed").code == 5  # no terminal
    assert vault(*create, "--skip-tty-check", EDITOR="./ed").code == 0
    assert shown(vault, "new") == "more\n"
    assert vault(*create, "--skip-tty-check", EDITOR="./ed").code == 1


def test_strings_for_yaml_files(vault: CommandLine) -> None:
    words = ["-n", "a", "first", "second", "-", "--stdin-name", "s"]
    done = vault("vault", "encrypt_string", "--vault-id", "one", *words, stdin="third")
    assert [line for line in done.out.splitlines() if "!vault" in line] == ["s: !vault |", "a: !vault |", "!vault |"]
    (vault.root / "vars.yml").write_text(vault("vault", "encrypt_string", "--vault-id", "one", "-n", "v", "hidden").out)
    played = vault.play("- assert: {that: v == 'hidden'}", "-e", "@vars.yml", "--vault-id", "one")
    assert played.code == 0, played.err


@pytest.mark.parametrize(
    ("words", "code"),
    [
        pytest.param(["encrypt", "--vault-id", "one", "--vault-id", "two", "plain"], 5, id="several passwords"),
        pytest.param(["encrypt", "--vault-id", "one", "--encrypt-vault-id", "x", "plain"], 1, id="no such identity"),
        pytest.param(["encrypt", "--vault-id", "empty", "plain"], 1, id="empty password"),
        pytest.param(["encrypt", "--vault-id", "one", "nowhere"], 1, id="no file"),
        pytest.param(["decrypt", "--vault-id", "one", "plain"], 1, id="not encrypted"),
        pytest.param(["view", "--vault-id", "nowhere", "plain"], 1, id="no password file"),
        pytest.param(["encrypt", "--vault-id", "one", "--output", "x", "plain", "one"], 5, id="several files, one output"),
        pytest.param(["rekey", "--vault-id", "one", "--new-vault-id", "a", "--new-vault-password-file", "b", "plain"], 2, id="two new passwords"),
        pytest.param(["view", "-J", "--vault-password-file", "one", "plain"], 2, id="asked for and given"),
        pytest.param(["encrypt_string", "--vault-id", "one", ""], 5, id="empty value"),
        pytest.param(["unknown"], 2, id="no such command"),
    ],
)  # fmt: skip
def test_what_is_wrong_gives_the_code_of_core(vault: CommandLine, words: list[str], code: int) -> None:
    done = vault("vault", *words)
    assert (done.code, bool(done.err)) == (code, True)
    assert (vault.root / "plain").read_text() == "text\n"


def test_a_password_that_cannot_be_had_is_no_fault_if_another_one_opens(vault: CommandLine) -> None:
    vault("vault", "encrypt", "--vault-id", "one", "plain")
    done = vault("vault", "view", "plain", ANSIBLE_VAULT_IDENTITY_LIST="a@nowhere,b@two,c@one")
    assert (done.code, done.out) == (0, "text\n")
    assert "nowhere" in done.err


def test_a_password_file_may_be_a_vault(vault: CommandLine) -> None:
    vault("vault", "encrypt", "--vault-id", "two", "plain")
    vault("vault", "encrypt", "--vault-id", "one", "two")
    assert vault("vault", "view", "--vault-id", "one", "--vault-id", "two", "plain").out == "text\n"
    assert vault("vault", "view", "--vault-id", "two", "plain").code == 1


def test_the_password_file_of_the_settings_counts_beside_those_given(vault: CommandLine) -> None:
    vault("vault", "encrypt", "--vault-id", "one", "plain")
    assert vault("vault", "view", "--vault-id", "two", "plain", ANSIBLE_VAULT_PASSWORD_FILE="one").out == "text\n"


def test_passwords_are_asked_for_where_none_is_named(vault: CommandLine) -> None:
    assert vault("vault", "encrypt", "plain", stdin="typed\ntyped\n").code == 0
    assert vault("vault", "view", "plain", stdin="typed\n").out == "text\n"
    assert vault("vault", "encrypt", "one", stdin="typed\nother\n").code == 1


def test_a_salt_of_the_settings_makes_texts_alike(vault: CommandLine) -> None:
    texts = [
        vault("vault", "encrypt", "--vault-id", "one", stdin="x", ANSIBLE_VAULT_ENCRYPT_SALT="s").out for _ in "ab"
    ]
    assert texts[0] == texts[1] != vault("vault", "encrypt", "--vault-id", "one", stdin="x").out


def test_a_wrong_password_ends_a_run_as_core_does(vault: CommandLine) -> None:
    vault.write(
        {"vars.yml": "v: 1\n", "site.yml": "- hosts: localhost\n  gather_facts: false\n  vars_files: vars.yml\n"}
    )
    vault("vault", "encrypt", "--vault-id", "one", "vars.yml")
    assert vault("site.yml", "--vault-id", "one").code == 0
    assert vault("site.yml", "--vault-id", "two").code == 1


@pytest.mark.parametrize("words", [["edit", "plain"], ["create", "--skip-tty-check", "fresh"]])
def test_no_editor_is_started_blindly(vault: CommandLine, words: list[str]) -> None:
    vault("vault", "encrypt", "--vault-id", "one", "plain")
    vault.write({"way/vi": "#!/bin/sh\ntouch started\n"})
    path = f"{vault.root}/way:{vault.environ['PATH']}"
    done = vault("vault", words[0], "--vault-id", "one", *words[1:], PATH=path)
    assert (done.code, "there is no terminal for vi" in done.err) == (5, True)
    assert not (vault.root / "started").exists()


WAYS = {
    "encrypt": ["encrypt", "plain"],
    "create": ["create", "--skip-tty-check", "new"],
    "encrypt_string": ["encrypt_string", "text"],
}
TYPED = {"another confirmation": "first\nother\n", "nothing": "\n\n", "no confirmation": "first\n", "no input": ""}


@pytest.mark.parametrize("typed", TYPED)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("configured", ["option", "setting", "identity list"])
def test_a_password_that_was_mistyped_is_not_replaced_by_another(
    vault: CommandLine, way: str, typed: str, configured: str
) -> None:
    more = {
        "option": (["--vault-password-file", "one"], {}),
        "setting": ([], {"ANSIBLE_VAULT_PASSWORD_FILE": "one"}),
        "identity list": ([], {"ANSIBLE_VAULT_IDENTITY_LIST": "dev@one"}),
    }
    options, environ = more[configured]
    command, *rest = WAYS[way]
    words = [command, "--vault-id", "x@prompt", *options, *rest]
    done = vault("vault", *words, stdin=TYPED[typed], EDITOR=f"{vault.root}/ed", **environ)
    assert done.code != 0, done.out
    assert "$ANSIBLE_VAULT" not in done.out
    assert "success" not in done.out + done.err
    assert (vault.root / "plain").read_text() == "text\n"
    assert not (vault.root / "new").exists()


@pytest.mark.parametrize("source", ["missing", "empty", "no"])
def test_a_source_that_gives_no_password_is_not_replaced_when_something_is_encrypted(
    vault: CommandLine, source: str
) -> None:
    done = vault("vault", "encrypt", "--vault-id", f"x@{source}", "--vault-password-file", "one", "plain")
    assert done.code != 0
    assert (vault.root / "plain").read_text() == "text\n"
