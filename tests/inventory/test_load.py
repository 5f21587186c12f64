from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import pytest

from pyplay.diagnostics.errors import InventoryError, PlaybookError
from pyplay.inventory.layers import host_layers, merged
from pyplay.inventory.varfiles import VarsFiles
from pyplay.source.settings import Settings, load_settings
from pyplay.source.text import Trusted


def values(loaded: Any, host: str) -> dict[str, Any]:
    inventory = loaded.inventory
    return merged(host_layers(inventory, inventory.hosts[host]))


def test_several_sources_merge_in_order(load: Any) -> None:
    loaded = load(
        {"a.ini": "[g]\nh a=1 b=1\n", "b.yml": "g: {hosts: {k: , h: {b: 2}}}\n", "c.toml": "[g.hosts]\nt = {x = 1}\n"}
    )
    assert not loaded.warnings
    assert loaded.inventory.hosts_in("g") == ["h", "k", "t"]
    assert values(loaded, "h") == {"a": 1, "b": 2}
    assert values(loaded, "t") == {"x": 1}


def test_a_host_list_needs_no_file(load: Any) -> None:
    loaded = load({}, ["one,two:22, ::1,", "three,"])
    assert list(loaded.inventory.hosts) == ["one", "two", "::1", "three"]
    assert values(loaded, "two") == {"ansible_port": 22}
    assert loaded.inventory.hosts["one"].inventory_file is None


def test_a_host_list_may_be_longer_than_any_file_name(load: Any) -> None:
    names = [f"host{i}.example.com" for i in range(3000)]
    loaded = load({}, [",".join(names)])
    assert list(loaded.inventory.hosts) == names
    assert not loaded.warnings


@pytest.mark.parametrize("source", ["x" * 5000, "nul\0", "a/" * 3000])
def test_what_cannot_be_a_path_is_a_source_that_is_not_there(load: Any, source: str) -> None:
    assert load({}, [source]).warnings


def test_ranges_in_host_lists_are_for_the_advanced_kind(load: Any) -> None:
    settings = Settings(inventory_enabled=("advanced_host_list",))
    assert list(load({}, ["h[1:2]:22,x"], settings=settings).inventory.hosts) == ["h1", "h2", "x"]
    assert list(load({}, ["h[1:2],x"]).inventory.hosts) == ["h[1:2]", "x"]


def test_a_directory_is_read_in_order_without_what_is_no_source(load: Any) -> None:
    files = {
        "inv/b.yml": "g: {hosts: {h: {a: b}}}\n",
        "inv/a.ini": "[g]\nfirst\nh a=a\n",
        "inv/c~": "[g]\nno1\n",
        "inv/c.bak": "[g]\nno2\n",
        "inv/c.orig": "[g]\nno3\n",
        "inv/c.txt": "[g]\nno4\n",
        "inv/ansible.cfg": "[g]\nno5\n",
        "inv/.hidden": "[g]\nno6\n",
        "inv/sub/z": "[g]\nlast\n",
        "inv/group_vars/g.yml": "v: 1\n",
        "inv/host_vars/h": "w: 2\n",
    }
    loaded = load(files, ["inv"])
    assert not loaded.warnings
    assert loaded.inventory.hosts_in("g") == ["first", "h", "last"]
    assert values(loaded, "h") == {"a": "b", "v": 1, "w": 2}
    assert loaded.inventory.hosts["last"].inventory_dir.endswith("inv/sub")


def test_ignored_names_can_be_set(load: Any) -> None:
    settings = Settings(inventory_ignore_extensions=(".ini",), inventory_ignore_patterns=("^x",))
    loaded = load({"inv/a.ini": "no\n", "inv/b.txt": "yes\n", "inv/x": "no\n"}, ["inv"], settings=settings)
    assert list(loaded.inventory.hosts) == ["yes"]


def test_a_broken_file_in_a_directory_is_a_warning(load: Any) -> None:
    loaded = load({"inv/a.ini": "[g]\nh\n", "inv/b.yml": "all:\n  hosts: [x]\n"}, ["inv"])
    assert list(loaded.inventory.hosts) == ["h"]
    assert loaded.codes == ["unparsed-inventory"]
    warning = loaded.warnings[0]
    assert (warning.origin.line, warning.origin.column) == (2, 10)
    assert [note.split(":")[0] for note in warning.notes] == ["auto", "yaml", "ini"]


