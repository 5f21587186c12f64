"""What playbooks can find out of a value's marks."""

from __future__ import annotations

from typing import Any

import pytest

from pyplay.diagnostics.model import Origin
from pyplay.source.settings import load_settings
from pyplay.source.text import Trusted
from pyplay.templating.filters.errors import FilterError
from pyplay.templating.filters.serialization import from_json
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
    ("answer | ansible._protomatter.apply_trust is ansible._protomatter.tagged_with('TrustedAsTemplate')", True),
    ("5 | ansible._protomatter.apply_trust", 5),
    ("answer | ansible._protomatter.apply_trust", "{{ x }}"),
    ("'[1, {2: None}]' | ansible._protomatter.python_literal_eval", [1, {2: None}]),
    ("('x' | vault('pw', wrap_object=true)) is ansible._protomatter.tagged_with('VaultedValue')", True),
    ("('x' | vault('pw')) is ansible._protomatter.tagged_with('VaultedValue')", False),
])  # fmt: skip
def test_marks(expression: str, expected: Any) -> None:
    templar = Templar(standard_environment(load_settings({}, "/")), MapScope(VARIABLES))
    assert templar.evaluate(expression) == expected


@pytest.mark.parametrize(
    ("text", "profile", "value"),
    [
        ('{"a": "b", "c": [1, {"d": "e"}]}', "inventory_legacy", {"a": "b", "c": [1, {"d": "e"}]}),
        ('{"a": [{"__ansible_unsafe": "b"}]}', "inventory_legacy", {"a": ["b"]}),
        ('{"a": {"__ansible_unsafe": "b"}}', "legacy", {"a": "b"}),
        ('{"a": {"__ansible_unsafe": "b"}}', "tagless", {"a": {"__ansible_unsafe": "b"}}),
    ],
)
def test_a_profile_tells_how_json_is_marked(text: str, profile: str, value: Any) -> None:
    assert from_json(text, profile=profile) == value


def test_profiles_have_names() -> None:
    with pytest.raises(FilterError, match="Unknown profile name 'nope'"):
        from_json("1", profile="nope")
