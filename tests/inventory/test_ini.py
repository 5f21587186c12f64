from __future__ import annotations

import string
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyplay.diagnostics.errors import InventoryError
from pyplay.diagnostics.model import Origin
from pyplay.inventory.ini import parse_ini
from pyplay.inventory.model import Inventory

if TYPE_CHECKING:
    from pyplay.inventory.fragment import Fragment


def parse(text: str) -> Fragment:
    return parse_ini(text, "hosts")


def hosts(text: str) -> dict[str, dict[str, Any]]:
    return {name: dict(values) for name, values in parse(text).hosts.items()}


def members(text: str) -> dict[str, list[str]]:
    return {name: list(part.hosts) for name, part in parse(text).groups.items() if part.hosts}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("h", {"h": {}}),
        ("h a=1 b=x c=True d=[1,2]", {"h": {"a": 1, "b": "x", "c": True, "d": [1, 2]}}),
        ("h a=yes # note", {"h": {"a": "yes"}}),
        ("h a=x#y", {"h": {"a": "x"}}),
        ('h a="x # y" "b=c d"', {"h": {"a": "x # y", "b": "c d"}}),
        ("h a=b=c", {"h": {"a": "b=c"}}),
        ("h a=", {"h": {"a": ""}}),
        ("h[1:2] a=1", {"h1": {"a": 1}, "h2": {"a": 1}}),
        ("2001:db8::3 a=1", {"2001:db8::3": {"a": 1}}),
        ("a=1", {"a=1": {}}),
        ("# h", {}),
        ("; h", {}),
        ("   h   a=1  ", {"h": {"a": 1}}),
    ],
)
def test_a_host_line(line: str, expected: dict[str, Any]) -> None:
    assert hosts(line) == expected


@pytest.mark.parametrize("end", ["\n", "\r\n", " \n\t", "\n\n", "\n# between\n"])
def test_lines_of_names_alone(end: str) -> None:
    text = end.join(["b", "a x=1", "b", "c-1.d", "[g]", "a", "c-1.d", "e", "b:22", "f"])
    assert hosts(text) == {"b": {}, "a": {"x": 1}, "c-1.d": {}, "e": {}, "f": {}}
    assert members(text) == {"ungrouped": ["b", "a", "c-1.d"], "g": ["a", "c-1.d", "e", "b", "f"]}
    with pytest.raises(InventoryError) as caught:
        parse(text + end + "[g")
    assert caught.value.diagnostics[0].origin == Origin("hosts", 1 + (text + end).count("\n"), 1 + end.endswith("\t"))


def test_a_port_counts_where_the_host_is_named_first() -> None:
    result = parse("h:22\nh:23\n[2001:db8::1]:2200 a=1\nk[1:2]:8\n")
    assert result.ports == {"h": 22, "2001:db8::1": 2200, "k1": 8, "k2": 8}


def test_hosts_of_a_range_share_no_containers() -> None:
    values = hosts("h[1:2] a=[1]")
    assert values["h1"]["a"] is not values["h2"]["a"]


def test_sections_make_groups_in_order() -> None:
    text = "lone\n[web] # front\nw1\n[db]\nd1\n[web]\nw2\nlone\n"
    assert members(text) == {"ungrouped": ["lone"], "web": ["w1", "w2", "lone"], "db": ["d1"]}


def test_vars_take_the_rest_of_the_line() -> None:
    text = "[g]\n[g:vars]\na = 1\nb=hello world # kept\nc='quoted'\nd=\ne=x=y\nf = True # cut by Python\n"
    expected = {"a": 1, "b": "hello world # kept", "c": "quoted", "d": "", "e": "x=y", "f": True}
    assert parse(text).groups["g"].vars == expected


def test_vars_and_children_may_come_before_their_group() -> None:
    result = parse("[g:vars]\na=1\n[top:children]\ng\n[g]\nh\n")
    assert result.groups["g"].vars == {"a": 1}
    assert list(result.groups["top"].children) == ["g"]


