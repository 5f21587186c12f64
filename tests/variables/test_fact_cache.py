"""Facts kept between runs, in files that ansible-core reads and writes, too."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from pyplay.diagnostics.errors import OptionsError
from pyplay.source.settings import load_settings
from pyplay.variables.fact_cache import FactCache, fact_cache
from pyplay.variables.log import Delta
from pyplay.variables.store import Store

if TYPE_CHECKING:
    from pathlib import Path

    from pyplay.diagnostics.model import Diagnostic


def test_facts_come_back_until_they_are_stale(tmp_path: Path) -> None:
    cache = FactCache(str(tmp_path / "facts"), timeout=100, prefix="mine_")
    cache.save("h1", {"ansible_os": "x", "list": [1, {"a": None}], "odd": {3}})
    assert cache.load("h1") == {"ansible_os": "x", "list": [1, {"a": None}], "odd": [3]}
    (path,) = (tmp_path / "facts").iterdir()
    assert path.name == "mine_s1_h1"
    os.utime(path, (0, 0))
    assert cache.load("h1") is None
    assert FactCache(str(tmp_path / "facts"), prefix="mine_").load("h1") is not None
    cache.remove("h1")
    assert cache.load("h1") is None


@pytest.mark.parametrize(
    ("name", "content"),
    [
        pytest.param("h1", {"a": 1}, id="before 2.19"),
        pytest.param(
            "s1_h1",
            {"__payload__": json.dumps({"a": {"value": 1, "tags": [], "__ansible_type": "_AnsibleTaggedInt"}})},
            id="2.19 and later",
        ),
    ],
)
def test_files_of_ansible_core_are_read(tmp_path: Path, name: str, content: dict[str, Any]) -> None:
    (tmp_path / name).write_text(json.dumps(content))
    assert FactCache(str(tmp_path)).load("h1") == {"a": 1}


def test_what_cannot_be_read_counts_as_not_there(tmp_path: Path) -> None:
    (tmp_path / "s1_h1").write_text("{")
    assert FactCache(str(tmp_path)).load("h1") is None


def test_cached_facts_lie_beneath_those_of_the_run(tmp_path: Path) -> None:
    cache = FactCache(str(tmp_path))
    cache.save("h1", {"ansible_a": "old", "ansible_b": "old"})
    store = Store(cache=cache)
    store.apply(Delta("h1", "facts", {"ansible_a": "new"}))
    assert store.ansible_facts("h1") == {"a": "new", "b": "old"}
    store.apply(Delta("h1", "reset", {"facts": True}))
    assert store.facts("h1") == {}


def settings_of(tmp_path: Path, **environ: str) -> Any:
    return load_settings({"HOME": str(tmp_path), **environ}, str(tmp_path))


def test_settings_say_where_facts_are_kept(tmp_path: Path) -> None:
    warnings: list[Diagnostic] = []
    assert fact_cache(settings_of(tmp_path), warnings.append) is None
    assert not warnings
    found = fact_cache(
        settings_of(tmp_path, ANSIBLE_CACHE_PLUGIN="jsonfile", ANSIBLE_CACHE_PLUGIN_CONNECTION=str(tmp_path)),
        warnings.append,
    )
    assert found is not None
    assert found.directory == str(tmp_path)
    assert fact_cache(settings_of(tmp_path, ANSIBLE_CACHE_PLUGIN="redis"), warnings.append) is None
    assert [warning.code for warning in warnings] == ["fact-cache"]
    with pytest.raises(OptionsError, match="needs a directory"):
        fact_cache(settings_of(tmp_path, ANSIBLE_CACHE_PLUGIN="jsonfile"), warnings.append)


def test_a_directory_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    warnings: list[Diagnostic] = []
    cache = FactCache(str(tmp_path / "file"), on_warning=warnings.append)
    for host in ("h1", "h2"):
        cache.save(host, {})
    (warning,) = warnings
    assert warning.message.startswith(f"facts are not kept in {tmp_path}/file any more: ")


def test_a_relative_directory_counts_from_the_file_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "conf").mkdir()
    config = tmp_path / "conf" / "my.cfg"
    config.write_text("[defaults]\nfact_caching = jsonfile\nfact_caching_connection = facts\n")
    environ = {"HOME": "/h", "ANSIBLE_CONFIG": str(config)}
    cache = fact_cache(load_settings(environ, str(tmp_path)), lambda _: None)
    assert cache is not None
    assert cache.directory == str(tmp_path / "conf" / "facts")
    environ |= {"ANSIBLE_CACHE_PLUGIN_CONNECTION": str(tmp_path / "there")}
    cache = fact_cache(load_settings(environ, str(tmp_path)), lambda _: None)
    assert cache is not None
    assert cache.directory == str(tmp_path / "there")
