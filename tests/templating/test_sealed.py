"""Encrypted values that no password opens."""

from __future__ import annotations

from typing import Any

import pytest

from pyplay.diagnostics.errors import PyplayError
from pyplay.diagnostics.model import Origin
from pyplay.source.settings import load_settings
from pyplay.source.text import Trusted
from pyplay.source.vault import VaultSecret, VaultSecrets, VaultText, encrypt
from pyplay.templating.plugins import standard_environment
from pyplay.templating.scope import MapScope
from pyplay.templating.templar import Templar

TEXT = VaultText(encrypt(b"open", VaultSecret("default", b"pw")), Origin("a.yml", 3, 7), VaultSecrets(()))
VARIABLES = {"v": TEXT, "both": {"plain": 1, "shut": TEXT}}


@pytest.fixture
def templar() -> Templar:
    return Templar(standard_environment(load_settings({}, "/")), MapScope(VARIABLES))


@pytest.mark.parametrize(("expression", "expected"), [
    ("v is vault_encrypted", True),
    ("v is ansible._protomatter.tagged_with('VaultedValue')", True),
    ("v | unvault('pw')", "open"),
    ("both.plain", 1),
    ("[v] | length", 1),
    ("both | length", 2),
])  # fmt: skip
def test_a_sealed_value_may_be_passed_on(templar: Templar, expression: str, expected: Any) -> None:
    assert templar.evaluate(expression) == expected


@pytest.mark.parametrize("expression", [
    "v", "both", "v ~ 'x'", "v | default('x')", "v is defined", "v.name", "v[0]", "v == 'open'", "'o' in v", "v | upper",
    "v | length", "'a' if v else 'b'", "[v] | first", "v | select", "both | string", "v is undefined", "v | to_json",
    "nothing | default(v)", "both | to_json", "[v] | join", "both.shut | string",
])  # fmt: skip
def test_a_sealed_value_fails_when_it_is_used(templar: Templar, expression: str) -> None:
    with pytest.raises(PyplayError, match=r"a\.yml is encrypted"):
        templar.evaluate(expression)


def test_a_sealed_value_fails_as_a_condition_and_in_a_text(templar: Templar) -> None:
    for text in ("{{ v }}", "a{{ v }}b"):
        with pytest.raises(PyplayError, match="encrypted"):
            templar.render_text(text)
    with pytest.raises(PyplayError, match="encrypted"):
        templar.condition(Trusted("v", Origin("a.yml", 9)))
