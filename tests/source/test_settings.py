from __future__ import annotations

import os
import pwd
from typing import TYPE_CHECKING

import pytest

from pyplay.diagnostics.errors import OptionsError
from pyplay.source.setting import Kind, Setting
from pyplay.source.settings import SETTINGS, Settings, load_settings
from pyplay.source.settings_load import read_settings

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path


def load(place: Path, config: str | None = None, **environ: str) -> Settings:
    if config is not None:
        (place / "ansible.cfg").write_text(config)
    return load_settings({"HOME": str(place / "home"), **environ}, str(place))


def test_every_row_has_a_name_of_its_own_and_a_doc() -> None:
    assert len({row.name for row in SETTINGS}) == len(SETTINGS)
    shared = ("inventory_yaml_extensions", "inventory_cache_")  # they have names of others, too
    own = [row for row in SETTINGS if not row.name.startswith(shared)]
    names = [name for row in own for name in row.env]
    assert len(set(names)) == len(names)
    keys = [key for row in own for key in row.ini]
    assert len(set(keys)) == len(keys)
    assert all(row.doc.endswith(".") for row in SETTINGS)
    fields = set(Settings.__annotations__)
    assert fields - {row.name for row in SETTINGS} == {"config_file", "origins", "warnings", "idle"}


def test_without_anything_the_defaults_hold(place: Path) -> None:
    settings = load(place)
    assert settings.forks == 50
    assert settings.roles_path[0] == str(place / "home/.ansible/roles")
    assert settings.inventory == ("/etc/ansible/hosts",)
    assert settings.origins == {}


def test_the_strongest_name_wins(place: Path) -> None:
    config = "[defaults]\nforks = 3\n"
    assert load(place, config).forks == 3
    assert load(place, config, ANSIBLE_FORKS="4").forks == 4
    config += "[pyplay]\nforks = 5\n"
    settings = load(place, config, ANSIBLE_FORKS="4")
    assert settings.forks == 5
    assert settings.origins["forks"] == "[pyplay] forks"
    settings = load(place, config, ANSIBLE_FORKS="4", PYPLAY_FORKS="6")
    assert settings.forks == 6
    assert settings.origins["forks"] == "PYPLAY_FORKS"


@pytest.mark.parametrize(
    ("line", "name", "expected"),
    [
        ("host_key_checking = False", "host_key_checking", False),
        ("host_key_checking = no ; inline comment", "host_key_checking", False),
        ("timeout = 30", "timeout", 30),
        ("remote_user = 'bob'", "remote_user", "bob"),
        ("gathering = SMART", "gathering", "smart"),
        ("callbacks_enabled = timer, profile_tasks", "callbacks_enabled", ("timer", "profile_tasks")),
        ("callbacks_enabled = 'timer', \"x y\"", "callbacks_enabled", ("timer", "x y")),
        ("inventory = '/a','/b'", "inventory", ("/a", "/b")),
        ("fact_caching_timeout = ", "fact_caching_timeout", 86400),
    ],
)
def test_texts_become_values(place: Path, line: str, name: str, expected: object) -> None:
    assert getattr(load(place, f"[defaults]\n{line}\n"), name) == expected


def test_paths_are_relative_to_where_they_were_written(place: Path) -> None:
    (place / "sub").mkdir()
    config = place / "sub" / "my.cfg"
    config.write_text("[defaults]\nroles_path = roles:~/r:{{CWD}}/c:$X/d\ninventory = a,b/hosts\nlibrary = ./lib\n")
    settings = load(place, ANSIBLE_CONFIG=str(config), X="/xx", ANSIBLE_LIBRARY="mods")
    assert settings.config_file == str(config)
    assert settings.roles_path == (f"{place}/sub/roles", f"{place}/home/r", f"{place}/c", "/xx/d")
    assert settings.inventory == (f"{place}/sub/a", f"{place}/sub/b/hosts")
    assert settings.library == (f"{place}/mods",)


def test_home_is_a_setting_that_others_follow(place: Path) -> None:
    assert load(place, ANSIBLE_HOME="/h").collections_path[0] == "/h/collections"


