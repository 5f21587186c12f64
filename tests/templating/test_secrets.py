"""Vault values: decrypted when used, never evaluated, masked in what is shown."""

from __future__ import annotations

import base64
import json
import shlex
from typing import TYPE_CHECKING, Any
from urllib.parse import quote_plus

import pytest

from pyplay.diagnostics.errors import PlaybookError, TemplateError
from pyplay.source.settings import Settings
from pyplay.source.text import Trusted
from pyplay.source.vault import Secret, VaultSecret, VaultSecrets, VaultText, encrypt
from pyplay.templating.environment import TemplateEnvironment
from pyplay.templating.secrets import MASK, SecretTexts

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyplay.templating.templar import Templar

SHOWN: list[Callable[[str], str]] = [
    str,
    json.dumps,
    lambda text: json.dumps({"a": [text]}, ensure_ascii=False),
    lambda text: json.dumps({"msg": json.dumps({"a": text})}),
    repr,
    shlex.quote,
    lambda text: json.dumps(f"echo {shlex.quote(text)}"),
    lambda text: base64.b64encode(text.encode()).decode(),
    lambda text: f"http://x/?k={quote_plus(text)}",
]
SECRET = VaultSecret("default", b"pw")


def sealed(text: str, *, secrets: VaultSecrets | None = None) -> VaultText:
    return VaultText(encrypt(text.encode(), SECRET), None, secrets or VaultSecrets((SECRET,)))


def test_a_vault_value_is_decrypted_when_it_is_used_and_remembered(make_templar: Callable[..., Templar]) -> None:
    environment = TemplateEnvironment(Settings())
    templar = make_templar(environment=environment, v=sealed("deep {{ n }} secret"), other=sealed("not used"))
    assert templar.resolve(Trusted("<{{ v }}>")) == "<deep {{ n }} secret>"
    assert templar.condition(Trusted("v | length == 19"))
    assert "not used" not in list(environment.secrets)
    assert environment.secrets.mask("it is deep {{ n }} secret.") == f"it is {MASK}."


def test_text_of_an_encrypted_file_is_a_template_as_in_any_file(make_templar: Callable[..., Templar]) -> None:
    environment = TemplateEnvironment(Settings())
    templar = make_templar(environment=environment, v=Secret("file {{ n }} secret"), w=Secret("plain secret"))
    assert templar.resolve(Trusted("{{ v }} {{ w }}")) == "file 5 secret plain secret"
    assert {"plain secret", "file 5 secret"} <= set(environment.secrets)


def test_vault_values_in_containers_and_filters(make_templar: Callable[..., Templar]) -> None:
    environment = TemplateEnvironment(Settings())
    templar = make_templar(environment=environment, box={"in": [sealed("hidden")]})
    assert templar.resolve(Trusted("{{ box }}")) == {"in": ["hidden"]}
    assert templar.resolve({"password": sealed("letmein")}) == {"password": "letmein"}
    assert environment.secrets.mask("hidden letmein") == f"{MASK} {MASK}"


def test_a_value_that_cannot_be_opened_is_told(make_templar: Callable[..., Templar]) -> None:
    wrong = VaultSecrets((VaultSecret("default", b"other"),))
    with pytest.raises(PlaybookError):
        make_templar(v=sealed("x", secrets=wrong)).resolve(Trusted("{{ v }}"))


@pytest.mark.parametrize("secret", ["s3cret", 'quo"te\\d', "zwei\nZeilen da", "schlüssel", "it's"])
@pytest.mark.parametrize("show", SHOWN)
def test_a_secret_is_masked_however_it_is_quoted(secret: str, show: Any) -> None:
    texts = SecretTexts()
    texts.add(secret)
    shown = texts.mask(f"before {show(secret)} after")
    assert MASK in shown
    assert secret not in shown
    assert shown.startswith("before ")


def test_longer_secrets_go_first_and_short_ones_are_left() -> None:
    texts = SecretTexts()
    for text in ("abcd", "abcdef", "1", ""):
        texts.add(text)
    assert texts.mask("abcdef abcd 1") == f"{MASK} {MASK} 1"
    assert list(texts) == ["abcd", "abcdef"]


@pytest.mark.parametrize("expression", ["v", "m.a", "[v] | first", "{'k': v}.k"])
def test_a_value_knows_that_it_was_encrypted_until_it_leaves_the_template(
    make_templar: Callable[..., Templar], expression: str
) -> None:
    one = make_templar(v=sealed("open"), m={"a": sealed("open")})
    dumped = "{{ {'x': EXPRESSION} | to_nice_yaml(vault_behavior='WORD') }}".replace("EXPRESSION", expression)
    assert one.resolve(Trusted(dumped.replace("WORD", "decrypt"))) == "x: open\n"
    assert one.resolve(Trusted(dumped.replace("WORD", "redact"))) == "x: <redacted>\n"
    assert one.resolve(Trusted(dumped.replace("WORD", "keep_encrypted"))).startswith("x: !vault |\n    $ANSIBLE_VAULT;")
    with pytest.raises(TemplateError, match="dump a vaulted value"):
        one.resolve(Trusted(dumped.replace("WORD", "fail")))
    with pytest.raises(TemplateError, match="vault_behavior must be one of"):
        one.resolve(Trusted(dumped.replace("WORD", "other")))
    assert type(one.resolve(Trusted(f"{{{{ {expression} }}}}"))) is str
    assert one.resolve(Trusted(f"{{{{ {expression} is vault_encrypted }}}}")) is True
    assert one.resolve(Trusted(f"{{{{ ({expression} ~ '') is vault_encrypted }}}}")) is False