def test_a_source_that_ends_in_a_fault_leaves_nothing_behind(load: Any) -> None:
    loaded = load({"a.ini": "[g]\nh\n", "b.ini": "[k]\nx\n[g:vars\n"})
    assert list(loaded.inventory.hosts) == ["h"]
    assert "k" not in loaded.inventory.groups


def test_all_sources_failing_is_a_warning(load: Any) -> None:
    loaded = load({"a.ini": "[we b]\n"}, ["a.ini", "missing"])
    assert loaded.codes == ["unparsed-inventory", "unparsed-inventory", "no-inventory"]
    assert "does not exist" in loaded.warnings[1].message
    assert loaded.inventory.localhost() is not None


@pytest.mark.parametrize("setting", ["inventory_any_unparsed_is_failed", "inventory_unparsed_is_failed"])
def test_failing_sources_are_errors_on_request(load: Any, setting: str) -> None:
    settings = Settings(**{setting: True})
    with pytest.raises(InventoryError):
        load({"a.ini": "[we b]\n"}, settings=settings)


def test_no_source_at_all_is_a_warning_too(load: Any) -> None:
    assert load({}, []).codes == ["no-inventory"]


def test_the_warning_can_be_silenced(load: Any) -> None:
    settings = Settings(inventory_unparsed_warning=False)
    assert load({"a.ini": "[we b]\n"}, settings=settings).codes == ["unparsed-inventory"]
    assert load({}, [], settings=settings).codes == []


def test_cycles_over_sources_are_named(load: Any) -> None:
    loaded = load({"a.yml": "a: {children: {b: }}\n", "b.yml": "b:\n  children:\n    a:\n"})
    warning = loaded.warnings[0]
    assert "groups contain each other: b → a → b" in warning.message
    assert warning.origin.line == 3
    steps = [(note.split(" at ")[0], note.rsplit("/", 1)[1]) for note in warning.notes[:2]]
    assert steps == [("b names a", "b.yml:3:5"), ("a names b", "a.yml:1:16")]


def test_one_name_for_group_and_host_is_a_warning(load: Any) -> None:
    assert load({"a.ini": "[web]\nweb\n"}).codes == ["name-twice"]


def test_group_names_that_are_no_variable_names(load: Any) -> None:
    files = {"a.ini": "[db-x]\nh\n[1st:children]\ndb-x\n"}
    loaded = load(files)
    assert loaded.codes == ["group-name"]
    assert "db-x" in loaded.inventory.groups
    for policy, name in (("ignore", "db-x"), ("silently", "db_x"), ("always", "db_x")):
        again = load(files, settings=Settings(force_valid_group_names=policy))
        assert not again.warnings
        assert again.inventory.groups[name].parents
        assert again.inventory.hosts_in(name) == ["h"]


LEVELS = {
    "inv/hosts": "[top:children]\ng\n[g]\nh{}\n[all:vars]\nv=inv_all\n[top:vars]\nv=inv_top\n[g:vars]\nv=inv_g\n",
    "inv/group_vars/all.yml": "v: file_all\n",
    "play/group_vars/all.yml": "v: play_all\n",
    "inv/group_vars/top.yml": "v: file_top\n",
    "inv/group_vars/g.yml": "v: file_g\n",
    "play/group_vars/g.yml": "v: play_g\n",
    "host": "",
    "inv/host_vars/h.yml": "v: file_h\n",
    "play/host_vars/h.yml": "v: play_h\n",
}
ORDER = [
    "inv_all",
    "inv_top",
    "inv_g",
    "file_all",
    "play_all",
    "file_top",
    "file_g",
    "play_g",
    "inv_h",
    "file_h",
    "play_h",
]


def test_layers_are_stacked_in_the_documented_order(load: Any, tmp_path: Path) -> None:
    files = {**LEVELS, "inv/hosts": LEVELS["inv/hosts"].format(" v=inv_h")}
    inventory = load(files, ["inv/hosts"]).inventory
    play = VarsFiles(str(tmp_path / "play"))
    layers = host_layers(inventory, inventory.hosts["h"], [play])
    assert [layer["v"] for layer in layers] == ORDER


