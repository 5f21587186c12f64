from __future__ import annotations

import pickle
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyplay.diagnostics.errors import InventoryError
from pyplay.diagnostics.model import Origin
from pyplay.inventory.ini import parse_ini
from pyplay.inventory.members import Host
from pyplay.inventory.model import Inventory
from pyplay.source.text import SourceMap, Trusted

if TYPE_CHECKING:
    from collections.abc import Callable

Change = tuple[str, tuple[Any, ...]]

HOSTS = st.sampled_from(["a", "b", "c.example", "two\nlines", "", "ö", "localhost"])
GROUPS = st.sampled_from(["all", "ungrouped", "g1", "g2", "g3"])
VARS = st.dictionaries(
    st.sampled_from(["x", "y"]), st.sampled_from([1, Trusted("{{ t }}", Origin("f", 3, 4)), [None]])
).map(lambda given: SourceMap(given, Origin("f", 1, 1), dict.fromkeys(given, Origin("f", 2, 1))))
CHANGES: st.SearchStrategy[Change] = st.one_of(
    st.tuples(st.just("host"), st.tuples(HOSTS, st.lists(GROUPS, max_size=3), VARS, st.none() | st.integers(1, 9))),
    st.tuples(st.just("group"), st.tuples(GROUPS, st.lists(GROUPS, max_size=2), VARS)),
    st.tuples(st.just("priority"), st.tuples(GROUPS, st.integers(0, 3))),
    st.tuples(st.just("implicit"), st.tuples(GROUPS)),
)


def add_host(inventory: Inventory, name: str, groups: list[str], values: SourceMap, port: int | None) -> None:
    inventory.add_host(name, groups, values, port=port, source="/inv/hosts" if port else None)


def add_group(inventory: Inventory, name: str, parents: list[str], values: SourceMap) -> None:
    inventory.add_group(name, parents=parents, variables=values, origin=Origin("f", 9, 1))


def set_priority(inventory: Inventory, name: str, value: int) -> None:
    inventory.ensure_group(name)
    inventory.set_priority(name, value)


def join_implicit(inventory: Inventory, group: str) -> None:
    inventory.ensure_group(group)
    if inventory.localhost():
        inventory.join(group, ["localhost"])


MAKERS: dict[str, Callable[..., None]] = {
    "host": add_host,
    "group": add_group,
    "priority": set_priority,
    "implicit": join_implicit,
}


def change(inventory: Inventory, changes: list[Change]) -> None:
    for kind, arguments in changes:
        with suppress(InventoryError):  # groups in a circle
            MAKERS[kind](inventory, *pickle.loads(pickle.dumps(arguments)))


def seen(inventory: Inventory) -> dict[str, Any]:
    """Give all that readers of an inventory see."""
    hosts = [*inventory.hosts.values(), *filter(None, [inventory.localhost()])]
    return {
        "version": inventory.version,
        "names": [(key, type(key)) for key in inventory.hosts],
        "hosts": [
            (h.name, list(h.vars.items()), h.groups, h.source, h.implicit, getattr(h.vars, "key_origins", {}))
            for h in hosts
        ],
        "groups": [
            (key, g.name, list(g.vars.items()), g.vars.origin, g.vars.key_origins, list(g.hosts))
            for key, g in inventory.groups.items()
        ],
        "links": [(list(g.children.items()), list(g.parents), g.priority) for g in inventory.groups.values()],
        "map": inventory.groups_map(),
        "groups_of": [[group.name for group in inventory.groups_of(host)] for host in hosts],
        "settings": (inventory.sources, inventory.precedence, inventory.mismatch, inventory.replace_invalid),
    }


def copied(inventory: Inventory) -> Inventory:
    return pickle.loads(pickle.dumps(inventory))


@given(st.lists(CHANGES, max_size=8), st.lists(CHANGES, max_size=4))
def test_a_copy_reads_and_changes_like_the_original(before: list[Change], after: list[Change]) -> None:
    inventory = Inventory()
    change(inventory, before)
    copy, as_it_was = copied(inventory), seen(inventory)
    assert seen(copy) == as_it_was
    change(copy, after)
    assert seen(inventory) == as_it_was
    change(inventory, after)
    assert seen(copy) == seen(inventory)


def test_what_hosts_share_is_shared_by_their_copies() -> None:
    inventory = Inventory()
    parse_ini("[g]\na\nb\nc x=1\n", "hosts").merge_into(inventory, "/inv/hosts")
    inventory.hosts[next(iter(inventory.hosts))].vars = inventory.groups["g"].vars
    for each in (inventory, copied(inventory)):
        a, b, c = each.hosts.values()
        assert a.vars is each.groups["g"].vars
        assert b.groups is c.groups
        assert all(member is host.name for member, host in zip(each.groups["g"].hosts, (a, b, c), strict=True))
    assert inventory.hosts["b"].vars is copied(inventory).hosts["b"].vars


def test_a_host_of_thousands_costs_few_bytes() -> None:
    names = [f"web{number:05}.example.com" for number in range(2000)]
    inventory = Inventory()
    parse_ini("[g]\n" + "\n".join(names) + "\n", "hosts").merge_into(inventory, "/inv/hosts")
    assert len(pickle.dumps(inventory)) < sum(map(len, names)) + 10 * len(names)


def test_a_host_without_variables_gets_a_mapping_of_its_own_to_change() -> None:
    one, other = Host("one"), Host("other")
    with pytest.raises(TypeError):
        one.vars["x"] = 1  # type: ignore[index]  # readers have no business here
    one.own_vars()["x"] = 1
    assert (one.vars, other.vars) == ({"x": 1}, {})
    assert one.own_vars() is one.vars
