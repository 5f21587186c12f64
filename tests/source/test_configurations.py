"""Configuration files in the manner of public projects mean what ansible-config says that they mean."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pyplay.source.catalogue import BASE, Catalogue, plain
from pyplay.source.plugin_settings import PLUGIN_OPTIONS
from pyplay.source.setting_names import ansible_name
from pyplay.source.settings import load_settings

FILES = sorted((Path(__file__).parent / "configurations").glob("*.cfg"))
LISTED = Path(__file__).parent / "ansible_settings.json"
MEANINGS = Path(__file__).parent / "configurations.json"
"""What ansible-config of ansible-core 2.21 says about each file: the settings that are no default, by name."""

TYPES = ("become", "cache", "callback", "connection", "inventory", "lookup", "shell", "vars")

MERGED = {"DEFAULT_TIMEOUT", "ANSIBLE_PIPELINING", "HOST_KEY_CHECKING"}
"""Settings here that plugins of Ansible have apart, with ini entries of their own: compared as options of the plugin."""
ELSEWHERE = {"cache.jsonfile._uri", "connection.ssh.private_key_file"}
"""Options that are compared as settings: as options Ansible shows them in another form."""


def _environ(home: str) -> dict[str, str]:
    return {"HOME": home, "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "USER": "me"}


def _meaning(path: Path, project: Path) -> dict[str, Any]:
    """Give the settings that the file at `path` makes no default, by Ansible's names; `TYPE.PLUGIN.OPTION` for plugins."""
    (project / "ansible.cfg").write_text(path.read_text())
    environ, cwd = _environ(str(project.parent / "home")), str(project)
    catalogue = Catalogue(load_settings(environ, cwd), environ, cwd)
    found = {entry.name: plain(entry.value) for entry in catalogue.base() if entry.changed}
    for type_ in TYPES:
        for plugin, options in catalogue.plugins(type_).items():
            found |= {f"{type_}.{plugin}.{e.name}": plain(e.value) for e in options if e.changed}
    return _moved(found, project)


def _moved(value: Any, project: Path) -> Any:
    return json.loads(json.dumps(value).replace(str(project.parent.parent), ""))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_means_what_ansible_takes_it_for(path: Path, tmp_path: Path) -> None:
    project = tmp_path / "srv" / "project"
    project.mkdir(parents=True)
    expected = json.loads(MEANINGS.read_text())[path.stem]
    meant = _meaning(path, project)
    assert {name: meant.get(name) for name in expected} == expected
    listed = {known["name"] for known in json.loads(LISTED.read_text())}
    assert meant.keys() & listed - expected.keys() <= MERGED


@pytest.mark.skipif("PYPLAY_ORACLE" not in os.environ, reason="PYPLAY_ORACLE names no ansible-core")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_is_stored_is_what_ansible_config_says_now(path: Path, tmp_path: Path) -> None:
    assert json.loads(MEANINGS.read_text())[path.stem] == oracle_meaning(os.environ["PYPLAY_ORACLE"], path, tmp_path)


def oracle_meaning(binaries: str, path: Path, place: Path) -> dict[str, Any]:
    """Give what the ansible-config in the directory `binaries` says about a file, of what is known here."""
    project = place / "srv" / "project"
    (project.parent / "home").mkdir(parents=True)
    project.mkdir()
    (project / "ansible.cfg").write_text(path.read_text())
    done = subprocess.run(
        [f"{binaries}/ansible-config", "dump", "-t", "all", "--only-changed", "-f", "json"],
        capture_output=True, check=True, env=_environ(str(project.parent / "home")), cwd=project,
    )  # fmt: skip
    base = {ansible_name(row) for row in BASE} - MERGED
    known = {f"{option.type}.{option.plugin}.{option.name}" for option in PLUGIN_OPTIONS} - ELSEWHERE
    found: dict[str, Any] = {}
    for entry in json.loads(done.stdout):
        if "name" in entry:
            found |= {entry["name"]: entry["value"]} if entry["name"] in base else {}
            continue
        for kind, plugins in entry.items():
            type_ = kind.removesuffix("_PLUGINS").lower()
            for plugin, options in ((p, o) for each in plugins if isinstance(each, dict) for p, o in each.items()):
                named = {f"{type_}.{plugin}.{o['name']}": o["value"] for o in options if o["origin"] != "REQUIRED"}
                found |= {name: value for name, value in named.items() if name in known}
    return _moved(found, project)
