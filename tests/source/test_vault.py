from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyplay.diagnostics.errors import OptionsError, PlaybookError
from pyplay.diagnostics.model import Origin
from pyplay.source import yaml
from pyplay.source.vault import Secret, VaultSecret, VaultSecrets, VaultText, decrypt, encrypt, parse_header
from pyplay.source.vault_sources import load_vault_secrets, split_id

if TYPE_CHECKING:
    from pathlib import Path

# made by ansible-vault encrypt_string with the password "pw"
FOREIGN = """$ANSIBLE_VAULT;1.1;AES256
30306639353736646132636238306431613063633766616332393162656263313331366433373965
3732343563316639613066393034323365333036316536330a633664316162623264663731326636
31366630613134636661396630383666623562653931383766653566356164636434616633643837
6361663630613366370a326639636533333963303562333030303433326230326163633233353134
6638
"""
PW = VaultSecret("default", b"pw")


def test_what_ansible_vault_wrote_is_read() -> None:
    assert VaultText(FOREIGN, None, VaultSecrets((PW,))).reveal() == "sec {{ 1 + 1 }}"


@settings(max_examples=20)
@given(st.binary(max_size=100), st.sampled_from(["default", "prod"]))
def test_round_trip(data: bytes, label: str) -> None:
    text = encrypt(data, VaultSecret(label, b"x"))
    assert decrypt(text, b"x") == data
    assert decrypt(text, b"y") is None
    assert parse_header(text) == ("" if label == "default" else label)
    assert all(len(line) <= 80 for line in text.splitlines())


def test_a_sealed_value_tells_nothing_and_opens_once() -> None:
    value = VaultText(FOREIGN, Origin("v.yml", 3, 4), VaultSecrets((PW,)))
    assert "sec" not in repr(value) + str(value) + f"{value}"
    assert value.reveal() is value.reveal()
    assert value.reveal().literal
    assert value.reveal().origin == Origin("v.yml", 3, 4)
    copy = pickle.loads(pickle.dumps(value))
    assert isinstance(copy, VaultText)
    assert copy.reveal() == value.reveal()
    opened = pickle.loads(pickle.dumps(value.reveal()))
    assert isinstance(opened, Secret)
    assert opened.literal
    assert "pw" not in repr(PW)


@pytest.mark.parametrize(
    ("secrets", "code"),
    [(None, "no-vault-password"), (VaultSecrets((VaultSecret("a", b"no"),)), "wrong-vault-password")],
)
def test_without_the_right_password_the_file_is_named(secrets: VaultSecrets | None, code: str) -> None:
    with pytest.raises(PlaybookError) as caught:
        VaultText(FOREIGN, Origin("group_vars/all.yml", 3, 4), secrets).reveal()
    (fault,) = caught.value.diagnostics
    assert fault.code == code
    assert "group_vars/all.yml" in fault.message
    assert "--vault-password-file" in fault.help
    assert ("correct the password" in fault.help) is (secrets is not None)


@pytest.mark.parametrize(
    "text",
    ["", "plain", "$ANSIBLE_VAULT;9.9;AES256\n61", "$ANSIBLE_VAULT;1.1;AES256\nzz", "$ANSIBLE_VAULT;1.1;AES256\n6161"],
)
def test_damaged_text_is_refused(text: str) -> None:
    with pytest.raises(PlaybookError, match="no vault text"):
        VaultText(text, None, VaultSecrets((PW,))).reveal()


def test_labels_decide_the_order() -> None:
    a, b = VaultSecret("a", b"1"), VaultSecret("b", b"2")
    assert VaultSecrets((a, b)).candidates("b") == [b, a]
    assert VaultSecrets((a, b), match=True).candidates("b") == [b]
    assert VaultSecrets((a, b), match=True).candidates("") == [a, b]
    assert VaultSecrets((a, b)).pick("b") == b
    with pytest.raises(OptionsError):
        VaultSecrets((a,)).pick("c")


def test_an_encrypted_file_gives_secrets_that_may_be_templates(tmp_path: Path) -> None:
    path = tmp_path / "v.yml"
    path.write_text(encrypt(b"a: x {{ y }}\n", PW))
    value = yaml.load_file(path, vault=VaultSecrets((PW,)))["a"]
    assert isinstance(value, Secret)
    assert not value.literal
    with pytest.raises(PlaybookError, match=r"v\.yml"):
        yaml.load_file(path)


def test_passwords_come_from_files_programs_and_prompts(tmp_path: Path) -> None:
    plain = tmp_path / "pw"
    plain.write_text("from file\n")
    program = tmp_path / "my-client.sh"
    program.write_text('#!/bin/sh\necho "$2"\n')
    program.chmod(0o755)
    asked: list[str] = []

    def ask(text: str) -> str:
        asked.append(text)
        return "typed"

    secrets = load_vault_secrets(
        ids=[f"dev@{program}", "prod@prompt"], password_files=[str(plain)], ask=True, prompt=ask
    ).secrets
    assert [(s.label, s.password) for s in secrets] == [
        ("dev", b"dev"),
        ("prod", b"typed"),
        ("default", b"from file"),
        ("default", b"typed"),
    ]
    assert asked == ["Vault password (prod): ", "Vault password: "]
    assert split_id("a@b@c") == ("a", "b@c")


def test_sources_that_give_no_password_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("\n")
    failing = tmp_path / "failing"
    failing.write_text("#!/bin/sh\necho no >&2\nexit 3\n")
    failing.chmod(0o755)
    no_program = tmp_path / "no_program"
    no_program.write_text("secret\n")
    no_program.chmod(0o755)
    for source in ("empty", "failing", "gone", "no_program"):
        with pytest.raises(OptionsError):
            load_vault_secrets(password_files=[str(tmp_path / source)])
    with pytest.raises(OptionsError, match="terminal"):
        load_vault_secrets(ask=True)


def test_a_password_program_is_found_where_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "real" / "program"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\nbasename "$0"\n')
    program.chmod(0o755)
    (tmp_path / "link").symlink_to(program)
    monkeypatch.chdir(tmp_path)
    assert [s.password for s in load_vault_secrets(ids=["link", "x@real/program"]).secrets] == [b"link", b"program"]
