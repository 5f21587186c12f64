from __future__ import annotations

import pickle
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyplay.diagnostics.errors import InventoryError
from pyplay.diagnostics.model import Origin
from pyplay.inventory.ini import parse_ini
from pyplay.inventory.model import Inventory


def inventory_of(text: str) -> Inventory:
    inventory = Inventory()
    parse_ini(text, "hosts").merge_into(inventory, "/inv/hosts")
    return inventory


TREE = """
z1
[c]
hc1
hc2
[a:children]
b
c
[b:children]
d
[d]
hd2
hd1
hc2
[e]
he1
hd1
[all]
hx
"""


def test_hosts_of_a_group_come_level_by_level() -> None:
    inventory = inventory_of(TREE)
    assert inventory.hosts_in("all") == ["hx", "z1", "he1", "hd1", "hc1", "hc2", "hd2"]
    assert inventory.hosts_in("a") == ["hc1", "hc2", "hd2", "hd1"]
    assert inventory.hosts_in("nope") == []


def test_groups_without_parents_are_children_of_all() -> None:
    inventory = inventory_of(TREE)
    assert list(inventory.groups["all"].children) == ["ungrouped", "a", "e"]
    assert list(inventory.groups["a"].children) == ["c", "b"]


def test_a_host_is_ungrouped_only_in_no_other_group() -> None:
    inventory = inventory_of("h\nk\n[all]\nx\n[g]\nk\n")
    assert list(inventory.groups["ungrouped"].hosts) == ["h", "x"]
    inventory.add_host("h", ["g"])
    assert list(inventory.groups["ungrouped"].hosts) == ["x"]
    assert inventory.group_names(inventory.hosts["h"]) == ["g"]
    assert inventory.group_names(inventory.hosts["x"]) == ["ungrouped"]


def test_groups_are_ordered_by_depth_priority_and_name() -> None:
    inventory = inventory_of("[b]\nh\n[a]\nh\n[p]\nh\n[top:children]\nb\n[p:vars]\nansible_group_priority=5\n")
    names = [group.name for group in inventory.groups_of(inventory.hosts["h"])]
    assert names == ["all", "a", "top", "p", "b"]
    assert "ansible_group_priority" not in inventory.groups["p"].vars


@pytest.mark.parametrize(
    ("links", "cycle"),
    [
        ([("a", "b"), ("b", "a")], "b → a → b"),
        ([("a", "b"), ("b", "c"), ("c", "a")], "c → a → b → c"),
    ],
)
def test_a_cycle_is_named(links: list[tuple[str, str]], cycle: str) -> None:
    inventory = Inventory()
    for parent, child in links[:-1]:
        inventory.add_child(parent, child)
    with pytest.raises(InventoryError, match=cycle):
        inventory.add_child(*links[-1])


def test_a_group_in_itself_is_a_fault() -> None:
    with pytest.raises(InventoryError, match="its own child"):
        Inventory().add_child("a", "a")


def test_a_source_at_fault_leaves_nothing_behind() -> None:
    inventory = inventory_of("[a:children]\nb\n[b]\nh\n")
    before = pickle.dumps({name: (list(g.children), list(g.hosts)) for name, g in inventory.groups.items()})
    with pytest.raises(InventoryError):
        parse_ini("[a]\nnew\n[b:children]\nx\na\n[x]\n", "other").merge_into(inventory, None)
    assert pickle.dumps({name: (list(g.children), list(g.hosts)) for name, g in inventory.groups.items()}) == before
    assert list(inventory.hosts) == ["h"]


def test_a_priority_is_a_whole_number() -> None:
    with pytest.raises(InventoryError) as caught:
        inventory_of("[g]\n[g:vars]\nansible_group_priority=high\n")
    assert caught.value.diagnostics[0].origin == Origin("hosts", 3, 24)


def test_the_implicit_localhost_is_in_no_group_and_no_list() -> None:
    inventory = inventory_of("h\n")
    host = inventory.localhost()
    assert host is not None
    assert host.implicit
    assert host.vars == {"ansible_connection": "local", "ansible_python_interpreter": sys.executable}
    assert "localhost" not in inventory.hosts
    assert inventory.hosts_in("all") == ["h"]
    assert [group.name for group in inventory.groups_of(host)] == ["all"]
    assert inventory.localhost("127.0.0.1") is not host
    assert inventory.localhost("h") is None


def test_a_named_localhost_is_no_implicit_one() -> None:
    inventory = inventory_of("localhost a=1\n")
    assert inventory.localhost() is None
    assert inventory.get_host("localhost") is inventory.hosts["localhost"]
    assert inventory.get_host("::1") is inventory.hosts["localhost"]
    assert inventory.localhost("127.0.0.1") is None


def test_changes_at_run_time_count_the_version_up_and_show() -> None:
    inventory = inventory_of("[g]\nh\n")
    assert inventory.groups_map()["g"] == ["h"]
    before = inventory.version
    inventory.add_host("new", ["g", "fresh"], {"x": 1})
    assert inventory.version > before
    assert inventory.groups_map()["g"] == ["h", "new"]
    assert inventory.groups_map()["all"] == ["h", "new"]
    assert inventory.hosts["new"].vars == {"x": 1}
    inventory.add_group("kid", parents=["fresh"])
    inventory.add_host("h", ["kid"])
    assert inventory.groups_map()["fresh"] == ["new", "h"]


def test_the_first_source_is_a_hosts_source() -> None:
    host = inventory_of("h\n").hosts["h"]
    assert (host.inventory_file, host.inventory_dir) == ("/inv/hosts", "/inv")


def test_it_pickles_flat() -> None:
    text = "\n".join(f"[g{g}]\nh[0:499]\n" for g in range(20))
    inventory = inventory_of(text)
    inventory.groups_of(inventory.hosts["h1"])
    again = pickle.loads(pickle.dumps(inventory))
    assert again.groups_map() == inventory.groups_map()
    assert again.hosts["h1"] == inventory.hosts["h1"]


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef")), max_size=20))
def test_groups_never_form_a_cycle(links: list[tuple[str, str]]) -> None:
    inventory = Inventory()
    for parent, child in links:
        try:
            inventory.add_child(parent, child)
        except InventoryError:
            assert parent == child or parent in inventory.descendants(child)
    for name, group in inventory.groups.items():
        for child in group.children:
            assert name not in inventory.descendants(child)
            assert inventory.depth(child) > inventory.depth(name)
        assert group.parents or name == "all"
        assert name in inventory.descendants("all")
