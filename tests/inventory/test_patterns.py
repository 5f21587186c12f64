from __future__ import annotations

import fnmatch
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyplay.diagnostics.errors import InventoryError
from pyplay.diagnostics.model import Diagnostic, Origin
from pyplay.inventory.ini import parse_ini
from pyplay.inventory.model import Inventory
from pyplay.inventory.patterns import select, split_pattern
from pyplay.source.text import Trusted

if TYPE_CHECKING:
    from pathlib import Path

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
2001:db8::1
"""


def tree() -> Inventory:
    inventory = Inventory()
    parse_ini(TREE, "hosts").merge_into(inventory, None)
    return inventory


def names(pattern: str | list[str], limit: str | None = None, warnings: list[Diagnostic] | None = None) -> list[str]:
    found = select(tree(), pattern, limit=limit, on_warning=None if warnings is None else warnings.append)
    return [host.name for host in found]


# What ansible-core 2.21 answered for the same inventory.
@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("all", "hx 2001:db8::1 z1 he1 hd1 hc1 hc2 hd2"),
        ("*", "hx 2001:db8::1 z1 he1 hd1 hc1 hc2 hd2"),
        ("", "hx 2001:db8::1 z1 he1 hd1 hc1 hc2 hd2"),
        ("a", "hc1 hc2 hd2 hd1"),
        ("d:c", "hd2 hd1 hc2 hc1"),
        ("h*", "hc1 hc2 hd2 hd1 he1 hx"),
        ("~h[cd]", "hc1 hc2 hd2 hd1"),
        ("~(hc|hd)1", "hc1 hd1"),
        ("a:!d", "hc1"),
        ("!d:a", "hc1"),
        ("!d", "hx 2001:db8::1 z1 he1 hc1"),
        ("a:&d", "hc2 hd2 hd1"),
        ("&d:a", "hc2 hd2 hd1"),
        ("a:&d:!hd1", "hc2 hd2"),
        ("a[0]", "hc1"),
        ("a[-1]", "hd1"),
        ("a[1:2]", "hc2 hd2"),
        ("a[1:]", "hc2 hd2 hd1"),
        ("a[9]", ""),
        ("c[5:9]", ""),
        ("d[1]:c", "hd1 hc1 hc2"),
        ("hc1[0]", "hc1"),
        ("a,e", "hc1 hc2 hd2 hd1 he1"),
        ("e d", "he1 hd1 hd2 hc2"),
        ("ungrouped", "z1 hx 2001:db8::1"),
        ("hc1:hc1", "hc1"),
        ("localhost", "localhost"),
        ("127.0.0.1", "127.0.0.1"),
        ("::1", "::1"),
        ("2001:db8::1", "2001:db8::1"),
        ("[2001:db8::1]:22", "2001:db8::1"),
        ("hc1:localhost", "hc1 localhost"),
        ("all:!localhost", "hx 2001:db8::1 z1 he1 hd1 hc1 hc2 hd2"),
        (["a", "!d"], "hc1"),
    ],
)
def test_a_pattern_names_these_hosts(pattern: str | list[str], expected: str) -> None:
    assert names(pattern) == expected.split()


@pytest.mark.parametrize(
    ("pattern", "left"),
    [("nope", ""), ("nope:c", "hc1 hc2"), ("c:!nope", "hc1 hc2"), ("c:&nope", ""), ("no*", ""), ("~no", "")],
)
def test_a_part_that_names_nothing_is_a_warning(pattern: str, left: str) -> None:
    warnings: list[Diagnostic] = []
    assert names(pattern, warnings=warnings) == left.split()
    assert [warning.code for warning in warnings] == ["unmatched-pattern"]


@pytest.mark.parametrize("pattern", ["a[9]", "ungrouped:&e", "all:!all"])
def test_naming_no_host_of_what_exists_is_no_warning(pattern: str) -> None:
    warnings: list[Diagnostic] = []
    assert names(pattern, warnings=warnings) == []
    assert not warnings


def test_warnings_come_each_time_and_know_the_place() -> None:
    inventory, warnings = tree(), list[Diagnostic]()
    for _ in range(2):
        select(inventory, Trusted("hc3", Origin("site.yml", 2, 10)), on_warning=warnings.append)
    assert [str(warning.origin) for warning in warnings] == ["site.yml:2:10"] * 2
    assert warnings[0].help


@pytest.mark.parametrize("pattern", ["d:&", "~(", "a[0-1]"])
def test_a_pattern_that_cannot_be_read_is_an_error(pattern: str) -> None:
    with pytest.raises(InventoryError):
        names(pattern)


@pytest.mark.parametrize(
    ("pattern", "limit", "expected"),
    [
        ("all", "hc*,hd1", "hd1 hc1 hc2"),
        ("all[0]", "c", ""),
        ("a", "!d", "hc1"),
        ("localhost", "localhost", "localhost"),
        ("localhost", "all", ""),
        ("a", "", "hc1 hc2 hd2 hd1"),
    ],
)
def test_a_limit_bounds_a_pattern(pattern: str, limit: str, expected: str) -> None:
    assert names(pattern, limit) == expected.split()


def test_a_limit_that_leaves_nothing_is_an_error() -> None:
    with pytest.raises(InventoryError, match="leaves no hosts") as caught:
        names("all", "hc")
    assert caught.value.diagnostics[0].help


def test_a_limit_may_stand_in_a_file(tmp_path: Path) -> None:
    retry = tmp_path / "site.retry"
    retry.write_text("# failed\nhc1\n\n  hd* # two\n!hd2\n")
    assert names("all", f"@{retry}") == ["hd1", "hc1"]
    assert names("all", f"e,@{retry}") == ["he1", "hd1", "hc1"]
    with pytest.raises(InventoryError, match="limit file"):
        names("all", f"@{tmp_path}/none")


def test_hosts_added_at_run_time_are_found() -> None:
    inventory = tree()
    assert [host.name for host in select(inventory, "new:g2")] == []
    inventory.add_host("new", ["g2"])
    assert [host.name for host in select(inventory, "new:g2")] == ["new"]


@pytest.mark.parametrize(
    ("pattern", "parts"),
    [
        pytest.param("~web[0-9]{1,2}$", ["~web[0-9]{1,2}$"], id="quantifier"),
        pytest.param("a,~b{2,},!~c{,3}", ["a", "~b{2,}", "!~c{,3}"], id="quantifiers in a list"),
        ("a:b", ["a", "b"]),
        ("a,b:c", ["a", "b", "c"]),
        ("a[1:2]:b", ["a[1:2]", "b"]),
        ("::1", ["::1"]),
        ("a,::1", ["a", "::1"]),
        ("~[ab]:22", ["~[ab]", "22"]),
        ("!::1", ["!::1"]),
        (" a , b ", ["a", "b"]),
        ("", []),
    ],
)
def test_a_pattern_is_split(pattern: str, parts: list[str]) -> None:
    assert split_pattern(pattern) == parts


ATOMS = st.sampled_from(["a", "b", "c", "d", "e", "hc1", "hd2", "h*", "hx", "?c*", "z1", "all", "ungrouped"])


@given(st.lists(st.tuples(st.sampled_from(["", "!", "&"]), ATOMS), min_size=1, max_size=6))
def test_patterns_are_sets(parts: list[tuple[str, str]]) -> None:
    inventory = tree()

    def of(atom: str) -> set[str]:
        found = {host for host in inventory.hosts if fnmatch.fnmatchcase(host, atom)}
        for group in inventory.groups:
            if fnmatch.fnmatchcase(group, atom):
                found |= set(inventory.hosts_in(group))
        return found

    plain = [of(atom) for sign, atom in parts if not sign] or [of("all")]
    expected = set[str]().union(*plain)
    for sign, atom in parts:
        if sign == "&":
            expected &= of(atom)
    for sign, atom in parts:
        if sign == "!":
            expected -= of(atom)
    found = names(":".join(sign + atom for sign, atom in parts))
    assert set(found) == expected
    assert len(found) == len(expected)