def test_precedence_of_groups_can_be_set(load: Any) -> None:
    settings = Settings(precedence=("groups_inventory", "all_inventory"))
    loaded = load(
        {"hosts": "[g]\nh\n[all:vars]\nv=all\n[g:vars]\nv=g\n", "group_vars/g": "v: file\n"},
        ["hosts"],
        settings=settings,
    )
    assert values(loaded, "h") == {"v": "all"}


def test_layers_of_groups_are_shared_between_hosts(load: Any) -> None:
    inventory = load({"hosts": "[g]\nh[1:3]\n[g:vars]\na=1\n"}).inventory
    first, second = (host_layers(inventory, inventory.hosts[name]) for name in ("h1", "h2"))
    assert first[0] is second[0]
    inventory.set_group_vars("g", {"a": 2})
    assert merged(host_layers(inventory, inventory.hosts["h1"])) == {"a": 2}


def test_the_implicit_localhost_sees_group_vars_all(load: Any) -> None:
    inventory = load({"hosts": "[g]\nh\n", "group_vars/all": "a: 1\n", "group_vars/g": "b: 1\n"}, ["hosts"]).inventory
    host = inventory.localhost()
    assert merged(host_layers(inventory, host))["a"] == 1
    assert "b" not in merged(host_layers(inventory, host))


def test_files_of_a_group_in_a_directory_are_read_in_order(load: Any) -> None:
    files = {
        "hosts": "[g]\nh\n",
        "group_vars/g/b.yml": "a: b\n",
        "group_vars/g/a.yaml": "a: a\nc: '{{ x }}'\n",
        "group_vars/g/sub/c.json": '{"d": 1}',
        "group_vars/g/plain": "e: 1\n",
        "group_vars/g/no.txt": "f: 1\n",
        "group_vars/g/no~": "f: 1\n",
        "group_vars/g/.no": "f: 1\n",
        "group_vars/g.yml": "a: not this\n",
    }
    found = values(load(files, ["hosts"]), "h")
    assert found == {"a": "b", "c": "{{ x }}", "d": 1, "e": 1}
    assert isinstance(found["c"], Trusted)
    assert str(found["c"].origin).endswith("group_vars/g/a.yaml:2:4")


def test_a_vars_file_must_hold_a_mapping(load: Any) -> None:
    loaded = load({"hosts": "h\n", "group_vars/all": "- 1\n"}, ["hosts"])
    with pytest.raises(PlaybookError, match="mapping"):
        values(loaded, "h")


def test_thousands_of_hosts_cost_no_look_at_the_disk_each(load: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    inventory = load({"hosts": "h[1:3000]\n", "host_vars/h7": "a: 1\n"}, ["hosts"]).inventory
    looked: list[str] = []
    real = Path.is_file
    monkeypatch.setattr(Path, "is_file", lambda path: looked.append(str(path)) or real(path))
    assert sum("a" in merged(host_layers(inventory, host)) for host in inventory.hosts.values()) == 1
    assert len(looked) < 10


SCRIPT = """#!/bin/sh
echo oops >&2
[ "$1" = --host ] && {{ echo "{{\\"asked\\": \\"$2\\"}}"; exit; }}
cat "$0.json"
"""
ANSWER = """{"g": {"hosts": ["a", "b"], "vars": {"x": "{{ y }}", "raw": {"__ansible_unsafe": "{{ no }}"}}, "children": ["k"]},
 "l": ["c"], "old": {"y": "{{ x }}", "raw": {"__ansible_unsafe": "r"}}%s}"""


def run_script(load: Any, meta: str) -> Any:
    return load({"inv.sh": SCRIPT.replace("{{", "{").replace("}}", "}"), "inv.sh.json": ANSWER % meta}, ["inv.sh"])


def test_several_names_of_this_machine_are_a_warning(load: Any) -> None:
    assert load({"hosts": "localhost\n127.0.0.1\n"}).codes == ["several-localhosts"]


def test_a_script_with_meta_is_run_once(load: Any) -> None:
    loaded = run_script(load, ', "_meta": {"hostvars": {"a": {"z": 2}, "stranger": {"q": 1}}}')
    assert loaded.codes == ["script-stderr", "name-twice"]
    assert list(loaded.inventory.hosts) == ["a", "b", "c", "old"]
    found = values(loaded, "a")
    assert found == {"x": "{{ y }}", "raw": "{{ no }}", "z": 2}
    assert isinstance(found["x"], Trusted)
    assert str(found["x"].origin).partition(":")[0].endswith("inv.sh")
    assert not isinstance(found["raw"], Trusted)
    assert list(loaded.inventory.groups["g"].children) == ["k"]
    assert loaded.inventory.groups["old"].vars == {"y": "{{ x }}", "raw": "r"}
    assert not isinstance(loaded.inventory.groups["old"].vars["y"], Trusted)  # as in core: no template


def test_a_script_without_meta_is_asked_for_each_host(load: Any) -> None:
    assert values(run_script(load, ""), "c") == {"asked": "c"}


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("exit 3", "returned non-zero exit code 3"),
        ("echo no", "could not be parsed as JSON"),
        (r"printf '\377'", "cannot be interpreted as UTF-8"),
        ("echo '[]'", "'list' instead of 'dict'"),
        ('echo \'{"_meta": "x"}\'', "'_meta' is 'str' instead of 'dict'"),
        ('echo \'{"_meta": {"profile": 1}}\'', "'_meta.profile' is 'int' instead of 'str'"),
        ('echo \'{"_meta": {"profile": "other"}}\'', "Unknown profile name 'other'"),
        ("true", "printed nothing"),
        ("echo '{\"g\": 3}'", "neither"),
    ],
)
def test_a_script_that_fails_is_shown_with_its_reason(load: Any, body: str, words: str) -> None:
    loaded = load({"inv.sh": f"#!/bin/sh\n{body}\n"})
    assert any(words in note for note in loaded.warnings[0].notes)


