"""Every setting of Ansible's configuration is known, by its names and with its default."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pyplay.source.catalogue import BASE, Catalogue, all_rows, find_row
from pyplay.source.plugin_settings import PLUGIN_OPTIONS
from pyplay.source.setting import Kind
from pyplay.source.setting_names import ansible_name
from pyplay.source.settings import load_settings

KNOWN = Path(__file__).parent / "ansible_settings.json"
"""What `ansible-config list` of ansible-core 2.21 knows: names, variables, ini entries, kinds and defaults."""

OWN_DEFAULTS = {"DEFAULT_FORKS", "DEFAULT_BECOME_FLAGS"}
"""Settings whose default differs: on purpose, or because the plugin that reads them knows it."""

NOT_COMPARED = {"CONFIG_FILE", "DEFAULT_LOCAL_TMP"}  # the former is no setting, the latter new in every run

KINDS = {
    "boolean": Kind.BOOL,
    "bool": Kind.BOOL,
    "integer": Kind.INT,
    "int": Kind.INT,
    "float": Kind.FLOAT,
    "list": Kind.LIST,
    "path": Kind.PATH,
    "tmppath": Kind.PATH,
    "pathspec": Kind.PATHS,
    "pathlist": Kind.PATH_LIST,
}


def _known() -> list[dict[str, Any]]:
    return json.loads(KNOWN.read_text())


@pytest.mark.parametrize("known", _known(), ids=lambda known: known["name"])
def test_a_setting_is_known_as_it_is_to_ansible(known: dict[str, Any], tmp_path: Path) -> None:
    row = find_row(known["name"])
    assert row is not None
    assert set(known["env"]) <= set(row.env)
    assert {tuple(place) for place in known["ini"]} <= set(row.ini)
    assert set(known["vars"]) <= set(row.variables)
    assert set(known["choices"]) == set(row.choices)
    if known["type"] in KINDS:
        assert row.kind is KINDS[known["type"]]
    if known["name"] not in OWN_DEFAULTS:
        environ = {"HOME": "/home/x"}
        entry = Catalogue(load_settings(environ, str(tmp_path)), environ, str(tmp_path)).find(known["name"])
        assert entry is not None
        value = list(entry.value) if isinstance(entry.value, tuple) else entry.value
        assert (value, entry.origin) == (known["default"], "default")


def test_no_name_is_shared_by_accident() -> None:
    names = [ansible_name(row) for row in BASE]
    assert len(names) == len(set(names))
    assert all(row.idle or row.own or row.name.startswith("lookup_url") for row in all_rows())
    options = [(option.type, option.plugin, option.name) for option in PLUGIN_OPTIONS]
    assert len(options) == len(set(options))


def test_a_plugins_option_is_set_by_variables_then_by_the_last_of_its_settings(tmp_path: Path) -> None:
    environ = {"ANSIBLE_BECOME_EXE": "/a", "ANSIBLE_SUDO_EXE": "/b", "HOME": "/h"}
    catalogue = Catalogue(load_settings(environ, str(tmp_path)), environ, str(tmp_path))
    entry = catalogue.plugin_option("become", "ansible.builtin.sudo", "become_exe", {})
    assert entry is not None
    assert (entry.value, entry.origin) == ("/b", "env: ANSIBLE_SUDO_EXE")
    variables = {"ansible_become_exe": "/c", "ansible_sudo_exe": "/d"}
    entry = catalogue.plugin_option("become", "sudo", "become_exe", variables)
    assert entry is not None
    assert (entry.value, entry.origin) == ("/d", "var: ansible_sudo_exe")
    assert catalogue.plugin_option("become", "sudo", "frobnicate", variables) is None


@pytest.mark.skipif("PYPLAY_ORACLE" not in os.environ, reason="PYPLAY_ORACLE names no ansible-core")
def test_what_is_known_is_what_ansible_core_knows_now(tmp_path: Path) -> None:
    assert describe_oracle(os.environ["PYPLAY_ORACLE"], tmp_path) == _known()


def describe_oracle(binaries: str, home: Path) -> list[dict[str, Any]]:
    """Give the contents of KNOWN as the ansible-config in the directory `binaries` tells them."""
    environ = {"HOME": str(home), "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}

    def ask(*words: str) -> Any:
        done = subprocess.run(
            [f"{binaries}/ansible-config", *words, "-f", "json"], capture_output=True, check=True, env=environ, cwd=home
        )
        return json.loads(done.stdout.replace(str(home).encode(), b"/home/x"))

    defaults = {entry["name"]: entry["value"] for entry in ask("dump") if "name" in entry}
    return [
        {
            "name": name,
            "type": row.get("type") or "",
            "default": defaults[name],
            "env": [place["name"] for place in row.get("env", [])],
            "ini": [[place["section"], place["key"]] for place in row.get("ini", [])],
            "vars": [place["name"] for place in row.get("vars", [])],
            "choices": list(row.get("choices") or []),
        }
        for name, row in sorted(ask("list").items())
        if name in defaults and name not in NOT_COMPARED
    ]
