"""Hosts that are made when they are asked for: nobody can tell that they were not there before."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyplay.diagnostics.model import Origin
from pyplay.inventory.ini import parse_ini
from pyplay.inventory.members import NO_VARS
from pyplay.inventory.model import Inventory
from pyplay.source.text import SourceMap, Trusted, origin_of

if TYPE_CHECKING:
    from pyplay.inventory.members import Host

NAMES = ["a", "b", "c", "d", "e"]
LINES = st.lists(
    st.sampled_from([*NAMES, *NAMES, "a x=1", "b:2222", "c x=2 y=3", "[g]", "[h]", "[ungrouped]", "[all]"]), max_size=9
)
SOURCES = st.lists(LINES, min_size=1, max_size=3)


def asked_for_all(inventory: Inventory) -> list[Host]:
    return [inventory.hosts[name] for name in inventory.hosts]


def read(sources: list[list[str]], *, asking: bool) -> Inventory:
    """Give the inventory of INI `sources`; with `asking` every host is asked for after each of them."""
    inventory = Inventory()
    for number, lines in enumerate(sources):
        parse_ini("\n".join(lines) + "\n", f"hosts{number}").merge_into(inventory, f"/inv/hosts{number}")
        if asking:
            asked_for_all(inventory)
    return inventory


def seen(inventory: Inventory) -> Any:
    hosts = [(h.name, dict(h.vars), h.groups, h.source, h.implicit) for h in asked_for_all(inventory)]
    return hosts, [(name, list(group.hosts)) for name, group in inventory.groups.items()], inventory.groups_map()


@given(SOURCES)
def test_asking_for_hosts_changes_nothing(sources: list[list[str]]) -> None:
    asked, unasked = read(sources, asking=True), read(sources, asking=False)
    travelled = pickle.loads(pickle.dumps(unasked))
    assert seen(travelled) == seen(asked)
    assert seen(unasked) == seen(asked)


@given(SOURCES, st.lists(st.sampled_from([*NAMES, "none"])))
def test_it_reads_as_a_dict(sources: list[list[str]], names: list[str]) -> None:
    hosts = read(sources, asking=False).hosts
    model = {host.name: host for host in asked_for_all(read(sources, asking=True))}
    assert (len(hosts), list(hosts), list(hosts.keys())) == (len(model), list(model), list(model))
    for name in names:
        assert (name in hosts) == (name in model)
        assert hosts.get(name) == model.get(name)
        assert hosts.get(name) is hosts.get(name)
        if name in model:
            assert hosts[name] == model[name]
        else:
            with pytest.raises(KeyError):
                _ = hosts[name]
    assert dict(hosts.items()) == model
    assert list(hosts.values()) == list(model.values())


def test_a_host_has_the_name_of_the_inventory_whoever_asks() -> None:
    hosts = read([["web1"]], asking=False).hosts
    assert type(hosts[Trusted("web1", Origin("site.yml", 1, 1))].name) is str


def test_a_name_that_knows_where_it_stands_keeps_that() -> None:
    written = Trusted("web1", Origin("hosts.yml", 1, 1))
    inventory = Inventory()
    inventory.ensure_hosts({written: NO_VARS}, {}, "/inv/hosts.yml")
    for each in (inventory, pickle.loads(pickle.dumps(inventory))):
        assert origin_of(each.hosts["web1"].name) == written.origin


def test_what_is_said_of_one_host_is_said_of_it_alone() -> None:
    hosts = read([["[g]", "a", "b"]], asking=False).hosts
    hosts["a"].own_vars()["x"] = 1
    hosts["a"].groups = ("other",)
    assert (hosts["b"].vars, hosts["b"].groups) == ({}, ("g",))
    hosts["b"].vars = SourceMap({"y": 2})
    assert (hosts["a"].vars, hosts["b"].vars) == ({"x": 1}, {"y": 2})


def test_a_port_counts_for_a_host_that_is_new_and_variables_always() -> None:
    hosts = read([["a", "b:22 x=1"], ["a:23 x=2", "b:24 x=3"]], asking=False).hosts
    assert hosts["a"].vars == {"x": 2}
    assert hosts["b"].vars == {"ansible_port": 22, "x": 3}