def test_toml_may_list_names(load: Any) -> None:
    loaded = load(
        {"a.toml": '[web]\nchildren = ["db"]\nvars = {a = "x"}\n[web.hosts."w[1:2]"]\nb = 1\n[db.hosts]\nd = {}\n'}
    )
    assert loaded.inventory.hosts_in("web") == ["w1", "w2", "d"]
    assert values(loaded, "w1") == {"a": "x", "b": 1}


def test_a_file_for_an_unknown_plugin_names_it(load: Any) -> None:
    loaded = load({"aws.yml": "plugin: amazon.aws.ec3\n"})
    assert any("amazon.aws.ec3" in note for note in loaded.warnings[0].notes)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"web": {"hosts": {"h": {"a": 1}}}}', id="JSON"),
        pytest.param("web:\n  hosts:\n    h: {a: 1}\n", id="YAML"),
        pytest.param("[web]\nh a=1\n", id="INI"),
    ],
)
def test_a_file_without_extension_may_be_of_any_kind(load: Any, text: str) -> None:
    loaded = load({"hosts": text})
    assert not loaded.warnings
    assert loaded.inventory.hosts_in("web") == ["h"]
    assert values(loaded, "h") == {"a": 1}


@pytest.mark.parametrize(
    ("text", "place"),
    [
        pytest.param("all:\n  hosts: [x]\n", (2, 10), id="YAML"),
        pytest.param("[web]\nh a = 1\n", (2, 3), id="INI"),
    ],
)
def test_a_broken_file_without_extension_is_judged_as_what_it_looks_like(
    load: Any, text: str, place: tuple[int, int]
) -> None:
    (warning, _) = load({"hosts": text}).warnings
    assert (warning.origin.line, warning.origin.column) == place


def test_an_inventory_may_come_from_a_pipe(load: Any, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=("[web]\nh\n",))
    writer.start()
    assert load({}, ["pipe"]).inventory.hosts_in("web") == ["h"]
    writer.join()


def test_nothing_to_read_is_an_inventory_without_hosts(load: Any) -> None:
    loaded = load({}, [os.devnull])
    assert not loaded.warnings
    assert not loaded.inventory.hosts


def test_endings_of_yaml_inventories_can_be_set(load: Any, tmp_path: Path) -> None:
    settings = load_settings({"ANSIBLE_INVENTORY_PLUGIN_EXTS": ".yml, .winrm"}, str(tmp_path))
    loaded = load({"a.winrm": "web: {hosts: {h: }}\n"}, settings=settings)
    assert loaded.inventory.hosts_in("web") == ["h"]
    assert load({"b.winrm": "web: {hosts: {h: }}\n"}, ["b.winrm"]).codes[0] == "unparsed-inventory"
