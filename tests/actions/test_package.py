"""package: which module it runs, and what it says where that is not installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pyplay.shipping.build import ModuleBuilder
from pyplay.shipping.search import ModuleSearch
from pyplay.source.collection_homes import full_name
from pyplay.source.collections import Collections

if TYPE_CHECKING:
    from pathlib import Path

    from bench import Bench

MODULE = """#!/usr/bin/python
# WANT_JSON
import json, sys
given = json.load(open(sys.argv[1]))
given = given.get("ANSIBLE_MODULE_ARGS", given)
print(json.dumps({"changed": True, "manager": %r, "given": {k: v for k, v in given.items() if not k.startswith("_")}}))
"""
MANAGERS = ["zypper", "pacman", "apk", "pkgng"]


def task(manager: str) -> str:
    return f"package: {{name: [a, b], state: present}}\nvars: {{ansible_pkg_mgr: {manager}}}"


@pytest.mark.parametrize("manager", MANAGERS)
def test_a_manager_whose_collection_is_missing(bench: Bench, manager: str) -> None:
    result = bench.run(task(manager)).result
    assert result["failed"] is True
    assert f"there is no module `{manager}`" in result["msg"]
    assert "pyplay install community.general" in result["msg"]


@pytest.mark.parametrize(
    "variables",
    ["{ansible_pkg_mgr: pacman}", "{ansible_facts: {pkg_mgr: pacman}}",
     "{ansible_facts: {pkg_mgr: pacman}, ansible_pkg_mgr: zypper}", "{ansible_facts: {}, ansible_pkg_mgr: pacman}"],
)  # fmt: skip
def test_looking_for_the_manager_says_nothing_of_the_playbook(bench: Bench, variables: str) -> None:
    found = bench.run(f"package: {{name: a}}\nvars: {variables}")
    assert "there is no module `pacman`" in found.result["msg"]
    assert not {"deprecations", "warnings"} & set(found.result)


@pytest.mark.parametrize("manager", MANAGERS)
def test_a_manager_of_an_installed_collection(bench: Bench, tmp_path: Path, manager: str) -> None:
    folder = tmp_path / "collections/ansible_collections/community/general/plugins/modules"
    folder.mkdir(parents=True)
    (folder.parents[1] / "MANIFEST.json").write_text('{"collection_info": {"version": "9.0.0"}}')
    (folder / f"{manager}.py").write_text(MODULE % manager)
    collections = Collections([str(tmp_path / "collections/ansible_collections")])
    bench.builder = ModuleBuilder(ModuleSearch(bench.settings, [str(tmp_path)], collections=collections))
    result = bench.run(task(manager)).result
    assert result.get("failed", False) is False, result
    assert (result["manager"], result["given"]) == (manager, {"name": ["a", "b"], "state": "present"})


@pytest.mark.parametrize(
    ("manager", "words"),
    [("unknown", "Could not detect which package manager"), ("atomic_container", "community.general.rpm_ostree_pkg")],
)
def test_a_host_without_a_manager(bench: Bench, manager: str, words: str) -> None:
    result = bench.run(f"package: {{name: a}}\nvars: {{ansible_pkg_mgr: {manager}}}").result
    assert result["failed"] is True
    assert words in result["msg"]


@pytest.mark.parametrize(
    "name",
    ["portage", "xbps", "opkg", "urpmi", "swupd", "openbsd_pkg", "homebrew", "pkgin", "pkg5", "apt_rpm", "slackpkg"],
)
def test_every_manager_that_facts_name_has_a_home(name: str) -> None:
    assert full_name("modules", name) == f"community.general.{name}"
