"""`pyplay config`: settings shown, written and checked."""

from __future__ import annotations

import configparser
import json
from typing import TYPE_CHECKING

import pytest
import yaml

from pyplay.source.catalogue import BASE
from pyplay.source.settings import SETTINGS, Settings, load_settings

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine


def test_only_what_is_no_default_with_its_place(pyplay: CommandLine) -> None:
    pyplay.write({"ansible.cfg": "[defaults]\nforks = 7\n"})
    done = pyplay("config", "dump", "--only-changed", ANSIBLE_TIMEOUT="5", ANSIBLE_PIPELINING="1")
    path = pyplay.root / "ansible.cfg"
    lines = done.out.splitlines()
    assert lines[0].startswith("ANSIBLE_PIPELINING(env: ANSIBLE_PIPELINING) = True  # without effect: ")
    assert lines[1:4] == [
        f"CONFIG_FILE() = {path}",
        f"DEFAULT_FORKS({path}) = 7",
        "DEFAULT_TIMEOUT(env: ANSIBLE_TIMEOUT) = 5",
    ]
    assert lines[4:] == ["", "GALAXY_SERVERS:", ""]


@pytest.mark.parametrize("form", ["json", "yaml"])
def test_forms_for_programs(pyplay: CommandLine, form: str) -> None:
    done = pyplay("config", "dump", "--changed-only", "-f", form, PYPLAY_FORKS="9")
    assert yaml.safe_load(done.out) == [
        {"name": "DEFAULT_FORKS", "value": 9, "origin": "env: PYPLAY_FORKS"},
        {"GALAXY_SERVERS": {}},
    ]
    listed = yaml.safe_load(pyplay("config", "list", "-f", form).out)
    assert listed["DEFAULT_FORKS"]["default"] == Settings().forks
    assert {"section": "defaults", "key": "forks"} in listed["DEFAULT_FORKS"]["ini"]
    assert len(listed) == len(BASE)
    assert listed["GALAXY_TOKEN_PATH"]["without_effect"]


def test_viewing_the_file_that_counts(pyplay: CommandLine) -> None:
    assert pyplay("config", "view").code == 1
    pyplay.write({"x.cfg": "[defaults]\nforks = 8\n"})
    assert pyplay("config", "view", "-c", "x.cfg").out == "[defaults]\nforks = 8\n"
    assert (
        json.loads(pyplay("config", "dump", "--config", "x.cfg", "--only-changed", "-f", "json").out)[1]["value"] == 8
    )


@pytest.mark.parametrize("words", [["--disabled"], []])
def test_a_first_configuration_changes_nothing(pyplay: CommandLine, tmp_path: Path, words: list[str]) -> None:
    done = pyplay("config", "init", "-t", "all", *words)
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
    pyplay.write(
        {
            "ansible.cfg": "[defaults]\nforks = 7\nrolespath = x\n[galaxy]\nserver = 1\n[amazon_connection]\nany = 1\n[difff]\nalways = 1\n"
        }
    )
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


def test_servers_of_collections_are_shown(pyplay: CommandLine) -> None:
    config = "[galaxy]\nserver_list = one, two\n[galaxy_server.one]\nurl = https://one\nvalidate_certs = no\n"
    pyplay.write({"ansible.cfg": config})
    two = {"ANSIBLE_GALAXY_SERVER_TWO_TIMEOUT": "5"}
    shown = json.loads(pyplay("config", "dump", "-f", "json", **two).out)[-1]["GALAXY_SERVERS"]
    one = {entry["name"]: entry["value"] for entry in shown["one"]}
    assert (one["url"], one["validate_certs"], one["timeout"]) == ("https://one", False, 60)
    text = pyplay("config", "dump", "--only-changed", **two).out
    assert text.endswith("\ntwo\n===\ntimeout(env: ANSIBLE_GALAXY_SERVER_TWO_TIMEOUT) = 5\n")


def test_options_of_plugins_stand_under_their_type(pyplay: CommandLine) -> None:
    pyplay.write({"ansible.cfg": "[ssh_connection]\nssh_args = -C\nscp_executable = scp2\n"})
    shown = pyplay("config", "dump", "-t", "connection", "ssh", "--only-changed", ANSIBLE_SSH_TIMEOUT="3").out
    path = pyplay.root / "ansible.cfg"
    assert shown.splitlines()[:2] == ["", "ssh:"]
    assert f"ssh_args({path}) = -C\n" in shown
    assert f"scp_executable({path}) = scp2  # without effect: " in shown
    assert "timeout(env: ANSIBLE_SSH_TIMEOUT) = 3\n" in shown
    assert "\nCONNECTION:\n==========\n\nssh:\n" in pyplay("config", "dump", "-t", "all", "--changed-only").out
    done = pyplay("config", "dump", "-t", "connection", "shs")
    assert (done.code, "did you mean 'ssh'" in done.err) == (5, True)
    listed = yaml.safe_load(pyplay("config", "list", "-t", "become", "sudo").out)
    assert {"name": "ansible_sudo_exe"} in listed["PLUGINS"]["become"]["sudo"]["become_exe"]["vars"]


def test_a_value_that_does_not_fit_is_refused_wherever_its_setting_belongs(pyplay: CommandLine) -> None:
    pyplay.write({"ansible.cfg": "[galaxy]\nserver_timeout = soon\n"})
    done = pyplay("config", "validate")
    assert (done.code, "ansible.cfg:2:1" in done.err, "has an invalid value" in done.err) == (5, True, True)


def test_what_changes_nothing_is_named_only_to_those_who_want_to_know(pyplay: CommandLine) -> None:
    pyplay.write({"ansible.cfg": "[defaults]\nnocows = 1\n", "p.yml": "- hosts: localhost\n  gather_facts: no\n"})
    assert "nocows" not in pyplay("p.yml").err
    told = pyplay("p.yml", "-v").err
    assert f"Using {pyplay.root}/ansible.cfg as config file\n" in told
    assert "[defaults] nocows" in told
