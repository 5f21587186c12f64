"""What a collection's `requires_ansible` takes."""

from __future__ import annotations

import pytest

from pyplay.source.requires import fits, requirement


@pytest.mark.parametrize(
    ("text", "version", "met"),
    [
        (">=2.15.0", "2.21.0", True),
        (">=2.30", "2.21.0", False),
        (">=2.9.10,<2.21", "2.21.0", False),
        (">=2.9.10, <2.21", "2.20.9", True),
        ("<=2.21", "2.21.0", True),
        (">2.21", "2.21.0", False),
        ("==2.21.*", "2.21.3", True),
        ("==2.20.*", "2.21.0", False),
        ("!=2.21.*", "2.21.0", False),
        ("!=2.20", "2.21.0", True),
        ("~=2.20", "2.21.0", True),
        ("~=2.20.1", "2.21.0", False),
        (">=2.21.0b1", "2.21.0", True),
        ("==2.21.0rc1", "2.21.0", False),
        ("<2.21.0.dev0", "2.21.0", False),
        ("", "2.21.0", True),
    ],
)
def test_every_clause_must_hold(text: str, version: str, *, met: bool) -> None:
    assert fits(text, version) is met


def test_what_is_no_comparison_is_said() -> None:
    with pytest.raises(ValueError, match="'newest' is no comparison"):
        fits(">=2.9,newest")


@pytest.mark.parametrize(
    "line",
    [
        "requires_ansible: '>=2.9'",
        'requires_ansible: ">=2.9"  # why',
        "requires_ansible: >=2.9",
        "requires_ansible : '>=2.9'",
    ],
)
def test_the_line_is_found_among_others(line: str) -> None:
    assert requirement(f"---\nplugin_routing:\n  requires_ansible: no\n{line}\naction_groups: {{}}\n") == ">=2.9"
    assert requirement("---\nplugin_routing: {}\n") == ""
