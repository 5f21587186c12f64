"""Modules that edit text files: what their results hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import RunModule


def test_replace_tells_its_difference_only_where_it_is_asked_for(module: RunModule, tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_text("foo\n")
    asked = {"path": path, "regexp": "foo", "replace": "bar"}
    expected = {"before": "foo\n", "after": "bar\n", "before_header": str(path), "after_header": str(path)}
    assert "diff" not in module("replace", check=True, **asked)
    assert module("replace", diff=True, **asked)["diff"] == expected
    assert "diff" not in module("replace", diff=True, **asked)
