from __future__ import annotations

import json
import tomllib
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pyplay.diagnostics.errors import OptionsError
from pyplay.inventory.export import MASKED, InventoryView, json_text
from pyplay.inventory.toml_text import toml_text
from pyplay.inventory.varfiles import VarsFiles
from pyplay.inventory.yaml_text import yaml_text
from pyplay.source.text import Trusted
from pyplay.source.vault import Secret, VaultText

HOSTS = "lone\n[g]\nh1 a=1 b=x\nh2\n[top:children]\ng\n[top:vars]\nv=1\nansible_group_priority=5\n[empty]\n"


@pytest.fixture
def inventory(load: Any) -> Any:
    return load({"hosts": HOSTS, "group_vars/g": "file: 2\n"}, ["hosts"]).inventory


def test_list(inventory: Any) -> None:
    assert json.loads(json_text(InventoryView(inventory).list_data())) == {
        "_meta": {
            "hostvars": {"h1": {"a": 1, "b": "x", "file": 2, "v": 1}, "h2": {"file": 2, "v": 1}},
            "profile": "inventory_legacy",
        },
        "all": {"children": ["ungrouped", "top", "empty"]},
        "ungrouped": {"hosts": ["lone"]},
        "top": {"children": ["g"]},
        "g": {"hosts": ["h1", "h2"]},
    }


def test_export_leaves_variables_where_they_are_set(inventory: Any) -> None:
    data = InventoryView(inventory, export=True).list_data()
    assert data["_meta"]["hostvars"] == {"h1": {"a": 1, "b": "x"}}
    assert data["top"]["vars"] == {"v": 1, "ansible_group_priority": 5}
    assert data["g"]["vars"] == {"file": 2}


def test_a_limit_bounds_the_hosts(inventory: Any) -> None:
    data = InventoryView(inventory, hosts=["h2"]).list_data()
    assert list(data["_meta"]["hostvars"]) == ["h2"]
    assert data["g"] == {"hosts": ["h2"]}
    assert "ungrouped" not in data


def test_the_yaml_tree_shows_each_host_and_group_once(load: Any) -> None:
    inventory = load({"hosts": "[a:children]\nb\n[c:children]\nb\n[b]\nh x=1\n[d]\nh\n"}).inventory
    tree = InventoryView(inventory).tree_data()
    assert tree == {
        "all": {
            "children": {
                "a": {"children": {"b": {"hosts": {"h": {"x": 1}}}}},
                "c": {"children": {"b": {}}},
                "d": {"hosts": {"h": {}}},
            }
        }
    }
    assert yaml.safe_load(yaml_text(tree)) == tree


def test_host(inventory: Any) -> None:
    view = InventoryView(inventory, extra_vars={"e": Trusted("!")})
    assert view.host_data("h2") == {"file": 2, "v": 1, "e": "!"}
    assert view.host_data("localhost")["ansible_connection"] == "local"
    with pytest.raises(OptionsError) as caught:
        view.host_data("h3")
    assert caught.value.diagnostics[0].help


def test_graph(inventory: Any) -> None:
    view = InventoryView(inventory)
    assert view.graph_text().splitlines() == [
        "@all:",
        "  |--@ungrouped:",
        "  |  |--lone",
        "  |--@top:",
        "  |  |--@g:",
        "  |  |  |--h1",
        "  |  |  |--h2",
        "  |--@empty:",
    ]
    assert view.graph_text("g", show_vars=True).splitlines() == [
        "@g:",
        "  |--h1",
        "  |  |--{a = 1}",
        "  |  |--{b = x}",
        "  |  |--{file = 2}",
        "  |  |--{v = 1}",
        "  |--h2",
        "  |  |--{file = 2}",
        "  |  |--{v = 1}",
        "  |--{file = 2}",
    ]
    with pytest.raises(OptionsError):
        view.graph_text("nope")


def test_vars_files_of_a_playbook_count(inventory: Any, tmp_path: Any) -> None:
    (tmp_path / "p" / "host_vars").mkdir(parents=True)
    (tmp_path / "p" / "host_vars" / "h1").write_text("a: 9\n")
    for export in (False, True):
        view = InventoryView(inventory, export=export, playbook_vars=[VarsFiles(str(tmp_path / "p"))])
        assert view.list_data()["_meta"]["hostvars"]["h1"]["a"] == 9


def test_secrets_are_sealed_or_masked_in_every_form() -> None:
    data = {
        "h": {
            "sealed": VaultText("$ANSIBLE_VAULT;1.1;AES256\n6162\n"),
            "whole": Secret("hush"),
            "data": "{{ no }}",
            "text": Trusted("t"),
        }
    }
    for text in (json_text(data), yaml_text(data), toml_text(data)):
        assert "hush" not in text
        assert MASKED in text
        assert "6162" in text
    for text in (json_text(data, reveal=True), yaml_text(data, reveal=True), toml_text(data, reveal=True)):
        assert "hush" in text
    assert json.loads(json_text(data))["h"]["data"] == {"__ansible_unsafe": "{{ no }}"}
    assert json.loads(json_text(data))["h"]["text"] == "t"
    assert "!vault |" in yaml_text(data)


TOML_VALUES = st.recursive(
    st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False)
    | st.text()
    | st.dates()
    | st.datetimes(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), TOML_VALUES, max_size=4))
def test_toml_is_read_back(data: dict[str, Any]) -> None:
    assert tomllib.loads(toml_text(data)) == data