def test_a_child_joins_where_it_becomes_known() -> None:
    assert list(parse("[c]\n[a:children]\nb\nc\n[b]\n").groups["a"].children) == ["c", "b"]


@pytest.mark.parametrize(
    ("text", "code", "place", "words"),
    [
        pytest.param("[we b]", "ini-section", (1, 1), "no valid section", id="blank in a section"),
        pytest.param("[g:foo]", "ini-section", (1, 4), "no kind of section", id="kind of section"),
        pytest.param("h\n[g:vars]\na=1", "undefined-group", (2, 1), "'g'", id="vars of no group"),
        pytest.param("[g:children]\nnope", "undefined-group", (2, 1), "'nope'", id="no such child"),
        pytest.param("\n  h b c=1", "ini-host", (2, 5), "'b' is no key=value", id="no key=value"),
        pytest.param("h a='x", "ini-host", (1, 5), "not closed", id="open quote"),
        pytest.param("h a=\\", "ini-host", (1, 5), "backslash", id="backslash at the end"),
        pytest.param("h[1:x]", "host-range", (1, 2), "from number to number", id="bad range"),
        pytest.param("all:", "ini-host", (1, 1), "ends in ':'", id="YAML by mistake"),
        pytest.param("[g]\n[g:vars]\nfoo", "ini-vars", (3, 1), "no key=value", id="var without a value"),
        pytest.param("[g:children]\na b", "ini-children", (2, 1), "no name", id="blank in a child"),
    ],
)
def test_a_fault_is_shown_at_its_place(text: str, code: str, place: tuple[int, int], words: str) -> None:
    with pytest.raises(InventoryError) as caught:
        parse(text)
    fault = caught.value.diagnostics[0]
    assert (fault.code, fault.origin) == (code, Origin("hosts", *place))
    assert words in fault.message


def test_a_misspelt_group_is_suggested() -> None:
    with pytest.raises(InventoryError) as caught:
        parse("[webservers]\nh\n[all_web:children]\nwebserver\n")
    assert caught.value.diagnostics[0].help == "did you mean 'webservers'?"


def test_strings_know_line_and_column() -> None:
    result = parse("\n [g]\n  h  a=word  b=2\n[g:vars]\n key =  some text \n")
    assert result.hosts["h"]["a"].origin == Origin("hosts", 3, 8)
    assert result.own_vars("h").key_origins["b"] == Origin("hosts", 3, 16)
    assert result.groups["g"].vars["key"].origin == Origin("hosts", 5, 9)


NAMES = st.text(string.ascii_lowercase + string.digits, min_size=1, max_size=8).filter(
    lambda name: name not in ("all", "ungrouped")
)
VALUES = (
    st.integers()
    | st.booleans()
    | st.none()
    | st.text(string.printable.replace("\n", "").replace("\r", "").replace("\x0b", "").replace("\x0c", ""))
)


@given(
    st.dictionaries(NAMES, st.dictionaries(NAMES, st.dictionaries(NAMES, VALUES, max_size=3), max_size=4), max_size=4)
)
def test_what_is_written_as_ini_is_read_back(groups: dict[str, dict[str, dict[str, Any]]]) -> None:
    lines: list[str] = []
    expected: dict[str, dict[str, Any]] = {}
    for group, hosts_of in groups.items():
        lines.append(f"[{group}]")
        for host, variables in hosts_of.items():
            words = [host] + [f'{key}="{_escaped(repr(value))}"' for key, value in variables.items()]
            lines.append(" ".join(words))
            expected.setdefault(host, {}).update(variables)
    inventory = Inventory()
    parse("\n".join(lines)).merge_into(inventory, None)
    assert {name: dict(host.vars) for name, host in inventory.hosts.items()} == expected
    assert {group: list(inventory.groups[group].hosts) for group in groups} == {
        group: list(names) for group, names in groups.items()
    }


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
