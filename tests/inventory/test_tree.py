from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pyplay.diagnostics.errors import InventoryError
from pyplay.diagnostics.model import Diagnostic, Origin
from pyplay.inventory.tree import parse_tree
from pyplay.source.yaml import load_text

if TYPE_CHECKING:
    from pyplay.inventory.fragment import Fragment


def parse(text: str, warnings: list[Diagnostic] | None = None) -> Fragment:
    found = [] if warnings is None else warnings
    return parse_tree(load_text(text, "hosts.yml"), "hosts.yml", found.append)


def test_groups_hosts_children_and_vars() -> None:
    result = parse(
        "all:\n  vars: {a: 1}\n  hosts:\n    h[1:2]:22: {x: 1}\n    lone:\n  children:\n    web:\n      hosts: {w: {y: '{{ a }}'}}\n"
        "      children: {front: }\n      vars:\n        b: yes\n"
    )
    assert {name: dict(values) for name, values in result.hosts.items()} == {
        "w": {"y": "{{ a }}"},
        "h1": {"x": 1},
        "h2": {"x": 1},
        "lone": {},
    }
    assert result.ports == {"h1": 22, "h2": 22}
    assert list(result.groups) == ["all", "web", "front"]
    assert list(result.groups["web"].children) == ["front"]
    assert result.groups["web"].vars == {"b": True}
    assert result.hosts["w"]["y"].origin == Origin("hosts.yml", 8, 22)


def test_a_lone_name_is_one_host() -> None:
    assert list(parse("g:\n  hosts: h1\n").groups["g"].hosts) == ["h1"]


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("g:\n  hosts: [h1]\n", (2, 10), "no mapping"),
        ("g:\n  vars: [1]\n", (2, 9), "no mapping"),
        ("g:\n  hosts: {h1: 3}\n", (2, 11), "variables of host 'h1'"),
        ("g:\n  hosts:\n    h[1:x]: {}\n", (3, 5), "number to number"),
        ("[]", (1, 1), "empty"),
        ("- g", (1, 1), "mapping of group names"),
    ],
)
def test_a_fault_is_shown_at_its_place(text: str, place: tuple[int, int], words: str) -> None:
    with pytest.raises(InventoryError) as caught:
        parse(text)
    fault = caught.value.diagnostics[0]
    assert fault.origin == Origin("hosts.yml", *place)
    assert words in fault.message


def test_what_is_no_part_of_a_group_is_left_out_with_a_warning() -> None:
    warnings: list[Diagnostic] = []
    result = parse("g:\n  hots: {a: }\n  hosts: {b: }\nnot: 3\n", warnings)
    assert list(result.hosts) == ["b"]
    assert list(result.groups) == ["g"]
    assert [(w.origin and w.origin.line, w.help) for w in warnings] == [(2, "did you mean 'hosts'?"), (4, "")]


NAMES = st.sampled_from(["a", "b", "c", "d", "e", "f"])


@given(
    st.dictionaries(
        NAMES,
        st.dictionaries(
            NAMES.map("h{}".format), st.dictionaries(NAMES, st.integers() | st.booleans() | st.text(), max_size=2)
        ),
    )
)
def test_what_is_written_as_yaml_is_read_back(groups: dict[str, dict[str, Any]]) -> None:
    text = yaml.safe_dump({group: {"hosts": dict(hosts)} for group, hosts in groups.items()}, sort_keys=False)
    if not groups:
        return
    result = parse(text)
    assert {name: list(part.hosts) for name, part in result.groups.items()} == {
        name: list(hosts) for name, hosts in groups.items()
    }
    for hosts in groups.values():
        for host, values in hosts.items():
            assert values.items() <= {**result.hosts[host], **values}.items()
