"""What playbooks can find out of a value's marks."""

from __future__ import annotations

from typing import Any

import pytest

from pyplay.diagnostics.model import Origin
from pyplay.source.settings import load_settings
from pyplay.source.text import Trusted
from pyplay.templating.plugins import standard_environment
from pyplay.templating.scope import MapScope
from pyplay.templating.templar import Templar

VARIABLES = {
    "mine": Trusted("hello", Origin("a.yml", 3, 7)),
    "made": Trusted("{{ mine }}!", Origin("a.yml", 4, 7)),
    "answer": "{{ x }}",
}


@pytest.mark.parametrize(("expression", "expected"), [
    ("mine is ansible._protomatter.tagged_with('TrustedAsTemplate')", True),
    ("mine is ansible._protomatter.tagged_with('VaultedValue')", False),
    ("made is ansible._protomatter.tagged_with('TrustedAsTemplate')", False),
    ("answer is ansible._protomatter.tagged", False),
    ("1 is ansible._protomatter.tagged", False),
    ("mine | ansible._protomatter.origin", "a.yml:3:7"),
    ("answer | ansible._protomatter.origin", None),
    ("mine | ansible._protomatter.tag_names", ["Origin", "TrustedAsTemplate"]),
    ("('x' | vault('pw', wrap_object=true)) is ansible._protomatter.tagged_with('VaultedValue')", True),
    ("('x' | vault('pw')) is ansible._protomatter.tagged_with('VaultedValue')", False),
])  # fmt: skip
def test_marks(expression: str, expected: Any) -> None:
    templar = Templar(standard_environment(load_settings({}, "/")), MapScope(VARIABLES))
    assert templar.evaluate(expression) == expected