def test_without_home_the_user_database_tells_where_it_is(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = f"{pwd.getpwuid(os.getuid()).pw_dir}/.ansible/collections"
    assert load_settings({}, str(place)).collections_path[0] == expected
    monkeypatch.setattr(os, "getuid", lambda: 4_000_000_000)
    assert load_settings({"HOME": ""}, str(place)).collections_path[0] == "/.ansible/collections"


def test_a_directory_that_anybody_may_write_to_gives_no_config(place: Path) -> None:
    place.chmod(0o777)
    settings = load(place, "[defaults]\nforks = 3\n")
    assert settings.forks == 50
    assert [w.code for w in settings.warnings] == ["unsafe-config"]
    assert load(place, ANSIBLE_CONFIG=str(place / "ansible.cfg")).forks == 3


def test_a_config_that_anybody_may_write_to_is_passed_over(place: Path) -> None:
    path = place / "ansible.cfg"
    path.write_text("[defaults]\nforks = 3\n")
    path.chmod(0o646)
    settings = load(place)
    assert settings.forks == 50
    (warning,) = settings.warnings
    assert (warning.code, warning.message) == ("unsafe-config", f"{path} is not used: anybody may write to it")
    assert load(place, ANSIBLE_CONFIG=str(path)).forks == 3


@pytest.mark.parametrize("name", ["ansible.cfg", "."])
def test_a_config_of_another_user_is_warned_of(place: Path, name: str) -> None:
    path = place / "ansible.cfg"
    path.write_text("[defaults]\nforks = 3\n")
    if os.geteuid() != 0:
        pytest.skip("only root gives files away")
    os.chown(place / name, 12345, -1)
    settings = load(place)
    assert settings.forks == 3
    (warning,) = settings.warnings
    assert (warning.code, "another user, 12345" in warning.message) == ("foreign-config", True)
    assert not load(place, ANSIBLE_CONFIG=str(path)).warnings
    assert not load(place, SUDO_UID="12345").warnings


def test_who_sets_what_cannot_be_honoured_is_warned_and_the_rest_is_only_named(place: Path) -> None:
    table = [
        Setting("harmful", Kind.INT, 1, "", ini=(("defaults", "harmful"),), idle="why", unmet=True),
        Setting("harmless", Kind.INT, 1, "", env=("HARMLESS",), idle="why"),
        Setting("as_ever", Kind.INT, 1, "", env=("AS_EVER",), idle="why", unmet=True),
    ]
    (place / "ansible.cfg").write_text("[defaults]\nforks = 3\nharmful = 2\n")
    found = read_settings(table, {"HARMLESS": "2", "AS_EVER": "1"}, str(place))
    (warning,) = found.warnings
    assert (warning.message, str(warning.origin)) == (
        "[defaults] harmful changes nothing: why",
        f"{place}/ansible.cfg:3:1",
    )
    assert found.idle == ("[defaults] harmful", "HARMLESS")
    assert load(place, ANSIBLE_NOCOWS="1").idle == ("ANSIBLE_NOCOWS",)


@pytest.mark.parametrize(
    ("config", "message", "place_", "help_"),
    [
        ("timeout = abc", "the setting DEFAULT_TIMEOUT has an invalid value: [defaults] timeout", ":2:1", ""),
        ("  timeout : 3 # s", "DEFAULT_TIMEOUT has an invalid value", ":2:3", "';' begins a comment"),
        ("gathering = smrt", "DEFAULT_GATHERING has an invalid value", ":2:1", "did you mean 'smart'"),
        ("[pyplay]\nfork = 1", "[pyplay] has no setting 'fork'", ":3:1", "did you mean 'forks'"),
    ],
)
def test_a_wrong_value_is_shown_in_its_line(place: Path, config: str, message: str, place_: str, help_: str) -> None:
    with pytest.raises(OptionsError) as caught:
        load(place, f"[defaults]\n{config}\n")
    (fault,) = caught.value.diagnostics
    assert message in fault.message
    assert str(fault.origin) == f"{place}/ansible.cfg{place_}"
    assert fault.length > 0
    assert help_ in fault.help


def test_of_two_names_for_one_thing_the_last_wins(place: Path) -> None:
    assert load(place, ANSIBLE_TIMEOUT="5", ANSIBLE_SSH_TIMEOUT="7").timeout == 7
    config = "[ssh_connection]\ntimeout = 7\n[defaults]\ntimeout = 5\n"
    assert load(place, config).timeout == 7
    assert load(place, config, ANSIBLE_TIMEOUT="6").timeout == 6


def test_the_config_in_the_home_is_read_last(place: Path) -> None:
    (place / "home" / ".ansible.cfg").write_text("[defaults]\nforks = 7\n")
    assert load(place).forks == 7
    assert load(place, "[defaults]\n").forks == 50


@pytest.mark.parametrize(
    ("config", "match"),
    [
        ("[defaults]\nforks = many\n", "must be a number"),
        ("[defaults]\ngathering = sometimes\n", "must be one of"),
        ("[defaults]\nhost_key_checking = maybe\n", "must be yes or no"),
        ("[pyplay]\nfroks = 3\n", "no setting 'froks'"),
        ("forks = 3\n", "no ini file"),
        ("[defaults]\nforks = 3\nforks = 4\n", "'forks' is given twice"),
        ("[defaults]\nforks = 3\n[ssh_connection]\n[defaults]\n", r"\[defaults\] is given twice"),
    ],
)
def test_what_does_not_fit_is_refused(place: Path, config: str, match: str) -> None:
    with pytest.raises(OptionsError, match=match):
        load(place, config)


def test_unknown_names_of_others_never_fail(place: Path) -> None:
    assert load(place, "[defaults]\nfrobnicate = 1\n[galaxy]\nserver = x\n", ANSIBLE_WHATEVER="1").forks == 50


def test_no_color_is_on_whatever_it_holds(place: Path) -> None:
    assert load(place, NO_COLOR="true please").nocolor is True
    assert load(place, NO_COLOR="").nocolor is False


def test_settings_are_read_only_and_changed_in_copies() -> None:
    settings = Settings(forks=3)
    with pytest.raises(AttributeError, match="forks"):
        settings.forks = 4
    changed = settings.changed(forks=5, home="/x")
    assert (settings.forks, changed.forks, changed.home) == (3, 5, "/x")
    with pytest.raises(TypeError, match="spoons"):
        settings.changed(spoons=1)
