"""Patterns that are compiled at first use."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pyplay.diagnostics import patterns
from pyplay.diagnostics.patterns import late_pattern, late_patterns

if TYPE_CHECKING:
    import pytest


def test_a_late_pattern_does_what_the_pattern_does() -> None:
    late, plain = late_pattern(r"(\d+)-(\w)", re.ASCII), re.compile(r"(\d+)-(\w)", re.ASCII)
    text = "12-a 3-b"
    assert late.findall(text) == plain.findall(text)
    assert late.sub("x", text) == plain.sub("x", text)
    assert late.fullmatch(text) is None
    assert late.pattern == plain.pattern


def test_it_is_compiled_when_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    compile_ = re.compile
    monkeypatch.setattr(patterns, "_compile", lambda text, flags=0: compiled.append(text) or compile_(text, flags))
    late = late_pattern("a+")
    assert compiled == []
    assert [late.search(text) is not None for text in ("baab", "b")] == [True, False]
    assert compiled == ["a+"]


def test_modules_get_late_patterns_while_they_are_imported() -> None:
    before = re.compile
    with late_patterns():
        late, used = re.compile("(a)(b)?"), re.compile("b")
        assert used.sub("c", "abc") == "acc"
    assert re.compile is before
    assert not isinstance(late, re.Pattern)
    assert late.split("xaby") == ["x", "a", "b", "y"]
