"""Values kept in files, in the form that ansible-core has for them."""

from __future__ import annotations

import json
import os
import stat
from typing import TYPE_CHECKING, Any

import pytest

from pyplay.source.json_cache import JsonCache

if TYPE_CHECKING:
    from collections.abc import Callable
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


def _link(place: Path) -> None:
    place.rename(place.with_name("elsewhere"))
    place.symlink_to("elsewhere")


def _pipe(place: Path) -> None:
    place.unlink()
    os.mkfifo(place)


def _given_away(place: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root gives files away")
    os.chown(place, 12345, -1)


@pytest.mark.parametrize("change", [_link, _pipe, _given_away, lambda place: place.chmod(0o646)])
def test_what_others_decide_about_counts_as_nothing(tmp_path: Path, change: Callable[[Path], object]) -> None:
    cache = JsonCache(str(tmp_path / "new"))
    cache.save("h", {"a": 1})
    (place,) = (tmp_path / "new").iterdir()
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert stat.S_IMODE(place.parent.stat().st_mode) == 0o700
    change(place)
    assert cache.load("h") is None
    cache.save("h", {"a": 2})
    assert cache.load("h") == {"a": 2}
    assert not place.is_symlink()


@pytest.mark.parametrize("key", ["../x", "/etc/x", "..", "a/../../x"])
def test_no_key_leads_out_of_the_directory(tmp_path: Path, key: str) -> None:
    cache = JsonCache(str(tmp_path / "new"))
    cache.save(key, 1)
    assert [path.name for path in tmp_path.iterdir()] == ["new"]
    assert cache.load(key) == 1
