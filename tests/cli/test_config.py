"""`pyplay config`: settings shown, written and checked."""

from __future__ import annotations

import configparser
import json
from typing import TYPE_CHECKING

import pytest
import yaml

from pyplay.source.settings import SETTINGS, Settings, load_settings

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine


def test_only_what_is_no_default_with_its_place(pyplay: CommandLine) -> None:
    pyplay.write({"ansible.cfg": "[defaults]\nforks = 7\n"})
    done = pyplay("config", "dump", "--only-changed", ANSIBLE_TIMEOUT="5", ANSIBLE_PIPELINING="1")
    path = pyplay.root / "ansible.cfg"
    lines = done.out.splitlines()
    assert lines[0] == f"CONFIG_FILE() = {path}"
    assert lines[1].startswith("ANSIBLE_PIPELINING(env: ANSIBLE_PIPELINING) = True  # without effect: ")
    assert lines[2:] == [f"DEFAULT_FORKS({path}) = 7", "DEFAULT_TIMEOUT(env: ANSIBLE_TIMEOUT) = 5"]


@pytest.mark.parametrize("form", ["json", "yaml"])
def test_forms_for_programs(pyplay: CommandLine, form: str) -> None:
    done = pyplay("config", "dump", "--changed-only", "-f", form, PYPLAY_FORKS="9")
    assert yaml.safe_load(done.out) == [{"name": "DEFAULT_FORKS", "value": 9, "origin": "env: PYPLAY_FORKS"}]
    listed = yaml.safe_load(pyplay("config", "list", "-f", form).out)
    assert listed["DEFAULT_FORKS"]["default"] == Settings().forks
    assert {"section": "defaults", "key": "forks"} in listed["DEFAULT_FORKS"]["ini"]
    assert len(listed) == len(SETTINGS)


def test_viewing_the_file_that_counts(pyplay: CommandLine) -> None:
    assert pyplay("config", "view").code == 5
    pyplay.write({"x.cfg": "[defaults]\nforks = 8\n"})
    assert pyplay("config", "view", "-c", "x.cfg").out == "[defaults]\nforks = 8\n"
    assert (
        json.loads(pyplay("config", "dump", "--config", "x.cfg", "--only-changed", "-f", "json").out)[1]["value"] == 8
    )


@pytest.mark.parametrize("words", [["--disabled"], []])
def test_a_first_configuration_changes_nothing(pyplay: CommandLine, tmp_path: Path, words: list[str]) -> None:
    done = pyplay("config", "init", *words)
    pyplay.write({"ansible.cfg": done.out})
    if not words:
        configparser.RawConfigParser(strict=True).read_string(done.out)  # no name stands twice
    written, plain = (
        load_settings({"HOME": "/h", **more}, str(tmp_path)) for more in ({}, {"ANSIBLE_CONFIG": "/dev/null"})
    )
    for row in SETTINGS:
        assert getattr(written, row.name) == getattr(plain, row.name), row.name
    assert bool(written.origins) == (not words)
    assert pyplay("config", "validate").code == 0


def test_first_configurations_of_other_forms(pyplay: CommandLine) -> None:
    assert f"\nANSIBLE_FORKS={Settings().forks}\n" in pyplay("config", "init", "-f", "env").out
    values = yaml.safe_load(pyplay("config", "init", "-f", "vars").out)
    assert values["forks"] == Settings().forks
    assert yaml.safe_load(pyplay("config", "init", "-f", "vars", "--disabled").out) is None


def test_names_that_name_nothing_are_found_in_their_lines(pyplay: CommandLine) -> None:
    pyplay.write({"ansible.cfg": "[defaults]\nforks = 7\nrolespath = x\n[galaxy]\nany = 1\n[difff]\nalways = 1\n"})
    done = pyplay("config", "validate")
    assert done.code == 1
    assert "ansible.cfg:3:1" in done.err
    assert "did you mean 'roles_path'" in done.err
    assert "did you mean 'diff'" in done.err
    assert "any" not in done.err


@pytest.mark.parametrize(
    ("name", "code"),
    [("ANSIBLE_FORKS", 0), ("ANSIBLE_FORKZ", 1), ("ANSIBLE_COW_SELECTION", 0), ("PYPLAY_X", 1), ("OTHER", 0)],
)
def test_variables_that_set_nothing_are_found(pyplay: CommandLine, name: str, code: int) -> None:
    assert pyplay("config", "validate", "-f", "env", **{name: "3"}).code == code
