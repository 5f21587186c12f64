"""Values kept in files, in the form that ansible-core has for them."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from pyplay.source.json_cache import JsonCache

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("value", [["a", {"b": 1}], {"x": None}, "text", 0, False])
def test_a_value_is_kept_until_it_is_stale_or_removed(tmp_path: Path, value: Any) -> None:
    cache = JsonCache(str(tmp_path / "new"), timeout=100, prefix="p_")
    assert cache.load("a/b") is None
    cache.save("a/b", value)
    assert cache.load("a/b") == value
    (file,) = (tmp_path / "new").iterdir()
    assert (file.name, json.loads(json.loads(file.read_text())["__payload__"])) == ("p_s1_a_b", value)
    os.utime(file, (1, 1))
    assert cache.load("a/b") is None
    assert JsonCache(cache.directory, prefix="p_").load("a/b") == value
    cache.remove("a/b")
    assert list((tmp_path / "new").iterdir()) == []


def test_what_older_versions_kept_is_read_and_garbage_is_not(tmp_path: Path) -> None:
    (tmp_path / "old").write_text('["x"]')
    (tmp_path / "s1_bad").write_text("{")
    cache = JsonCache(str(tmp_path))
    assert (cache.load("old"), cache.load("bad")) == (["x"], None)
